// The tools of this plugin.
#pragma once

#include "stepwise/sdk.hpp"

namespace stepwise::recsys_stages {

/// Where a training step's time goes, in six stages.
int32_t stage_breakdown(sdk::Call& call);
/// A step's framework calls merged by path, by total time.
int32_t ir_tree(sdk::Call& call);
/// What of a training step runs beside what: pairs of stages, fetches ahead of their step, waits.
int32_t stage_async(sdk::Call& call);
/// The stages of given stretches of device time, and of what makes host and device wait: for other tools.
int32_t stage_alignment(sdk::Call& call);

}  // namespace stepwise::recsys_stages
