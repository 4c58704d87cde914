// The two tools of this plugin.
#pragma once

#include "stepwise/sdk.hpp"

namespace stepwise::execution_mode {

/// Training or inference.
int32_t detect_scenario(sdk::Call& call);
/// Which graph or eager mode.
int32_t detect_execution_mode(sdk::Call& call);

}  // namespace stepwise::execution_mode
