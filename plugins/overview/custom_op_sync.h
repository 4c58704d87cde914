// Custom operators that wait for the device inside their own host range.
#pragma once

#include <optional>

#include "kernel_problems.h"
#include "stepwise/sdk.hpp"

namespace stepwise::overview {

/// Adds a group for each operator name and input shapes, and says whether the input can tell. `count` is calls of the
/// operator that wait, `total_ns` what the waits took (on the host, and on the device by event waits that it launched),
/// `value` waits per such call. Nested synchronisations count once.
void add_custom_op_syncs(sdk::Call& call, uint32_t rank, std::optional<int64_t> step, KernelProblems& out);

}  // namespace stepwise::overview
