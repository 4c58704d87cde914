#include "protocol/mcp/methods.h"

#include <map>
#include <utility>

#include "core/base/text.h"
#include "protocol/mcp/capabilities.h"
#include "protocol/mcp/modern.h"
#include "protocol/mcp/params.h"
#include "protocol/mcp/resource_methods.h"
#include "protocol/mcp/tool_list.h"
#include "protocol/mcp/tool_result.h"

namespace stepwise::mcp {
namespace {

using jsonrpc::ErrorObject;

constexpr size_t kNameColumns = 60;  // of an unknown tool's name, as the error shows it

ErrorObject unknown_tool(const engine::Registry& registry, const std::string& name) {
  const auto nearest = registry.nearest(name);
  const std::string asked = shorten(name, kNameColumns);
  std::string message = "Unknown tool: " + asked + ".";
  for (size_t i = 0; i < nearest.size(); ++i) message += (i == 0 ? " Nearest: " : ", ") + nearest[i];
  message += nearest.empty() ? " tools/list names the tools." : ".";
  return {jsonrpc::kInvalidParams, std::move(message), {{"tool", asked}, {"nearest", nearest}}};
}

Step list_tools(const Server& server, const Json& given, const engine::ClientInput&) {
  if (auto refused = bad_cursor(given)) return *std::move(refused);
  return tool_list(*server.engine.registry(), server.list_all_tools);
}

Step call_tool(const Server& server, const Json& given, const engine::ClientInput& client) {
  auto read = jsonrpc::read_params<CallToolParams>(given);
  if (auto* refused = std::get_if<ErrorObject>(&read)) return std::move(*refused);
  auto& params = std::get<CallToolParams>(read);
  const auto registry = server.engine.registry();
  if (registry->find(params.name) == nullptr) return unknown_tool(*registry, params.name);
  Work work;
  work.request.tool = std::move(params.name);
  work.request.arguments = std::move(params.arguments);
  work.request.client = client;
  work.settle = [](engine::Answer answer) -> Settled {
    if (!answer.ask.empty()) return std::move(answer.ask);
    if (answer.error && answer.error->code == engine::kNeedsCapability) {
      return modern::missing_capability(answer.error->where);
    }
    return tool_result(std::move(answer));
  };
  return work;
}

}  // namespace

Method find_method(const Server& server, std::string_view name) {
  static const std::map<std::string_view, Method> kMethods = {
      {"tools/list", list_tools},         {"tools/call", call_tool},
      {"resources/list", list_resources}, {"resources/templates/list", list_templates},
      {"resources/read", read_resource},  {"prompts/list", list_prompts},
      {"prompts/get", get_prompt},        {"completion/complete", complete},
  };
  const auto found = kMethods.find(name);
  return found == kMethods.end() || !offers(server, name) ? nullptr : found->second;
}

}  // namespace stepwise::mcp
