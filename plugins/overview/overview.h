// The tools of this plugin.
#pragma once

#include "stepwise/sdk.hpp"

namespace stepwise::overview {

/// What the run is, how long an iteration takes, and where a step's time goes.
int32_t summarize_profile(sdk::Call& call);
/// Which operators cost most.
int32_t top_operators(sdk::Call& call);
/// Which operators run on the wrong core, use it badly, wait, or should not be there.
int32_t problem_operators(sdk::Call& call);
/// What the host's calls cost, and which are too many.
int32_t host_api(sdk::Call& call);
/// Peaks of device memory, who holds it, what is left.
int32_t memory(sdk::Call& call);

}  // namespace stepwise::overview
