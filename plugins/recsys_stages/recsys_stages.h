// The tool of this plugin.
#pragma once

#include "stepwise/sdk.hpp"

namespace stepwise::recsys_stages {

/// Where a training step's time goes, in six stages.
int32_t stage_breakdown(sdk::Call& call);

}  // namespace stepwise::recsys_stages
