// What a program has beside what every `stepwise` has: tools and resources linked into it. The program itself has
// none; one for protocol tests has its fixtures.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "core/engine/provider.h"
#include "protocol/mcp/catalog.h"
#include "protocol/mcp/changes.h"

namespace stepwise::cli {

struct Extras {
  std::vector<std::shared_ptr<engine::ToolProvider>> providers;
  std::vector<std::shared_ptr<const mcp::Catalog>> catalogs;
  std::shared_ptr<mcp::Changes> changes;  // set: lists and resources change, and are told here
  /// Of McpEndpointOptions.
  std::optional<std::chrono::milliseconds> release_after;
};

}  // namespace stepwise::cli
