#include "core/advice/rules/rule_json.h"

#include "core/advice/rules/fields.h"

namespace stepwise::advice {
namespace {

using Choices = std::array<std::pair<const char*, std::string>, 3>;
const Choices kHardware{{{"agnostic", "agnostic"}, {"ascend", "ascend"}, {"gpu", "gpu"}}};
const Choices kScenarios{{{"any", "any"}, {"training", "training"}, {"inference", "inference"}}};
constexpr std::array<std::pair<const char*, Priority>, 3> kSeverities{
    {{"high", Priority::high}, {"medium", Priority::medium}, {"low", Priority::low}}};
constexpr std::array<std::pair<const char*, RiskKind>, 5> kRisks{
    {{"none", RiskKind::none},
     {"accuracy_ab", RiskKind::accuracy_ab},
     {"communication_order", RiskKind::communication_order},
     {"memory", RiskKind::memory},
     {"stability", RiskKind::stability}}};

/// null, "metric", {"product": [...]} or {"least": [...]}.
void read_bound(Fields& fields, Bound& bound, bool is_required) {
  const Json* json = fields.member("bound", is_required);
  if (json == nullptr || json->is_null()) return;
  if (json->is_string()) {
    bound = {Bound::Kind::product, {json->get<std::string>()}};
    return;
  }
  const bool is_least = json->is_object() && json->contains("least");
  Fields inner(*json, fields.where() + "/bound", fields.faults());
  inner.texts(is_least ? "least" : "product", bound.metrics, true);
  inner.refuse_others();
  bound.kind = is_least ? Bound::Kind::least : Bound::Kind::product;
}

void read_parameters(Fields& way, std::vector<WantedParameter>& into) {
  const Json* list = way.member("parameters");
  if (list == nullptr) return;
  if (!list->is_array()) return way.fault("/parameters", "must be a list.");
  for (size_t i = 0; i < list->size(); ++i) {
    Fields one((*list)[i], way.where() + "/parameters/" + std::to_string(i), way.faults());
    WantedParameter wanted;
    std::string value;
    one.text("id", wanted.id, true);
    one.text("value", value);
    one.boolean("after_conversion", wanted.after_conversion);
    one.refuse_others();
    if (!value.empty()) wanted.value = value;
    into.push_back(std::move(wanted));
  }
}

void read_ways(Fields& fields, std::vector<Way>& into) {
  const Json* list = fields.member("ways");
  if (list == nullptr) return;
  if (!list->is_array()) return fields.fault("/ways", "must be a list.");
  for (size_t i = 0; i < list->size(); ++i) {
    Fields one((*list)[i], fields.where() + "/ways/" + std::to_string(i), fields.faults());
    Way way;
    one.texts("modes", way.modes);
    one.texts("toolchains", way.toolchains);
    one.texts("frameworks", way.frameworks);
    one.word("hardware", kHardware, way.hardware, false);
    one.word("scenario", kScenarios, way.scenario, false);
    one.text("example", way.example);
    one.texts("links", way.links);
    read_parameters(one, way.parameters);
    one.refuse_others();
    into.push_back(std::move(way));
  }
}

}  // namespace

Rule rule_from_json(const Json& json, const std::string& where, std::vector<Error>& faults) {
  Fields fields(json, where, faults);
  Rule rule;
  fields.text("id", rule.id, true);
  fields.word("severity", kSeverities, rule.severity, true);
  fields.word("hardware", kHardware, rule.hardware, true);
  fields.word("scenario", kScenarios, rule.scenario, true);
  fields.condition("when", rule.when, true);
  fields.text("trigger", rule.trigger, true);
  read_bound(fields, rule.bound, true);
  fields.text("source", rule.source, true);
  fields.text("since", rule.since, true);
  fields.both("says", rule.says, true);
  fields.refuse_others();
  return rule;
}

Measure measure_from_json(const Json& json, const std::string& where, std::vector<Error>& faults) {
  Fields fields(json, where, faults);
  Measure measure;
  fields.text("id", measure.id, true);
  fields.texts("answers", measure.answers, true);
  fields.word("hardware", kHardware, measure.hardware, true);
  fields.word("scenario", kScenarios, measure.scenario, true);
  fields.texts("modes", measure.modes);
  fields.condition("when", measure.when);
  read_bound(fields, measure.bound, false);
  fields.both("direction", measure.direction, true);
  fields.both("constraint", measure.constraint);
  fields.both("gain", measure.gain, true);
  fields.word("risk_kind", kRisks, measure.risk_kind, true);
  fields.both("risk", measure.risk, measure.risk_kind != RiskKind::none);
  fields.both("where", measure.where, true);
  read_ways(fields, measure.ways);
  fields.texts("links", measure.links);
  fields.texts("excludes", measure.excludes);
  fields.boolean("needs_headroom", measure.needs_headroom);
  fields.text("source", measure.source, true);
  fields.refuse_others();
  return measure;
}

}  // namespace stepwise::advice
