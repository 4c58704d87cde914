// What all connections of one MCP server share: the engine, what is offered beside its tools, and how it presents
// itself. Immutable after its making but for Changes, which locks itself.
#pragma once

#include <memory>
#include <vector>

#include "core/engine/engine.h"
#include "protocol/mcp/catalog.h"
#include "protocol/mcp/changes.h"
#include "protocol/mcp/request_state.h"

namespace stepwise::mcp {

struct Server {
  engine::Engine& engine;
  bool list_all_tools = false;  // false: tools/list shows the core tools
  std::vector<std::shared_ptr<const Catalog>> catalogs{};
  std::shared_ptr<Changes> changes = std::make_shared<Changes>();
  bool lists_change = false;      // somebody tells Changes of tools, prompts and resources that come and go
  bool resources_change = false;  // and of contents
  RequestStates states{};
};

}  // namespace stepwise::mcp
