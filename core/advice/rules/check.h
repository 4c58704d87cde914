// Whether rules and measures speak only of what there is: metrics, parameters, each other.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/advice/rules/rule_book.h"

namespace stepwise::advice {

/// Against the metrics of the book. Faults: bad_data `rules.metric`, `rules.entry`.
void check_rule(const Rule& rule, const RuleBook& book, const std::string& where, std::vector<Error>& faults);

/// Against the rules, metrics and knowledge of the book, and the ids of all measures. Faults: bad_data `rules.metric`,
/// `rules.parameter`, `rules.unreachable`, `rules.entry`.
void check_measure(const Measure& measure, const RuleBook& book, const std::set<std::string, std::less<>>& measure_ids,
                   const std::string& where, std::vector<Error>& faults);

}  // namespace stepwise::advice
