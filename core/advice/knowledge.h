// The knowledge base: what is known about parameters, fusion passes, documents and chips, each with its sources. Read
// once, immutable; any thread.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/advice/chip.h"
#include "core/advice/fusion_pass.h"
#include "core/advice/links.h"
#include "core/advice/parameter.h"
#include "core/base/error.h"

namespace stepwise::advice {

class Knowledge {
 public:
  /// Reads parameters.json, fusion_passes.json, links.json and chips.json of each directory, in turn: the first is the
  /// program's own, later ones add to it and never override; each holds at least one of the files. An entry with a
  /// fault is left out; each fault is told in `faults` (bad_data `knowledge.entry`, `knowledge.value`,
  /// `knowledge.override`, `knowledge.file`; where = file and JSON pointer).
  static std::shared_ptr<const Knowledge> load(const std::vector<std::filesystem::path>& directories,
                                               std::vector<Error>& faults);

  std::span<const Parameter> parameters() const { return parameters_; }
  /// nullptr: none.
  const Parameter* find(std::string_view id) const;
  /// Of that name or alias, exactly; then as plain_letters gives it, without regard to case; then each of those whose
  /// dotted names end in it, where several do: allow_hf32 of matmul and of conv.
  std::vector<const Parameter*> named(std::string_view name) const;
  /// Names and aliases nearest to what was written, nearest first; at most three.
  std::vector<std::string> nearest(std::string_view written) const;
  /// Entries about the words of a query: first those that fit most of them, of equals those with more in the name than
  /// in the text. Those that fit less than half of what the best fits are left out.
  std::vector<const Parameter*> about(std::string_view query) const;

  /// Claims that the sentence makes, in English or Chinese: entries of kind claim. Linear in its length.
  std::vector<const Parameter*> claims_in(std::string_view sentence) const;

  const FusionPasses& passes() const { return passes_; }
  const Links& links() const { return links_; }
  const Chips& chips() const { return chips_; }

 private:
  void add(Parameter parameter);
  void index();

  std::vector<Parameter> parameters_;
  std::map<std::string, size_t, std::less<>> by_id_;
  std::multimap<std::string, size_t, std::less<>> by_name_, by_plain_name_, by_shared_last_;
  std::vector<std::string> names_;
  FusionPasses passes_;
  Links links_;
  Chips chips_;
};

}  // namespace stepwise::advice
