#include "core/advice/gate/advice.h"

namespace stepwise::advice {
namespace {

Json parameter_row(const Proposed& proposed, const Verdict& verdict) {
  const Parameter& known = *verdict.parameter;  // an accepted one has an entry, and that a source
  const Source& source = known.sources.front();
  Json row = {{"name", proposed.name},
              {"value", proposed.value ? Json(*proposed.value) : Json()},
              {"status", to_string(known.status)},
              {"source", source.ref + " " + source.at},
              {"source_kind", source.is_code ? "code_repository" : "official_doc"}};
  if (!verdict.conditions.empty()) row["conditions"] = verdict.conditions;
  return row;
}

Json gain_json(const Gain& gain) {
  Json out = {{"how", gain.how}};
  if (gain.bound_us) out["bound_us"] = *gain.bound_us;
  if (gain.estimate_us) out["estimate_us"] = *gain.estimate_us;
  return out;
}

}  // namespace

const char* to_string(Priority priority) {
  constexpr const char* kNames[] = {"high", "medium", "low"};
  return kNames[static_cast<size_t>(priority)];
}

const char* to_string(RiskKind kind) {
  constexpr const char* kNames[] = {"none", "accuracy_ab", "communication_order", "memory", "stability"};
  return kNames[static_cast<size_t>(kind)];
}

Json Advice::to_json() const {
  Json row = {{"priority", to_string(draft_.priority)},
              {"finding", draft_.finding},
              {"measure", draft_.measure},
              {"id", draft_.measure_id},
              {"rule", draft_.finding_id},
              {"share_ratio", draft_.share_ratio ? Json(*draft_.share_ratio) : Json()},
              {"trigger",
               {{"metric", draft_.trigger.metric},
                {"value", draft_.trigger.value},
                {"threshold", draft_.trigger.threshold},
                {"tool", draft_.trigger.tool}}},
              {"gain", gain_json(draft_.gain)},
              {"condition", draft_.is_confirmed ? "confirmed" : "possible"},
              {"risk_kind", to_string(draft_.risk_kind)},
              {"verdict", to_string(decision_)},
              {"hardware", draft_.hardware}};
  Json parameters = Json::array(), where = Json::array();
  for (size_t i = 0; i < draft_.parameters.size(); ++i) {
    parameters.push_back(parameter_row(draft_.parameters[i], verdicts_[i]));
  }
  for (const Place& place : draft_.where) {
    Json one = {{"how", place.how}};
    if (!place.file.empty()) one["file"] = place.file;
    if (place.line > 0) one["line"] = place.line;
    where.push_back(std::move(one));
  }
  row["parameters"] = std::move(parameters);
  row["where"] = std::move(where);
  if (!draft_.conditions.empty()) row["conditions"] = draft_.conditions;
  if (!draft_.example.empty()) row["example"] = draft_.example;
  if (!draft_.risk.empty()) row["risk"] = draft_.risk;
  if (!draft_.links.empty()) row["links"] = draft_.links;
  if (!draft_.evidence.empty()) row["evidence"] = draft_.evidence;
  return row;
}

}  // namespace stepwise::advice
