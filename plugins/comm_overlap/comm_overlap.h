// The tool of this plugin.
#pragma once

#include "stepwise/sdk.hpp"

namespace stepwise::comm_overlap {

/// Communication that no computation hides: how much, where, by which operations, and who waited for whom.
int32_t comm_overlap(sdk::Call& call);

}  // namespace stepwise::comm_overlap
