#include "core/advice/rules/metric_set.h"

#include "core/advice/rules/facts.h"

namespace stepwise::advice {
namespace {

/// The first answer that knows a value gives it; what none knows stays null.
void add(std::map<std::string, Metric, std::less<>>& metrics, const std::string& name, Json value,
         const std::string& tool) {
  const auto [it, is_new] = metrics.try_emplace(name, Metric{value, tool});
  if (!is_new && it->second.value.is_null() && !value.is_null()) it->second = {std::move(value), tool};
}

}  // namespace

MetricSet MetricSet::from(const Answers& answers) {
  MetricSet out;
  const auto take = [&](const std::string& tool, const Json& answer) {
    const auto metrics = answer.is_object() ? answer.find("metrics") : answer.end();
    if (metrics == answer.end() || !metrics->is_object()) return;
    for (const auto& [name, value] : metrics->items()) add(out.metrics_, name, value, tool);
  };
  // Figures that several tools give differ by rounding: the summary's are the profiler's own.
  constexpr const char* kFirst = "summarize_profile";
  if (const auto it = answers.find(kFirst); it != answers.end()) take(kFirst, it->second);
  for (const auto& [tool, answer] : answers) take(tool, answer);
  for (Fact& fact : facts_of(answers)) add(out.metrics_, fact.name, std::move(fact.value), fact.tool);
  return out;
}

const Metric* MetricSet::find(std::string_view name) const {
  const auto it = metrics_.find(name);
  return it == metrics_.end() ? nullptr : &it->second;
}

}  // namespace stepwise::advice
