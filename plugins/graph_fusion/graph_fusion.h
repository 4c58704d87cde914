// The tools of this plugin.
#pragma once

#include "stepwise/sdk.hpp"

namespace stepwise::graph_fusion {

/// Structures that a dumped graph repeats, and how large the graph is.
int32_t repeated_subgraphs(sdk::Call& call);

}  // namespace stepwise::graph_fusion
