// A piece of advice as it may be said. Internal to core/advice/draft.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/advice/draft/figure_checker.h"
#include "core/advice/draft/lacks.h"
#include "core/advice/gate/gate.h"
#include "core/advice/gate/mention.h"

namespace stepwise::advice {

/// What the gate says of the mentions of one text. It remembers what it was told of names that nobody knows, since
/// looking for the nearest known ones is slow. One thread at a time.
class Judge {
 public:
  explicit Judge(const Gate& gate) : gate_(gate) {}
  const Gate& gate() const { return gate_; }
  /// Of each mention, beside the others; in eager mode what stands behind a conversion to a graph mode is its second
  /// step. What is proposed twice is judged once.
  std::vector<Verdict> judge(const std::vector<Mention>& mentions) const;
  /// Whether nothing of a text would be refused or downgraded, its directions included.
  bool is_clean(std::string_view text) const;

 private:
  /// nullptr: the knowledge base holds it.
  const Verdict* unknown(const std::string& name) const;
  Verdict not_to_use(const Mention& mention) const;
  bool is_of_conversion(const std::string& name) const;

  const Gate& gate_;
  mutable std::map<std::string, std::optional<Verdict>, std::less<>> unknown_;
};

class Rewriter {
 public:
  Rewriter(const Judge& judge, const FigureChecker& figures, std::string_view lang)
      : judge_(judge), figures_(figures), gate_(judge.gate()), is_chinese_(lang == "zh") {}

  /// It stands alone: it lacks nothing, whatever the head of a table says. Of an item that needs no change: itself.
  /// `has_trigger`: it quotes a figure of the profile. `above`: as FigureChecker::check.
  std::string rewrite(std::string_view text, bool has_trigger = false, const RowNumbers& above = {}) const;
  /// The same without naming what it lacks.
  std::string allowed(std::string_view text, const RowNumbers& above = {}) const;

 private:
  std::string direction(const std::string& text) const;
  bool replace_refused(std::string& text) const;
  const std::string& instead_of(const Mention& mention, const Verdict& verdict) const;
  std::string find_instead(const Mention& mention, const Verdict& verdict) const;
  std::string supplied(const std::string& text, std::string_view draft, bool has_trigger) const;
  std::string source_of(const std::string& text) const;
  std::string document_of(const Verdict& verdict) const;
  bool is_clean(std::string_view text) const;

  const Judge& judge_;
  const FigureChecker& figures_;
  const Gate& gate_;
  bool is_chinese_;
  mutable std::map<std::pair<std::string, std::optional<std::string>>, std::string> instead_;  // of names and values
};

}  // namespace stepwise::advice
