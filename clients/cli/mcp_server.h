// The MCP server as the program runs it: which engine, which catalogs, what the agent may read. [main]
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "clients/cli/commands.h"
#include "core/engine/engine.h"
#include "protocol/mcp/profile_watch.h"
#include "protocol/mcp/server.h"

namespace stepwise::cli {

/// What `stepwise mcp` and `stepwise serve` have in common.
struct ServingEngine {
  std::unique_ptr<engine::Engine> engine;
  std::shared_ptr<const mcp::Server> server;  // uses the engine
  std::unique_ptr<mcp::ProfileWatch> watch;   // the same
};

/// `roots` as allowed_roots takes them. Errors: those of allowed_roots and Engine::start.
Result<ServingEngine> start_serving(const Invocation& invocation, const std::vector<std::string>& roots,
                                    const std::string& out_dir, bool list_all_tools);

}  // namespace stepwise::cli
