// How long a kernel's device ran nothing before it: the gap to the work before, minus communication in it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernel_steps.h"
#include "stepwise/sdk.hpp"

namespace stepwise::overview {

struct ExposedWait {
  int64_t wait_ns = 0;          // 0: the device was busy, or this is the step's first kernel
  int64_t previous_end_ns = 0;  // when the work before ended
};

/// One for each row of the kernel table; communication and rows that are left out have 0. The work before is that of
/// the same step (of the whole run, where nothing tells steps), on all streams, without communication.
std::vector<ExposedWait> exposed_waits(const sdk::Call& call, const sdk::TableView& kernel_table,
                                       const KernelSteps& steps, std::optional<int64_t> only_step);

}  // namespace stepwise::overview
