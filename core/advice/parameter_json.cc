#include "core/advice/parameter_json.h"

#include <algorithm>
#include <array>

#include "core/advice/entry_reader.h"
#include "core/advice/words.h"

namespace stepwise::advice {
namespace {

constexpr std::array<std::pair<const char*, ParameterKind>, 7> kKinds{{{"env", ParameterKind::env},
                                                                       {"option", ParameterKind::option},
                                                                       {"cli", ParameterKind::cli},
                                                                       {"config", ParameterKind::config},
                                                                       {"api", ParameterKind::api},
                                                                       {"enum", ParameterKind::value},
                                                                       {"claim", ParameterKind::claim}}};
constexpr std::array<std::pair<const char*, Status>, 3> kStatuses{
    {{"verified", Status::verified}, {"contradicted", Status::contradicted}, {"not_found", Status::not_found}}};
void read_value(Entry& entry, Parameter& out) {
  const Json* value = entry.member("value");
  if (value == nullptr) return;
  auto grammar = ValueGrammar::from_json(*value);
  if (grammar.ok()) {
    out.value = std::move(grammar).value();
    return;
  }
  Error error = grammar.take_error();
  error.where = entry.where() + "/value" + error.where;
  entry.faults().push_back(std::move(error));
}

void read_conflicts(Entry& entry, Parameter& out) {
  entry.objects("conflicts", [&out](Entry& one) {
    Conflict conflict;
    std::string value, with_value;
    one.text("with", conflict.with, true);
    one.text("value", value);
    one.text("with_value", with_value);
    one.text("says", conflict.says, true);
    one.boolean("at_fault", conflict.at_fault, false);
    if (!value.empty()) conflict.value = std::move(value);
    if (!with_value.empty()) conflict.with_value = std::move(with_value);
    out.conflicts.push_back(std::move(conflict));
  });
}

void read_claim(Entry& entry, Parameter& out) {
  entry.object("claim", [&out](Entry& one) { out.claim = claim_from(one); });
  if (out.kind == ParameterKind::claim && entry.member("claim") == nullptr) entry.fault("", "lacks claim.");
  if (out.kind != ParameterKind::claim && out.claim) entry.fault("/claim", "stands in an entry that is no claim.");
}

void read_shapes(Entry& entry, Parameter& out) {
  std::string shapes;
  entry.text("shapes", shapes);
  out.needs_varying_shapes = shapes == "varying";
  if (!shapes.empty() && !out.needs_varying_shapes) entry.fault("/shapes", "must be \"varying\", or left out.");
}

/// What the fields say of each other.
void check_whole(Entry& entry, const Parameter& one) {
  const bool is_true = one.status == Status::verified;
  if (is_true && one.confidence == Confidence::none) entry.fault("", "is verified and lacks a confidence.");
  if (is_true && one.sources.empty()) entry.fault("", "is verified and names no source.");
  if (!is_true && one.value) entry.fault("/value", "stands in an entry that is not verified.");
  if (one.default_value && !one.value) entry.fault("/default", "stands in an entry without a value.");
  if (one.default_value && one.value && one.value->check(*one.default_value).fit == Fit::no) {
    entry.fault("/default", "is no value of the entry: " + one.value->check(*one.default_value).why);
  }
}

}  // namespace

const char* to_string(ParameterKind kind) {
  return std::find_if(kKinds.begin(), kKinds.end(), [&](const auto& one) { return one.second == kind; })->first;
}
const char* to_string(Status status) {
  return std::find_if(kStatuses.begin(), kStatuses.end(), [&](const auto& one) { return one.second == status; })->first;
}
Parameter parameter_from_json(const Json& json, const std::string& where, std::vector<Error>& faults) {
  Entry entry(json, where, faults);
  Parameter out;
  if (!json.is_object()) return out;
  entry.text("id", out.id, true);
  entry.text("name", out.name, true);
  entry.word("kind", kKinds, out.kind, true);
  entry.texts("aliases", out.aliases);
  entry.word("status", kStatuses, out.status, true);
  entry.word("confidence", kConfidences, out.confidence, false);
  read_value(entry, out);
  entry.text("value_says", out.value_says);
  std::string default_value;
  entry.text("default", default_value);
  if (!default_value.empty()) out.default_value = std::move(default_value);
  entry.text("default_says", out.default_says);
  entry.text("since", out.since);
  entry.texts("modes", out.modes, kModes);
  entry.texts("toolchains", out.toolchains, kToolchains);
  entry.texts("scenarios", out.scenarios, kScenarios);
  entry.texts("frameworks", out.frameworks, kFrameworks);
  entry.texts("hardware", out.hardware, kHardware);
  entry.text("hardware_says", out.hardware_says);
  entry.text("effect", out.effect, true);
  entry.text("risk", out.risk);
  entry.text("notes", out.notes);
  read_shapes(entry, out);
  read_conflicts(entry, out);
  entry.texts("instead", out.instead);
  read_claim(entry, out);
  entry.objects("sources", [&out](Entry& one) { out.sources.push_back(read_source(one, true)); });
  entry.refuse_others();
  check_whole(entry, out);
  return out;
}

Json to_json(const Parameter& one) {
  Json out = {{"id", one.id}, {"name", one.name}, {"kind", to_string(one.kind)}, {"status", to_string(one.status)}};
  const auto put_text = [&out](const char* key, const std::string& text) {
    if (!text.empty()) out[key] = text;
  };
  const auto put_texts = [&out](const char* key, const std::vector<std::string>& texts) {
    if (!texts.empty()) out[key] = texts;
  };
  if (one.confidence != Confidence::none) out["confidence"] = to_string(one.confidence);
  put_texts("aliases", one.aliases);
  put_text("values", one.value ? one.value->says() : std::string());
  put_text("value_says", one.value_says);
  put_text("default", one.default_value.value_or(one.default_says));
  put_text("since", one.since);
  put_texts("modes", one.modes);
  put_texts("toolchains", one.toolchains);
  put_texts("scenarios", one.scenarios);
  put_texts("frameworks", one.frameworks);
  put_texts("hardware", one.hardware);
  put_text("effect", one.effect);
  put_text("risk", one.risk);
  put_text("notes", one.notes);
  if (one.needs_varying_shapes) out["shapes"] = "varying";
  Json conflicts = Json::array();
  for (const Conflict& conflict : one.conflicts)
    conflicts.push_back({{"with", conflict.with}, {"says", conflict.says}});
  if (!conflicts.empty()) out["conflicts"] = std::move(conflicts);
  put_texts("instead", one.instead);
  if (one.claim) out["claim"] = {{"says", one.claim->says}, {"truth", one.claim->truth}};
  Json sources = Json::array();
  for (const Source& source : one.sources) sources.push_back(to_json(source));
  if (!sources.empty()) out["sources"] = std::move(sources);
  return out;
}

}  // namespace stepwise::advice
