// The tools as `tools/list` shows them.
#pragma once

#include "core/base/json.h"
#include "core/engine/registry.h"

namespace stepwise::mcp {

/// By name, so that the same registry always gives the same bytes (clients cache prompts by them). `all`: the tools
/// that are not core too.
Json tool_list(const engine::Registry& registry, bool all);

}  // namespace stepwise::mcp
