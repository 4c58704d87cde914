// The two tools of this plugin.
#pragma once

#include <algorithm>
#include <cstddef>

#include "stepwise/sdk.hpp"

namespace stepwise::execution_mode {

/// How many lines of evidence an answer lists.
inline size_t evidence_limit(const sdk::Call& call) {
  constexpr int64_t kByDefault = 15;
  return static_cast<size_t>(std::clamp<int64_t>(call.args().integer("limit").value_or(kByDefault), 1, 1000));
}

/// Training or inference.
int32_t detect_scenario(sdk::Call& call);
/// Which graph or eager mode.
int32_t detect_execution_mode(sdk::Call& call);

}  // namespace stepwise::execution_mode
