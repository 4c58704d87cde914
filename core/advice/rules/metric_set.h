// The metrics of one profile, by their names of docs/metrics.md, out of the answers of the tools that measure them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"

namespace stepwise::advice {

struct Metric {
  Json value;        // number, true or false, text; null: not known in this profile
  std::string tool;  // whose answer it stands in
};

/// Answers by tool, as the engine gives them (docs/tools.md, "Every tool").
using Answers = std::map<std::string, Json, std::less<>>;

class MetricSet {
 public:
  /// What stands under `metrics` in each answer, and the facts that are no figures: scenario.value, mode.value,
  /// shapes.vary, shapes.dynamic, fusion.enabled, cores.limited, profile.hardware...; docs/metrics.md lists them all.
  static MetricSet from(const Answers& answers);

  /// nullptr: no answer has it.
  const Metric* find(std::string_view name) const;
  const std::map<std::string, Metric, std::less<>>& all() const { return metrics_; }

 private:
  std::map<std::string, Metric, std::less<>> metrics_;
};

}  // namespace stepwise::advice
