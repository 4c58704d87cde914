// The two tools of this plugin.
#pragma once

#include "stepwise/sdk.hpp"

namespace stepwise::overview {

/// What the run is, how long an iteration takes, and where a step's time goes.
int32_t summarize_profile(sdk::Call& call);
/// Which operators cost most.
int32_t top_operators(sdk::Call& call);

}  // namespace stepwise::overview
