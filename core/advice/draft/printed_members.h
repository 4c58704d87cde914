// The members of the answers of summarize_profile, and the metrics of all tools, where a draft quotes them by their
// keys: "free_us": 27669.5, free_us=27,700, step.free_ratio = 0.799. Internal to core/advice/draft.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/advice/draft/figures.h"
#include "core/advice/rules/metric_set.h"

namespace stepwise::advice {

class PrintedMembers {
 public:
  explicit PrintedMembers(const Answers& answers);

  struct Held {
    double measured = 0;
    bool ok = false;
    std::string where, what;
  };
  /// Whether a number behind that key is a figure, and in what unit.
  std::optional<FigureUnit> unit_of(std::string_view key) const;
  /// nullopt: it stands behind no such key, or its text does not say in which object the key is. A metric's name says
  /// all; of other members only what fits is told, since a key may be of another answer.
  std::optional<Held> hold(std::string_view text, const QuotedFigure& figure) const;

 private:
  struct Member {
    double value = 0;
    std::string where;
    bool is_metric = false;
    std::string object, row;  // names that must stand before it; empty: none
  };
  void take(const Json& object, const std::string& where, const std::string& name, const std::string& row);

  std::map<std::string, std::vector<Member>, std::less<>> members_;  // by key
};

/// The key that a number at `at` stands behind, with = or : between; empty: none.
std::string_view key_before(std::string_view text, size_t at);

}  // namespace stepwise::advice
