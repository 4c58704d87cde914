// Why a step takes longer than the sum of its operators.
#pragma once

#include <cstdint>
#include <optional>

#include "steps.h"
#include "stepwise/sdk.hpp"
#include "window.h"

namespace stepwise::overview {

/// Sums over the window's steps; gap = communication + copies + between + outside + parallel + rounding, to the ns.
struct StepGap {
  int64_t wall_ns = 0, operator_ns = 0;
  int64_t communication_ns = 0;  // that no computation hides
  int64_t copy_ns = 0;           // GPUs: copies beside neither; elsewhere they lie in free time
  int64_t between_ns = 0;        // the device ran nothing between two kernels of the step
  int64_t outside_ns = 0;        // before the first or after the last kernel: the host, or work that was not collected
  int64_t parallel_ns = 0;       // computing minus operators: below 0 by what ran at the same time
  int64_t rounding_ns = 0;       // of the file
  int64_t gap_ns() const { return wall_ns - operator_ns; }
};

/// nullopt: the kernels' steps are not those of the window, so that nothing tells gaps between them.
std::optional<StepGap> step_gap(const sdk::Call& call, const Window& window, const sdk::TableView& kernel_table,
                                int64_t operator_ns);

/// The same of a GPU trace: `window` has the steps as the host timed them, `device` what each launched. nullopt: one of
/// the steps launched nothing that was recorded.
std::optional<StepGap> step_gap_of_device_rows(const Window& window, const Window& device, int64_t operator_ns);

}  // namespace stepwise::overview
