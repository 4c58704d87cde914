// From what was found to what could be done about it: drafts, for the gate to check.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/advice/rules/evaluate.h"

namespace stepwise::advice {

/// Places in the source that a finding was traced to, by the rule's id.
using Places = std::map<std::string, std::vector<Place>, std::less<>>;

inline constexpr size_t kMostPerFinding = 3;

/// One draft a measure, of the finding with the largest share among those that it answers; ranked by share, then by
/// priority, then by ids. A measure is left out where its scenario, hardware, mode or condition is known not to hold,
/// where it needs device memory and there is none, and behind a measure that excludes it. What is not known makes it
/// possible instead of confirmed. Parameters only in a known execution mode. lang: en or zh. Of a finding's drafts no
/// more than `most_per_finding` stay, confirmed ones before possible ones.
std::vector<Draft> drafts(const RuleBook& book, const Findings& findings, const MetricSet& metrics,
                          std::string_view lang, const Places& places, size_t most_per_finding = kMostPerFinding);

}  // namespace stepwise::advice
