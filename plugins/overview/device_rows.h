// GPU traces: where time goes by the rows of the device, and steps that the host only timed.
#pragma once

#include <cstdint>
#include <optional>

#include "steps.h"
#include "stepwise/sdk.hpp"
#include "window.h"

namespace stepwise::overview {

/// Whether the profile is a GPU trace: there a step is what the host timed, and the device's rows are split by class.
bool is_gpu(const sdk::Call& call);

/// Of all device rows, from the first start to the last end, or of those that one step launched. nullopt: there are
/// none.
std::optional<Window> window_of_device_rows(const sdk::Call& call, const sdk::TableView& kernels,
                                            std::optional<int64_t> step);

/// The steps one by one: each of the device rows that it launched, from the first start to the last end. nullopt: no
/// row belongs to a step.
std::optional<Window> window_of_each_step(const sdk::Call& call, const sdk::TableView& kernels);

/// Steps with the host's wall time, each with the computing time of what it launched. `kernels` may be absent.
Steps steps_of_host(const sdk::Call& call, const sdk::TableView& step_table,
                    const std::optional<sdk::TableView>& kernels);

}  // namespace stepwise::overview
