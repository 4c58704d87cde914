// The tools of this plugin.
#pragma once

#include "stepwise/sdk.hpp"

namespace stepwise::cluster {

/// What each rank did, how fast the links between them were, and which communication groups wait for one of theirs.
int32_t cluster_summary(sdk::Call& call);
/// Which ranks come late to the collectives, by how much, and what they did instead.
int32_t find_stragglers(sdk::Call& call);

}  // namespace stepwise::cluster
