#include "core/engine/registry.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "core/base/text.h"
#include "core/engine/schema.h"

namespace stepwise::engine {
namespace {

Error refused(const char* code, const ToolDecl& tool, const std::string& why) {
  const std::string owner = tool.plugin.empty() ? "the engine" : "plugin `" + tool.plugin + "`";
  return {ErrorKind::plugin, code, "Tool `" + tool.name + "` of " + owner + " is refused: " + why, "", tool.plugin};
}

bool is_tool_name(std::string_view name) {
  if (name.size() < 3 || name.size() > 28) return false;
  for (const char c : name) {
    if ((c < 'a' || c > 'z') && c != '_') return false;
  }
  return true;
}

Result<void> check_schemas(const ToolDecl& tool) {
  if (tool.checks_itself) return {};
  if (auto ok = check_input_schema(tool.input); !ok.ok()) {
    return refused("registry.schema", tool, "input: " + to_text(ok.error()));
  }
  if (auto ok = check_schema(tool.output); !ok.ok()) {
    return refused("registry.schema", tool, "output: " + to_text(ok.error()));
  }
  return {};
}

bool has_advice_role(const Json& schema) {
  if (schema.is_object() && schema.value("x-role", Json()) == "advice") return true;
  return schema.is_structured() && std::any_of(schema.begin(), schema.end(), has_advice_role);
}

using Paths = std::vector<std::filesystem::path>;
using Tools = std::map<std::string, RegisteredTool, std::less<>>;

// Walks `calls` depth first; `path` holds the tools being walked, so meeting one again is a cycle.
Result<void> check_calls(const Tools& tools, const RegisteredTool& tool, std::set<std::string>& path) {
  path.insert(tool.decl.name);
  for (const std::string& callee : tool.decl.calls) {
    const auto it = tools.find(callee);
    if (it == tools.end())
      return refused("registry.calls", tool.decl, "it calls `" + callee + "`, which does not exist.");
    if (path.count(callee) != 0)
      return refused("registry.calls", tool.decl, "it and `" + callee + "` call each other.");
    SW_RETURN_IF_ERROR(check_calls(tools, it->second, path));
  }
  path.erase(tool.decl.name);
  return {};
}

}  // namespace

Result<std::shared_ptr<const Registry>> Registry::make(const std::vector<std::shared_ptr<ToolProvider>>& providers,
                                                       const std::vector<std::shared_ptr<const PluginInfo>>& plugins,
                                                       std::shared_ptr<const AdviceBooks> books) {
  auto registry = std::make_shared<Registry>();
  registry->books_ = books != nullptr ? std::move(books) : std::make_shared<AdviceBooks>(Paths{}, Paths{});
  const auto add = [&registry](RegisteredTool tool) -> Result<void> {
    SW_RETURN_IF_ERROR(check_schemas(tool.decl));
    const auto [it, added] = registry->tools_.try_emplace(tool.decl.name, tool);
    if (!added) return refused("registry.name_taken", tool.decl, "the name is taken.");
    return {};
  };
  for (const auto& provider : providers) {
    for (const ToolDecl& decl : provider->tools()) SW_RETURN_IF_ERROR(add({decl, provider, nullptr}));
  }
  for (const auto& plugin : plugins) {
    for (const ToolDecl& decl : plugin->tools) {
      if (!is_tool_name(decl.name)) return refused("registry.name", decl, "names are 3 to 28 of a-z and _.");
      if (has_advice_role(decl.output)) {
        return refused("registry.advice", decl,
                       "advice comes out of the gate alone, so no plugin's schema has that role.");
      }
      SW_RETURN_IF_ERROR(add({decl, nullptr, plugin}));
    }
  }
  for (auto& [name, tool] : registry->tools_) {
    for (const std::string& callee : tool.decl.calls_if_there) {
      if (registry->tools_.contains(callee)) tool.decl.calls.push_back(callee);
    }
  }
  for (const auto& [name, tool] : registry->tools_) {
    std::set<std::string> path;
    SW_RETURN_IF_ERROR(check_calls(registry->tools_, tool, path));
  }
  return std::shared_ptr<const Registry>(std::move(registry));
}

const RegisteredTool* Registry::find(std::string_view name) const {
  const auto it = tools_.find(name);
  return it == tools_.end() ? nullptr : &it->second;
}

std::vector<std::string> Registry::nearest(std::string_view name) const {
  std::vector<std::string> names;
  for (const auto& [known, tool] : tools_) names.push_back(known);
  return nearest_names(name, names);
}

}  // namespace stepwise::engine
