// Completion: the best of what there is for what has been typed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/engine/registry.h"
#include "protocol/mcp/catalog.h"

namespace stepwise::mcp {

/// Those that begin with it, then those that have it somewhere, without regard to case, each in the order in which they
/// came; none twice. All of them: the server shows the first and says how many there are.
std::vector<std::string> best_first(std::string_view typed, const std::vector<std::string>& candidates);

/// Ids of the profiles that are open, and their paths unless only ids will do.
ByTool<Completion> complete_profile(const std::string& typed, bool ids_only);

/// Operator types of a profile that have it in their names, those that cost most first; of kernels without a type, as
/// on GPUs, the names.
ByTool<Completion> complete_operator(const std::string& profile, const std::string& typed);

/// Names and aliases that the knowledge base has; claims have none.
std::vector<std::string> parameter_names(const engine::Registry& registry);

}  // namespace stepwise::mcp
