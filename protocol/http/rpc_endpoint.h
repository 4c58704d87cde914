// POST /rpc: JSON-RPC 2.0 without MCP around it. A method is a tool's name, its params the tool's arguments, its result
// the tool's structured answer. `tools` lists the tools. [any thread]
//
// A call whose peer goes away is cancelled. What fails is a JSON-RPC error with data {code, kind, hint, where}.
#pragma once

#include "core/engine/engine.h"
#include "protocol/http/exchange.h"

namespace stepwise::http {

/// The engine outlives the handler.
HttpHandler rpc_endpoint(engine::Engine& engine);

}  // namespace stepwise::http
