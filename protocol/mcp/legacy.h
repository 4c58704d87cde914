// What belongs to the legacy era of MCP alone (2024-11-05 to 2025-11-25): one handshake settles version and
// capabilities, and the requests after it rely on that. Methods, results and the engine know nothing of eras.
#pragma once

#include <string_view>

#include "core/base/json.h"

namespace stepwise::mcp::legacy {

/// The version asked for where it is spoken here, else the newest: the client then decides whether to go on.
std::string_view negotiate(std::string_view asked_version);

/// The answer to `initialize`. Capabilities name exactly what works.
Json initialize_result(std::string_view asked_version);

}  // namespace stepwise::mcp::legacy
