#include "core/advice/rules/evaluate.h"

#include <algorithm>
#include <cmath>

#include "core/advice/rules/test_metrics.h"
#include "tests/catch.h"

namespace stepwise::advice {
namespace {

constexpr double kChip = 24;

std::shared_ptr<const RuleBook> book() {
  std::vector<Error> faults;
  static const auto one = RuleBook::load({"skills"}, Knowledge::load({"skills/knowledge"}, faults), faults);
  return one;
}

/// A value on this side of the threshold, as near to it as makes a difference.
Json near(const Condition& one, bool is_beyond) {
  if (one.value.is_boolean())
    return (one.compare == Compare::equal) == is_beyond ? one.value : Json(!one.value.get<bool>());
  if (one.value.is_string()) return (one.compare == Compare::equal) == is_beyond ? one.value : Json("another");
  const double threshold = one.chip_key.empty() ? one.value.get<double>() : kChip;
  const double step = std::max(1.0, std::abs(threshold)) * 1e-9;
  switch (one.compare) {
    case Compare::greater:
      return is_beyond ? threshold + step : threshold;
    case Compare::greater_equal:
      return is_beyond ? threshold : threshold - step;
    case Compare::less:
      return is_beyond ? threshold - step : threshold;
    case Compare::less_equal:
      return is_beyond ? threshold : threshold + step;
    case Compare::equal:
      return is_beyond ? threshold : threshold + step;
    default:
      return is_beyond ? threshold + step : threshold;
  }
}

/// A run that the rule is for, in which every comparison holds, just so.
Json just_beyond(const Rule& rule) {
  Json metrics = {{"profile.hardware", rule.hardware == "gpu" ? "gpu" : "npu"},
                  {"scenario.value", rule.scenario == "inference" ? "inference" : "training"}};
  for (const Condition* one : comparisons(rule.when)) {
    metrics[one->metric] = near(*one, true);
    if (!one->chip_key.empty()) metrics["chip." + one->chip_key] = kChip;
  }
  return metrics;
}

bool fires(const Rule& rule, const Json& metrics) {
  const Findings found = evaluate(*book(), metrics_of(metrics));
  return std::any_of(found.fired.begin(), found.fired.end(), [&](const Finding& one) { return one.rule == &rule; });
}

const NotApplicable* not_applicable(const Findings& found, const Rule& rule) {
  for (const NotApplicable& one : found.not_applicable) {
    if (one.rule == &rule) return &one;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("every rule fires just beyond each of its thresholds, and not just before") {
  REQUIRE(book()->rules().size() > 60);
  for (const Rule& rule : book()->rules()) {
    INFO(rule.id);
    const Json beyond = just_beyond(rule);
    CHECK(fires(rule, beyond));
    for (const Condition* one : comparisons(rule.when)) {
      INFO(one->metric);
      Json before = beyond;
      before[one->metric] = near(*one, false);
      CHECK_FALSE(fires(rule, before));
    }
  }
}

TEST_CASE("every rule is not applicable while any metric of it is missing, and says which") {
  for (const Rule& rule : book()->rules()) {
    for (const Condition* one : comparisons(rule.when)) {
      INFO(rule.id << " without " << one->metric);
      Json metrics = just_beyond(rule);
      metrics[one->metric] = nullptr;
      const Findings found = evaluate(*book(), metrics_of(metrics));
      const NotApplicable* none = not_applicable(found, rule);
      REQUIRE(none != nullptr);
      const bool is_reserved = book()->metrics().find(one->metric)->second.is_reserved;
      CHECK(none->why == (is_reserved ? NotApplicable::Why::reserved : NotApplicable::Why::missing));
      CHECK(none->missing == std::vector<std::string>{one->metric});
      CHECK_FALSE(fires(rule, metrics));
    }
  }
}

TEST_CASE("rules of another scenario or hardware are not applicable") {
  for (const Rule& rule : book()->rules()) {
    INFO(rule.id);
    Json metrics = just_beyond(rule);
    if (rule.scenario != "any") {
      metrics["scenario.value"] = rule.scenario == "training" ? "inference" : "training";
      CHECK(not_applicable(evaluate(*book(), metrics_of(metrics)), rule)->why == NotApplicable::Why::scenario);
      metrics["scenario.value"] = nullptr;
      CHECK(not_applicable(evaluate(*book(), metrics_of(metrics)), rule)->missing ==
            std::vector<std::string>{"scenario.value"});
    }
    metrics = just_beyond(rule);
    if (rule.hardware == "ascend") {
      metrics["profile.hardware"] = "gpu";
      CHECK(not_applicable(evaluate(*book(), metrics_of(metrics)), rule)->why == NotApplicable::Why::hardware);
    }
  }
}

TEST_CASE("an unknown chip makes a rule with its figures not applicable") {
  const Rule& rule = *book()->rule("instances_compete");
  Json metrics = just_beyond(rule);
  metrics.erase("chip.cube_cores");
  CHECK(not_applicable(evaluate(*book(), metrics_of(metrics)), rule)->missing ==
        std::vector<std::string>{"chip.cube_cores"});
}

TEST_CASE("a profile of which nothing is known fires nothing") {
  const Findings found = evaluate(*book(), MetricSet{});
  CHECK(found.fired.empty());
  CHECK(found.not_applicable.size() == book()->rules().size());
}

TEST_CASE("Hermes' causes wait for an analyzer that tells them") {
  int reserved = 0;
  for (const auto& [name, metric] : book()->metrics()) reserved += metric.is_reserved ? 1 : 0;
  CHECK(reserved == 18);  // causes of Table 4 in docs/guide/rules.md
  const Findings found = evaluate(*book(), metrics_of({{"profile.hardware", "npu"}}));
  const auto waits = [](const NotApplicable& one) { return one.why == NotApplicable::Why::reserved; };
  CHECK(std::count_if(found.not_applicable.begin(), found.not_applicable.end(), waits) == 18);
}

TEST_CASE("a finding tells its trigger, its tool and what it could give back") {
  const Findings found = evaluate(
      *book(), metrics_of({{"profile.hardware", "npu"}, {"problem.ai_cpu_ratio", 0.2}, {"step.computing_ratio", 0.4}}));
  REQUIRE(found.fired.size() == 1);
  const Finding& one = found.fired.front();
  CHECK(one.rule->id == "ai_cpu");
  CHECK(one.trigger.metric == "problem.ai_cpu_ratio");
  CHECK(one.trigger.value == 0.2);
  CHECK(one.trigger.threshold == 0.05);
  CHECK(one.trigger.tool == "test");
  CHECK(*one.share_ratio == Approx(0.08));  // 0.2 of computing, which is 0.4 of the step
  CHECK(priority_of(one) == Priority::high);
}

TEST_CASE("the least of several bounds counts, an unknown one makes none") {
  Json metrics = {
      {"host.synchronisations_per_step", 11}, {"host.synchronisation_step_ratio", 0.7}, {"step.free_ratio", 0.04}};
  const auto share = [&] { return evaluate(*book(), metrics_of(metrics)).fired.front().share_ratio; };
  CHECK(*share() == 0.04);
  metrics["host.synchronisation_step_ratio"] = 0.03;
  CHECK(*share() == 0.03);
  metrics.erase("host.synchronisation_step_ratio");
  CHECK_FALSE(share());
}

TEST_CASE("a small bound lowers the priority") {
  Rule rule;
  rule.severity = Priority::high;
  const auto priority = [&](std::optional<double> share) {
    Finding one{&rule};
    one.share_ratio = share;
    return priority_of(one);
  };
  CHECK(priority(std::nullopt) == Priority::medium);
  CHECK(priority(0.05) == Priority::high);
  CHECK(priority(0.0499) == Priority::medium);
  CHECK(priority(0.01) == Priority::medium);
  CHECK(priority(0.0099) == Priority::low);
  rule.severity = Priority::medium;
  CHECK(priority(0.9) == Priority::medium);
  CHECK(priority(std::nullopt) == Priority::medium);
  rule.severity = Priority::low;
  CHECK(priority(0.05) == Priority::medium);  // so that nothing high stands behind what is low
  CHECK(priority(0.0499) == Priority::low);
  CHECK(priority(std::nullopt) == Priority::low);
}

TEST_CASE("texts are filled with three significant digits") {
  Rule rule;
  rule.says = {"{a:%} of {b}, {c} and {d}; {e}; {no name}", "{a:%}，{d}"};
  const MetricSet metrics =
      metrics_of({{"a", 0.123456}, {"b", 1234.56}, {"c", "aten::item"}, {"d", nullptr}, {"e", 2.0}});
  CHECK(says(rule, metrics, "en") == "12.3 % of 1,230, aten::item and unknown; 2; {no name}");
  CHECK(says(rule, metrics, "zh") == "12.3 %，未知");
}

TEST_CASE("texts say words of a vocabulary in their language") {
  Rule rule;
  rule.says = {"Instead: {cluster.late_cause}.", "原因：{cluster.late_cause}。"};
  const MetricSet metrics = metrics_of({{"cluster.late_cause", "began_later"}});
  CHECK(says(rule, metrics, "en") == "Instead: it began its step later.");
  CHECK(says(rule, metrics, "zh") == "原因：单步开始更晚。");
}

}  // namespace stepwise::advice
