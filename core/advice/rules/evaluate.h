// Which rules hold in a profile, and which cannot be told.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/advice/rules/metric_set.h"
#include "core/advice/rules/rule_book.h"

namespace stepwise::advice {

struct Finding {
  const Rule* rule = nullptr;  // lives as long as the book
  Trigger trigger{};
  std::optional<double> share_ratio{};  // of the step, 0 to 1; nullopt: the rule has no bound, or it is not known
};

struct NotApplicable {
  const Rule* rule = nullptr;
  enum class Why : uint8_t { missing, reserved, hardware, scenario } why = Why::missing;
  std::vector<std::string> missing{};  // metrics, sorted; reserved: all of them wait for an analyzer
};

struct Findings {
  std::vector<Finding> fired;                 // the largest share first; equal ones by severity, then by id
  std::vector<NotApplicable> not_applicable;  // in the order of the book
};

Findings evaluate(const RuleBook& book, const MetricSet& metrics);

/// The share of the step, 0 to 1; nullopt: there is no bound, or a metric of it is not known.
std::optional<double> share_of(const Bound& bound, const MetricSet& metrics);

/// The severity, with the share: below 1 % of the step low, below 5 % or unknown at most medium, from 5 % at least
/// medium. So nothing high is ranked behind what is low.
Priority priority_of(const Finding& finding);

/// The rule's text about this profile.
std::string says(const Rule& rule, const MetricSet& metrics, std::string_view lang);

}  // namespace stepwise::advice
