// What a tool takes, needs and gives, as Markdown out of its declaration: also of tools that no written page knows,
// those of other people's plugins.
#pragma once

#include <string>

#include "core/engine/registry.h"

namespace stepwise::mcp {

/// All tools in a line each, core tools first.
std::string tool_pages_list(const engine::Registry& registry);

std::string tool_page(const engine::ToolDecl& tool);

}  // namespace stepwise::mcp
