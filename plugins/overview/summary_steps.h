// The steps of a GPU trace beside its whole: the mean step, and the steps that take longest.
#pragma once

#include <cstddef>
#include <optional>

#include "stepwise/sdk.hpp"
#include "summary.h"

namespace stepwise::overview {

/// How many steps a whole trace is of; nullopt: the summary is not of a whole trace with steps.
std::optional<size_t> steps_of_trace(const Summary& summary);

/// The keys `per_step` and `steps`; nothing where the summary is not of a whole trace with steps.
void write_each_step(sdk::JsonWriter& w, const Summary& summary);

/// The step by which a whole trace is best looked at: its slowest one where that is no typical step, else the one of
/// median time on the host. nullptr: none can be asked for.
const Step* step_to_look_at(const Summary& summary);

}  // namespace stepwise::overview
