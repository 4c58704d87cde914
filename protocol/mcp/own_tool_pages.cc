#include "protocol/mcp/own_tool_pages.h"

#include "core/base/json.h"
#include "core/base/text.h"

namespace stepwise::mcp {
namespace {

std::string in_quotes(const std::string& word) { return "`" + word + "`"; }

std::string type_of(const Json& argument) {
  std::string out;
  for (const Json& one : argument.value("enum", Json::array())) {
    out += (out.empty() ? "" : ", ") + (one.is_string() ? one.get<std::string>() : dump_json(one));
  }
  if (!out.empty()) return "one of " + out;
  const auto type = argument.find("type");
  if (type == argument.end()) return "any";
  out = type->is_string() ? type->get<std::string>() : dump_json(*type);
  if (argument.contains("minimum")) out += ", from " + dump_json(argument["minimum"]);
  if (argument.contains("maximum")) out += ", up to " + dump_json(argument["maximum"]);
  return out;
}

std::string argument_line(const std::string& name, const Json& argument, bool is_required) {
  std::string out = "- " + in_quotes(name) + " (" + type_of(argument) + (is_required ? "; required" : "");
  if (argument.contains("default")) out += "; default " + dump_json(argument["default"]);
  out += ")";
  const std::string says = argument.value("description", "");
  return out + (says.empty() ? "" : ": " + says) + "\n";
}

std::string arguments_of(const engine::ToolDecl& tool) {
  const Json required = tool.input.value("required", Json::array());
  const Json arguments = tool.input.value("properties", Json::object());
  std::string out;
  for (const auto& [name, argument] : arguments.items()) {
    bool is_required = false;
    for (const Json& one : required) is_required = is_required || one == name;
    out += argument_line(name, argument, is_required);
  }
  return out.empty() ? "None.\n" : out;
}

std::string needs_of(const engine::ToolDecl& tool) {
  std::string out;
  for (const auto& any_of : tool.needs) {
    out += "- needs " + joined(any_of, " or ") + ": without it the answer is `not_applicable`\n";
  }
  for (const engine::ToolUse& use : tool.uses) {
    if (!use.costs.empty()) out += "- without " + use.table + ": " + use.costs + "\n";
  }
  return out;
}

std::string keys_of(const engine::ToolDecl& tool) {
  const Json keys = tool.output.value("properties", Json::object());
  std::string out;
  for (auto key = keys.begin(); key != keys.end(); ++key) {
    out += (out.empty() ? "" : ", ") + in_quotes(key.key());
  }
  return out;
}

void add_lines(std::string& out, const engine::Registry& registry, bool core) {
  for (const auto& [name, tool] : registry.tools()) {
    if (tool.decl.core == core) out += "- " + in_quotes(name) + ": " + tool.decl.description + "\n";
  }
}

}  // namespace

std::string tool_pages_list(const engine::Registry& registry) {
  std::string out = "# Tools\n\nWhat one takes and gives: stepwise://tools/NAME.\n\n## Core tools\n\n";
  add_lines(out, registry, true);
  out += "\n## Other analyses, by run_analysis\n\n";
  add_lines(out, registry, false);
  return out;
}

std::string tool_page(const engine::ToolDecl& tool) {
  std::string out = "# " + tool.name + "\n\n" + tool.description + "\n\n";
  out += "From " + (tool.plugin.empty() ? "the engine itself" : "plugin " + in_quotes(tool.plugin));
  if (tool.needs_profile) out += tool.per_rank ? "; answers for one rank" : "; looks at all ranks";
  out += ".\n\n";
  if (const std::string needs = needs_of(tool); !needs.empty()) out += "## Tables\n\n" + needs + "\n";
  out += "## Arguments\n\n" + arguments_of(tool);
  if (const std::string keys = keys_of(tool); !keys.empty()) out += "\nKeys of the result: " + keys + ".\n";
  return out;
}

}  // namespace stepwise::mcp
