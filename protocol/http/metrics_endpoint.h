// GET /metrics: process, HTTP and engine as Prometheus reads them. [any thread]
#pragma once

#include <memory>

#include "core/engine/engine.h"
#include "protocol/http/exchange.h"
#include "protocol/http/mcp_endpoint.h"
#include "protocol/http/tally.h"

namespace stepwise::http {

/// The engine outlives the handler; `tally` is the server's, `mcp` its MCP endpoint (nullptr: it has none).
HttpHandler metrics_endpoint(const engine::Engine& engine, std::shared_ptr<const Tally> tally,
                             std::shared_ptr<const McpEndpoint> mcp = nullptr);

}  // namespace stepwise::http
