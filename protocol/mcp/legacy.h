// What belongs to the legacy era of MCP alone (2024-11-05 to 2025-11-25): the handshake, and questions to the client,
// which are requests of the server's own. Methods, results and the engine know nothing of eras.
#pragma once

#include <string_view>

#include "core/base/json.h"
#include "protocol/mcp/server.h"

namespace stepwise::mcp::legacy {

/// The version asked for where it is spoken here, else the newest: the client then decides whether to go on.
std::string_view negotiate(std::string_view asked_version);

/// The answer to `initialize`. Capabilities name exactly what works.
Json initialize_result(const Server& server, std::string_view asked_version);

}  // namespace stepwise::mcp::legacy
