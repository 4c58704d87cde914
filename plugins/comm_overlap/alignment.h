// In which stage of the training step what comm_overlap found lies, as the tool for stages tells.
#pragma once

#include "answer.h"

namespace stepwise::comm_overlap {

/// Gives the answer's rows their stages, and its sources of waiting. Without host calls in the profile rows have none,
/// and sources are the driver's synchronizations as its statistic counts them. False: the call failed or was cancelled.
bool align_with_stages(sdk::Call& call, Answer& answer);

}  // namespace stepwise::comm_overlap
