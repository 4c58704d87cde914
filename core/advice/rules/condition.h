// When a rule or a measure holds: a tree over metrics, in three values. What is not known is never taken for no.
//
//   {"metric": "comm.not_overlapped_ratio", "op": ">", "value": 0.30}
//   {"metric": "cores.cube_most", "op": ">=", "value": {"chip": "cube_cores"}}   the metric chip.cube_cores
//   {"all": [...]}   {"any": [...]}   {"not": [ONE]}
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/advice/rules/metric_set.h"
#include "core/base/error.h"

namespace stepwise::advice {

enum class Compare : uint8_t { greater, greater_equal, less, less_equal, equal, not_equal };
const char* to_string(Compare compare);  // ">"

enum class Truth : uint8_t { no, yes, unknown };

struct Condition {
  enum class Kind : uint8_t { all, any, negation, comparison } kind = Kind::all;  // all of nothing: always
  std::vector<Condition> parts{};                                                 // of a negation one
  std::string metric{};
  Compare compare = Compare::greater;
  Json value{};  // a number, true or false, a text; null where chip_key decides
  std::string chip_key{};
};

/// Errors: bad_data `rules.condition`, where = the JSON pointer below the condition.
Result<Condition> condition_from_json(const Json& json);

/// Kleene's logic: all is no as soon as one is, any yes as soon as one is, else unknown while one is.
/// `missing`, if given, gets the metrics that kept it unknown.
Truth holds(const Condition& condition, const MetricSet& metrics, std::set<std::string>* missing = nullptr);

/// What a comparison is made with; null: it is the chip's, and that is not known.
Json threshold_of(const Condition& comparison, const MetricSet& metrics);

/// The comparisons in it, in the order of the file.
std::vector<const Condition*> comparisons(const Condition& condition);

}  // namespace stepwise::advice
