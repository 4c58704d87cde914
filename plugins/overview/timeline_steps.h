// What a timeline tells of steps where it is all there is: how long the host took, and the profiler's overlap analysis.
#pragma once

#include <cstdint>
#include <optional>

#include "steps.h"
#include "stepwise/sdk.hpp"
#include "window.h"

namespace stepwise::overview {

/// By the host's ranges ProfilerStep#N, in order of their numbers; nothing is known of the device.
Steps steps_of_ranges(const sdk::Call& call, const sdk::TableView& step_range_table);

/// The whole run by the profiler's own overlap analysis, from the first device work to the last span. nullopt: it shows
/// no work. `only_step`: the run holds this step and no other, so that the window is the step's. `device_tasks` tell
/// what waits for a pipeline stage; may be absent.
std::optional<Window> window_of_overlap(const sdk::Call& call, const sdk::TableView& overlap_span_table,
                                        const std::optional<sdk::TableView>& device_tasks,
                                        std::optional<int64_t> only_step);

}  // namespace stepwise::overview
