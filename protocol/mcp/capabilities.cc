#include "protocol/mcp/capabilities.h"

#include <algorithm>

namespace stepwise::mcp {
namespace {

template <class Has>
bool any(const Server& server, Has has) {
  return std::any_of(server.catalogs.begin(), server.catalogs.end(), [&](const auto& one) { return has(*one); });
}

bool has_resources(const Server& server) {
  return any(server, [](const Catalog& one) { return !one.resources().empty() || !one.templates().empty(); });
}

bool has_prompts(const Server& server) {
  return any(server, [](const Catalog& one) { return !one.prompts().empty(); });
}

/// "elicitation/create" needs `elicitation`, "sampling/createMessage" `sampling`, "roots/list" `roots`.
std::string needed_by(const Json& question) {
  const std::string method = question.value("method", "");
  return method.substr(0, method.find('/'));
}

}  // namespace

bool offers(const Server& server, std::string_view method) {
  const std::string_view kind = method.substr(0, method.find('/'));
  if (kind == "resources") return has_resources(server);
  if (kind == "prompts") return has_prompts(server);
  return kind != "completion" || has_resources(server) || has_prompts(server);
}

Json capabilities(const Server& server) {
  const Json changing = server.lists_change ? Json{{"listChanged", true}} : Json::object();
  Json out = {{"tools", changing}, {"logging", Json::object()}};
  if (has_resources(server)) {
    out["resources"] = changing;
    if (server.resources_change) out["resources"]["subscribe"] = true;
  }
  if (has_prompts(server)) out["prompts"] = changing;
  if (offers(server, "completion/complete")) out["completions"] = Json::object();
  return out;
}

std::optional<std::string> undeclared(const engine::ClientAsk& ask, const Json& client_capabilities) {
  for (const Json& question : ask.requests) {
    std::string needed = needed_by(question);
    if (!client_capabilities.contains(needed)) return needed;
  }
  return std::nullopt;
}

}  // namespace stepwise::mcp
