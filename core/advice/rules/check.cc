#include "core/advice/rules/check.h"

#include <algorithm>

#include "core/advice/applies.h"
#include "core/advice/rules/fields_in_text.h"
#include "core/advice/words.h"

namespace stepwise::advice {
namespace {

class Check {
 public:
  Check(const RuleBook& book, std::string where, std::vector<Error>& faults)
      : book_(book), where_(std::move(where)), faults_(faults) {}

  void entry(std::string what, const std::string& at) {
    faults_.push_back({ErrorKind::bad_data, "rules.entry", std::move(what), "", where_ + at});
  }
  void metric_fault(std::string what, const std::string& at) {
    faults_.push_back({ErrorKind::bad_data, "rules.metric", std::move(what), "", where_ + at});
  }
  void parameter_fault(std::string what, const std::string& at) {
    faults_.push_back({ErrorKind::bad_data, "rules.parameter", std::move(what), "", where_ + at});
  }
  void unreachable(std::string what, const std::string& at) {
    faults_.push_back({ErrorKind::bad_data, "rules.unreachable", std::move(what), "", where_ + at});
  }

  /// nullptr, and a fault: there is no such metric.
  const MetricName* metric(const std::string& name, const std::string& at) {
    const auto it = book_.metrics().find(name);
    if (it != book_.metrics().end()) return &it->second;
    metric_fault("There is no metric \"" + name + "\".", at);
    return nullptr;
  }

  void number(const std::string& name, const std::string& at) {
    const MetricName* known = metric(name, at);
    if (known != nullptr && known->kind != MetricName::Kind::number) metric_fault(name + " is no number.", at);
  }

  void condition(const Condition& condition) {
    for (const Condition* one : comparisons(condition)) {
      const MetricName* known = metric(one->metric, "/when");
      if (!one->chip_key.empty()) number("chip." + one->chip_key, "/when");
      if (known == nullptr) continue;
      const bool is_number = one->value.is_number() || !one->chip_key.empty();
      const auto kind = is_number                 ? MetricName::Kind::number
                        : one->value.is_boolean() ? MetricName::Kind::boolean
                                                  : MetricName::Kind::text;
      if (kind != known->kind) metric_fault(one->metric + " is compared with another kind of value.", "/when");
    }
  }

  /// {metric} and {metric:%}
  void says(const std::string& text, const std::string& at) {
    for (std::string name : fields_in(text)) {
      if (name.ends_with(":%")) {
        name.resize(name.size() - 2);
        number(name, at);
      } else {
        metric(name, at);
      }
    }
  }

  void way(const Measure& measure, const Way& way, const std::string& at);
  void links(const std::vector<std::string>& names, const std::string& at);

 private:
  void parameter(const Measure& measure, const Way& way, const WantedParameter& wanted, const std::string& at);
  void value(const Parameter& known, const WantedParameter& wanted, const std::string& at);

  const RuleBook& book_;
  std::string where_;
  std::vector<Error>& faults_;
};

/// Of nothing one that is empty: not known.
std::vector<std::string> or_unknown(const std::vector<std::string>& words) {
  return words.empty() ? std::vector<std::string>{""} : words;
}

/// Every run that the way is for.
std::vector<Context> contexts_of(const Measure& measure, const Way& way) {
  std::vector<Context> out;
  Context context;
  context.on_gpu = way.hardware == "gpu" || measure.hardware == "gpu";
  const std::string& scenario = way.scenario != "any" ? way.scenario : measure.scenario;
  if (scenario != "any") context.scenario = scenario;
  for (const std::string& mode : way.modes) {
    for (const std::string& toolchain : or_unknown(way.toolchains)) {
      for (const std::string& framework : or_unknown(way.frameworks)) {
        context.mode = mode;
        context.toolchain = toolchain;
        context.framework = framework;
        out.push_back(context);
      }
    }
  }
  return out;
}

void Check::value(const Parameter& known, const WantedParameter& wanted, const std::string& at) {
  if (!wanted.value) return;
  if (!known.value) return parameter_fault("No value of " + known.name + " is known.", at);
  const ValueVerdict verdict = known.value->check(*wanted.value);
  if (verdict.fit != Fit::yes) parameter_fault(known.name + ": " + verdict.why, at);
  if (known.default_value == wanted.value) {
    parameter_fault(known.name + " is " + *wanted.value + " by default: that is no measure.", at);
  }
}

void Check::parameter(const Measure& measure, const Way& way, const WantedParameter& wanted, const std::string& at) {
  const Parameter* known = book_.knowledge().find(wanted.id);
  if (known == nullptr) return parameter_fault("Nothing is known of \"" + wanted.id + "\".", at);
  if (known->status != Status::verified) return parameter_fault("\"" + wanted.id + "\" is not verified.", at);
  value(*known, wanted, at);
  if (measure.hardware == "agnostic" && way.hardware == "agnostic" && !known->hardware.empty()) {
    parameter_fault(known->name + " is for " + known->hardware.front() + " and others only: say so of the way.", at);
  }
  if (measure.scenario == "any" && way.scenario == "any" && known->scenarios.size() == 1) {
    parameter_fault(known->name + " is for " + known->scenarios.front() + " only: say so of the way.", at);
  }
  for (const Context& context : contexts_of(measure, way)) {
    Context one = context;
    if (wanted.after_conversion && one.mode == "eager") one.mode.clear();
    const Applies fits = applies(*known, one);
    if (fits.answer != Applies::Answer::yes) parameter_fault(fits.why, at);
  }
}

void Check::links(const std::vector<std::string>& names, const std::string& at) {
  for (const std::string& name : names) {
    if (book_.knowledge().links().find(name) == nullptr) entry("There is no link \"" + name + "\".", at);
  }
}

void Check::way(const Measure& measure, const Way& way, const std::string& at) {
  for (const std::string& mode : way.modes) {
    if (!measure.modes.empty() && !has(measure.modes, mode)) {
      unreachable("The measure is not for the mode " + mode + ".", at + "/modes");
    }
  }
  if (measure.scenario != "any" && way.scenario != "any" && way.scenario != measure.scenario) {
    unreachable("The measure is not for " + way.scenario + ".", at + "/scenario");
  }
  if (way.modes.empty() && !way.parameters.empty()) {
    entry("Parameters go with the modes that they apply in.", at + "/modes");
  }
  for (size_t i = 0; i < way.parameters.size(); ++i) {
    parameter(measure, way, way.parameters[i], at + "/parameters/" + std::to_string(i));
  }
  links(way.links, at + "/links");
  for (const std::string& name : fields_in(way.example)) {
    const bool is_param = name.starts_with("param:"), is_value = name.starts_with("value:");
    const bool is_ours = std::any_of(way.parameters.begin(), way.parameters.end(), [&](const WantedParameter& one) {
      return (is_param || (is_value && one.value)) && name.substr(6) == one.id;
    });
    if (!is_ours) entry("{" + name + "} is none of the parameters here.", at + "/example");
  }
}

}  // namespace

void check_rule(const Rule& rule, const RuleBook& book, const std::string& where, std::vector<Error>& faults) {
  Check check(book, where, faults);
  check.condition(rule.when);
  for (const std::string& name : rule.bound.metrics) check.number(name, "/bound");
  check.says(rule.says.en, "/says/en");
  check.says(rule.says.zh, "/says/zh");
  const auto all = comparisons(rule.when);
  const bool is_told =
      std::any_of(all.begin(), all.end(), [&](const Condition* one) { return one->metric == rule.trigger; });
  if (!is_told) check.entry("The trigger is one of the metrics of `when`.", "/trigger");
}

void check_measure(const Measure& measure, const RuleBook& book, const std::set<std::string, std::less<>>& measure_ids,
                   const std::string& where, std::vector<Error>& faults) {
  Check check(book, where, faults);
  check.condition(measure.when);
  for (const std::string& name : measure.bound.metrics) check.number(name, "/bound");
  bool is_reachable = false;
  for (const std::string& id : measure.answers) {
    const Rule* rule = book.rule(id);
    if (rule == nullptr) {
      check.unreachable("There is no rule \"" + id + "\".", "/answers");
      continue;
    }
    const auto meet = [](const std::string& a, const std::string& b, const char* all) {
      return a == b || a == all || b == all;
    };
    is_reachable = is_reachable || (meet(rule->scenario, measure.scenario, "any") &&
                                    meet(rule->hardware, measure.hardware, "agnostic"));
  }
  if (!is_reachable) check.unreachable("None of the rules can fire where the measure applies.", "/answers");
  for (size_t i = 0; i < measure.ways.size(); ++i) check.way(measure, measure.ways[i], "/ways/" + std::to_string(i));
  check.links(measure.links, "/links");
  for (const std::string& id : measure.excludes) {
    if (!measure_ids.contains(id)) check.entry("There is no measure \"" + id + "\".", "/excludes");
  }
}

}  // namespace stepwise::advice
