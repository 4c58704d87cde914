#include "protocol/mcp/tool_list.h"

#include <utility>

namespace stepwise::mcp {
namespace {

constexpr size_t kMaxOutputSchemaChars = 400;

Json annotations(const engine::ToolDecl& tool) {
  // All four, always: the protocol's defaults are not what most clients assume for a hint that is absent.
  Json hints = {{"readOnlyHint", false}, {"destructiveHint", true}, {"idempotentHint", false}, {"openWorldHint", true}};
  if (tool.annotations.is_object()) hints.update(tool.annotations);
  return hints;
}

Json type_alone(const Json& declared) {
  // One type alone: some model providers refuse a choice of them.
  const Json type = declared.value("type", Json());
  return type.is_string() ? Json{{"type", type}} : Json::object();
}

// Names the keys that an applicable answer has, and requires `status` alone: an answer of not_applicable or running
// has none of the tool's keys, and clients refuse a structure that lacks a required one. The full schema is long and
// comes from list_analyses.
Json output_schema(const engine::ToolDecl& tool) {
  Json schema = {{"type", "object"}, {"required", {"status"}}, {"properties", {{"status", {{"type", "string"}}}}}};
  const Json properties = tool.output.value("properties", Json::object());
  for (const Json& key : tool.output.value("required", Json::array())) {
    if (!key.is_string() || key == "status") continue;
    Json longer = schema;
    longer["properties"][key.get<std::string>()] = type_alone(properties.value(key.get<std::string>(), Json::object()));
    if (dump_json(longer).size() > kMaxOutputSchemaChars) break;
    schema = std::move(longer);
  }
  return schema;
}

Json listed(const engine::ToolDecl& tool) {
  Json entry = {{"name", tool.name},
                {"description", tool.description},
                {"inputSchema", tool.input},
                {"annotations", annotations(tool)}};
  // A tool that gives content of its own has no structure to describe.
  if (tool.output.is_object()) entry["outputSchema"] = output_schema(tool);
  if (!tool.title.empty()) entry["title"] = tool.title;
  return entry;
}

}  // namespace

Json tool_list(const engine::Registry& registry, bool all) {
  Json tools = Json::array();
  for (const auto& [name, tool] : registry.tools()) {
    if (all || tool.decl.core) tools.push_back(listed(tool.decl));
  }
  return {{"tools", std::move(tools)}};
}

}  // namespace stepwise::mcp
