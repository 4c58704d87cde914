// The steps of a rank from whatever of its files knows them.
#pragma once

#include <cstdint>
#include <optional>

#include "steps.h"
#include "stepwise/sdk.hpp"
#include "timed_steps.h"
#include "window.h"

namespace stepwise::overview {

struct StepsAtHand {
  TimedSteps timed;  // iterations that the profiler only timed
  std::optional<Steps> steps;
  std::optional<Window> device_rows;  // GPUs: what the breakdown is about
  std::optional<Window> each_step;    // GPUs, where no step is asked for: all of them, one by one
};

/// `kernels` may be absent. `asked` chooses the device rows of a GPU trace and nothing else.
StepsAtHand read_steps(sdk::Call& call, uint32_t rank, const std::optional<sdk::TableView>& kernels,
                       std::optional<int64_t> asked);

/// "It has: 1, 2." for a step that is not there; returns what the tool must return.
int32_t fail_unknown_step(sdk::Call& call, int64_t step, const std::optional<Steps>& steps);

}  // namespace stepwise::overview
