// What the server says it can do, and what a client must have said of itself before it is asked.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/json.h"
#include "core/engine/client.h"
#include "protocol/mcp/server.h"

namespace stepwise::mcp {

/// Has the server anything that the method could give? Of `tools/...` always.
bool offers(const Server& server, std::string_view method);

/// The same in both eras. A capability is named if and only if its methods work.
Json capabilities(const Server& server);

/// The client capability that a question needs and that the client did not declare; nullopt: all are there.
std::optional<std::string> undeclared(const engine::ClientAsk& ask, const Json& client_capabilities);

}  // namespace stepwise::mcp
