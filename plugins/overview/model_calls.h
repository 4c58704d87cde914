// What the timeline tells about graph executions and the copies around them, where api_statistic does not.
#pragma once

#include "host_calls.h"
#include "stepwise/sdk.hpp"

namespace stepwise::overview {

/// Fills what `calls` lacks: ModelExecute, InputCopy and OutputCopy by their own calls, else the copies by aclrtMemcpy
/// calls around the executions. Those are told apart only where it is plain which belong to which: at least two
/// executions on the thread, as many copies between each two, and not more than those behind the last. The last ones
/// before an execution bring its inputs (from the first one's start to the last one's end), the first ones behind it
/// its outputs (summed).
void add_model_calls(const sdk::Call& call, const sdk::TableView& runtime_api_table, HostCalls& calls);

}  // namespace stepwise::overview
