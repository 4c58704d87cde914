#include "core/engine/lookup_parameter.h"

#include <algorithm>

#include "core/advice/applies.h"
#include "core/advice/call_arguments.h"
#include "core/base/text.h"

namespace stepwise::engine {
namespace {

Json text(const char* says) { return {{"type", "string"}, {"description", says}}; }

Json row_of(const advice::Parameter& one) {
  return {{"id", one.id},
          {"name", one.name},
          {"kind", advice::to_string(one.kind)},
          {"status", advice::to_string(one.status)},
          {"effect", one.effect}};
}

Json applies_json(const advice::Parameter& one, const advice::Context& context) {
  using Answer = advice::Applies::Answer;
  const advice::Applies applied = advice::applies(one, context);
  Json out = {{"answer", applied.answer == Answer::yes ? "yes" : applied.answer == Answer::no ? "no" : "unknown"}};
  if (!applied.why.empty()) out["why"] = applied.why;
  return out;
}

Json fit_json(const advice::Parameter& one, const std::string& value) {
  if (!one.value) return {{"answer", "unknown"}, {"why", "Only the name is known, not its values."}};
  const advice::ValueVerdict verdict = one.value->check(value);
  Json out = {{"answer", verdict.fit == advice::Fit::yes  ? "yes"
                         : verdict.fit == advice::Fit::no ? "no"
                                                          : "undocumented"}};
  if (!verdict.why.empty()) out["why"] = verdict.why;
  if (verdict.fit == advice::Fit::yes && one.default_value == value) out["why"] = "It is the default already.";
  return out;
}

std::string argument(const Json& arguments, const char* name) {
  const auto it = arguments.find(name);
  return it == arguments.end() ? "" : it->get<std::string>();
}

void add_rows(ToolResult& result, const std::vector<const advice::Parameter*>& found) {
  result.has_rows = true;
  for (const advice::Parameter* one : found) result.rows.push_back(row_of(*one));
  result.total_rows = result.rows.size();
}

/// What is known of a name, in one sentence: whether it may be used at all.
std::string verdict_of(const advice::Parameter& one, const advice::Knowledge& knowledge) {
  std::string instead;
  for (const std::string& id : one.instead) {
    const advice::Parameter* right = knowledge.find(id);
    if (right != nullptr) instead += (instead.empty() ? "" : ", ") + right->name;
  }
  const std::string rather = instead.empty() ? "" : " Right instead: " + instead + ".";
  const bool is_claim = one.kind == advice::ParameterKind::claim;
  switch (one.status) {
    case advice::Status::verified:
      return one.confidence == advice::Confidence::low ? "The name exists; what is known of it is of low confidence."
                                                       : "The name exists and is verified.";
    case advice::Status::contradicted:
      return std::string(is_claim ? "The claim does not hold" : "The name does not hold as it is written") +
             ": sources say otherwise." + rather;
    case advice::Status::not_found:
      break;
  }
  return std::string(is_claim ? "Nothing bears the claim out" : "The name does not exist") +
         ": no source knows it; do not set it." + rather;
}

std::string line(const std::string& name, const std::string& says) { return name + ": " + says + "\n"; }

std::string listed(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return dump_json(value);
  std::string out;
  for (const Json& one : value) out += (out.empty() ? "" : ", ") + listed(one);
  return out;
}

/// The verdict, what was asked besides, the entry; each source whole on a line of its own, so that it can be quoted.
std::string entry_text(const Json& body) {
  std::string out = line("verdict", body["verdict"].get<std::string>());
  for (const char* key : {"applies", "value_fits"}) {
    if (!body.contains(key)) continue;
    const std::string why = body[key].value("why", std::string());
    out += line(key, body[key]["answer"].get<std::string>() + (why.empty() ? "" : "; " + why));
  }
  for (const auto& [key, value] : body["entry"].items()) {
    if (key != "sources") out += line(key, listed(value));
  }
  for (const Json& source : body["entry"].value("sources", Json::array())) {
    out += line("source", "[" + source.value("source_kind", std::string()) + "] " +
                              source.value("source", std::string()) + ", " + source.value("at", std::string()));
    if (const std::string says = source.value("says", std::string()); !says.empty()) out += "  says: " + says + "\n";
  }
  return out;
}

/// Names like it; else those that its words are about: "task queue" for TASK_QUEUE_ENABLE.
std::vector<std::string> nearest_names_to(const advice::Knowledge& knowledge, const std::string& name) {
  constexpr size_t kShown = 3;
  std::vector<std::string> nearest = knowledge.nearest(name);
  if (!nearest.empty()) return nearest;
  for (const advice::Parameter* one : knowledge.about(name)) {
    if (nearest.size() < kShown && one->kind != advice::ParameterKind::claim) nearest.push_back(one->name);
  }
  return nearest;
}

/// A name as somebody writes it who means one of ours: with its value behind "=", in words.
struct Written {
  std::string name, value;
};

std::string with_underscores(std::string text) {
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
}

/// `value`: what was asked for besides, which comes before one behind the name.
Written written_as(const advice::Knowledge& knowledge, const std::string& name, const std::string& value) {
  if (!knowledge.named(name).empty() || knowledge.find(name) != nullptr) return {name, value};
  const size_t assign = name.find('=');
  Written out{std::string(trim(name.substr(0, assign))), value};
  if (assign != name.npos && value.empty()) out.value = std::string(advice::unquoted(trim(name.substr(assign + 1))));
  if (knowledge.named(out.name).empty() && !knowledge.named(with_underscores(out.name)).empty()) {
    out.name = with_underscores(out.name);
  }
  return knowledge.named(out.name).empty() ? Written{name, value} : out;
}

Result<ToolResult> of_name(const advice::Knowledge& knowledge, const Written& written, const Json& arguments) {
  const std::string& name = written.name;
  ToolResult result;
  std::vector<const advice::Parameter*> found = knowledge.named(name);
  if (const advice::Parameter* one = knowledge.find(name); one != nullptr && found.empty()) found = {one};
  result.body["found"] = std::any_of(
      found.begin(), found.end(), [](const advice::Parameter* one) { return one->status == advice::Status::verified; });
  if (found.size() != 1) {
    add_rows(result, found);
    result.body["verdict"] = found.empty() ? "Nothing is known of the name: it is not in the knowledge base."
                                           : "Several entries have the name; look one up by its id.";
    if (found.empty()) result.body["nearest"] = nearest_names_to(knowledge, name);
    return result;
  }
  const advice::Parameter& one = *found.front();
  result.body["verdict"] = verdict_of(one, knowledge);
  result.body["entry"] = advice::to_json(one);
  const advice::Context context{.mode = argument(arguments, "mode"), .scenario = argument(arguments, "scenario")};
  if (!context.mode.empty() || !context.scenario.empty()) result.body["applies"] = applies_json(one, context);
  if (!written.value.empty() || arguments.contains("value")) {
    result.body["value_fits"] = fit_json(one, written.value);
  }
  result.text = entry_text(result.body);
  return result;
}

}  // namespace

Json lookup_parameter_declaration() {
  const Json words = {{"type", "array"}, {"items", {{"type", "string"}}}, {"x-role", "data"}};
  return {
      {"name", "lookup_parameter"},
      {"title", "Look a parameter up"},
      {"description",
       "What is known about an environment variable, option or API: values, default, where it applies, sources. By "
       "name, or by topic."},
      {"exposure", "core"},
      {"per", "none"},
      {"default_limit", 10},
      {"input",
       {{"type", "object"},
        {"properties",
         {{"name", text("The parameter as it is written, e.g. TASK_QUEUE_ENABLE.")},
          {"query", text("A topic instead, e.g. cpu affinity.")},
          {"value", text("Whether this value is one of its values.")},
          {"mode",
           {{"type", "string"},
            {"enum",
             {"ge", "ge_autofuse", "inductor_ascendc", "inductor_triton", "inductor_dvm", "inductor_mlir", "npu_graph",
              "cuda_graph", "graph_dump", "eager", "undetermined"}},
            {"description", "Execution mode in which it is to be used, as detect_execution_mode says."}}},
          {"scenario", {{"type", "string"}, {"enum", {"training", "inference"}}}}}}}},
      {"output",
       {{"type", "object"},
        {"required", {"found"}},
        {"properties",
         {{"verdict", text("Whether the name exists, and what is right instead of it.")},
          {"found",
           {{"type", "boolean"}, {"description", "It exists by a source; of a query, there are entries about it."}}},
          {"entry", {{"type", {"object", "null"}}, {"x-role", "data"}}},
          {"applies", {{"type", {"object", "null"}}, {"x-role", "data"}}},
          {"value_fits", {{"type", {"object", "null"}}, {"x-role", "data"}}},
          {"nearest", words},
          {"rows", {{"type", "array"}, {"items", {{"type", "object"}}}, {"x-role", "data"}}}}}}},
      {"view", {{"columns", {"name", "kind", "status", "id", "effect"}}}}};
}

Result<ToolResult> lookup_parameter(const advice::Knowledge& knowledge, const Json& arguments) {
  const std::string name = argument(arguments, "name"), query = argument(arguments, "query");
  if (name.empty() == query.empty()) {
    return Error{ErrorKind::usage, "args.lookup", "Either `name` or `query` says what to look up.",
                 "Pass one of them, e.g. {\"name\": \"TASK_QUEUE_ENABLE\"}.", "/name"};
  }
  ToolResult result;
  if (!query.empty()) {
    const auto found = knowledge.about(query);
    result.body["found"] = !found.empty();
    add_rows(result, found);
    if (found.empty()) result.body["nearest"] = nearest_names_to(knowledge, with_underscores(query));
    return result;
  }
  return of_name(knowledge, written_as(knowledge, name, argument(arguments, "value")), arguments);
}

}  // namespace stepwise::engine
