#include "core/advice/rules/evaluate.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/advice/rules/fields_in_text.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

Json value_of(const MetricSet& metrics, std::string_view name) {
  const Metric* metric = metrics.find(name);
  return metric == nullptr ? Json() : metric->value;
}

/// What texts say of words of closed vocabularies.
struct SaidWord {
  std::string_view word, en, zh;
};
constexpr SaidWord kWords[] = {
    {"began_later", "it began its step later", "单步开始更晚"},
    {"computing", "it computed longer", "计算更久"},
    {"copying", "it copied longer", "拷贝更久"},
    {"idle", "it was idle, since its host had not launched", "空闲，其主机尚未下发"},
};

std::string in_words(const std::string& value, std::string_view lang) {
  const auto* const known =
      std::find_if(std::begin(kWords), std::end(kWords), [&](const SaidWord& one) { return one.word == value; });
  return known == std::end(kWords) ? value : std::string(lang == "zh" ? known->zh : known->en);
}

}  // namespace

std::optional<double> share_of(const Bound& bound, const MetricSet& metrics) {
  if (bound.kind == Bound::Kind::none) return std::nullopt;
  double share = 1;
  for (const std::string& name : bound.metrics) {
    const Json value = value_of(metrics, name);
    if (!value.is_number()) return std::nullopt;
    const double one = value.get<double>();
    share = bound.kind == Bound::Kind::product ? share * one : std::min(share, one);
  }
  return std::clamp(share, 0.0, 1.0);
}

namespace {

/// The comparison that is told: the trigger's first one that holds; where the trigger is not known, another that holds.
const Condition* told(const Rule& rule, const MetricSet& metrics) {
  const Condition* other = nullptr;
  for (const Condition* one : comparisons(rule.when)) {
    if (holds(*one, metrics) != Truth::yes) continue;
    if (one->metric == rule.trigger) return one;
    if (other == nullptr) other = one;
  }
  return other;
}

Finding fired(const Rule& rule, const MetricSet& metrics) {
  Finding out{&rule};
  if (const Condition* one = told(rule, metrics)) {
    const Metric* metric = metrics.find(one->metric);
    out.trigger = {one->metric, metric->value, threshold_of(*one, metrics), metric->tool};
  }
  out.share_ratio = share_of(rule.bound, metrics);
  return out;
}

/// nullopt: the rule is for such a run. A run of which that is not known lacks the metric.
std::optional<NotApplicable> excluded(const Rule& rule, const MetricSet& metrics) {
  if (rule.hardware != "agnostic") {
    const Json hardware = value_of(metrics, "profile.hardware");
    if (hardware.is_null()) return NotApplicable{&rule, NotApplicable::Why::missing, {"profile.hardware"}};
    const bool is_gpu = hardware == "gpu";
    if (is_gpu != (rule.hardware == "gpu")) return NotApplicable{&rule, NotApplicable::Why::hardware};
  }
  if (rule.scenario != "any") {
    const Json scenario = value_of(metrics, "scenario.value");
    if (scenario.is_null()) return NotApplicable{&rule, NotApplicable::Why::missing, {"scenario.value"}};
    if (scenario != rule.scenario) return NotApplicable{&rule, NotApplicable::Why::scenario};
  }
  return std::nullopt;
}

bool goes_before(const Finding& a, const Finding& b) {
  const double left = a.share_ratio.value_or(0), right = b.share_ratio.value_or(0);
  if (left != right) return left > right;
  if (a.rule->severity != b.rule->severity) return a.rule->severity < b.rule->severity;
  return a.rule->id < b.rule->id;
}

}  // namespace

Findings evaluate(const RuleBook& book, const MetricSet& metrics) {
  Findings out;
  for (const Rule& rule : book.rules()) {
    if (auto why = excluded(rule, metrics)) {
      out.not_applicable.push_back(std::move(*why));
      continue;
    }
    std::set<std::string> missing;
    const Truth truth = holds(rule.when, metrics, &missing);
    if (truth == Truth::yes) out.fired.push_back(fired(rule, metrics));
    if (truth == Truth::unknown) {
      const bool is_reserved = std::all_of(missing.begin(), missing.end(), [&](const std::string& name) {
        const auto it = book.metrics().find(name);
        return it != book.metrics().end() && it->second.is_reserved;
      });
      const auto why = is_reserved ? NotApplicable::Why::reserved : NotApplicable::Why::missing;
      out.not_applicable.push_back({&rule, why, {missing.begin(), missing.end()}});
    }
  }
  std::sort(out.fired.begin(), out.fired.end(), goes_before);
  return out;
}

Priority priority_of(const Finding& finding) {
  constexpr double kLow = 0.01, kMedium = 0.05;
  const Priority severity = finding.rule->severity;
  if (!finding.share_ratio) return std::max(Priority::medium, severity);
  if (*finding.share_ratio < kLow) return Priority::low;
  if (*finding.share_ratio < kMedium) return std::max(Priority::medium, severity);
  return std::min(Priority::medium, severity);
}

std::string says(const Rule& rule, const MetricSet& metrics, std::string_view lang) {
  return filled(rule.says.in(lang), [&](std::string_view name) {
    const bool is_percent = name.ends_with(":%");
    const Json value = value_of(metrics, is_percent ? name.substr(0, name.size() - 2) : name);
    if (value.is_number()) {
      const double number = value.get<double>();
      constexpr double kMostExact = 999;  // a count that short is told as it is
      if (is_percent) return three_digits(number * 100) + " %";
      if (number == std::floor(number) && std::abs(number) <= kMostExact) {
        return std::to_string(static_cast<int>(number));
      }
      return three_digits(number);
    }
    if (value.is_string()) return in_words(value.get<std::string>(), lang);
    return std::string(lang == "zh" ? "未知" : "unknown");
  });
}

}  // namespace stepwise::advice
