// A run of all ranks: when each collective is released (the one thing that couples ranks), and one rank's timeline.
#pragma once

#include <cstdint>
#include <vector>

#include "clients/example/facts.h"
#include "clients/example/model.h"
#include "clients/example/timeline.h"

namespace stepwise::example {

/// By communicator (its id): the instants at which the last rank arrived, one for each of its collectives.
using CollectiveSchedule = std::vector<std::vector<int64_t>>;

/// Simulates every rank of the world, each as far as the others let it.
CollectiveSchedule solve_schedule(const Facts& facts, const Model& model);

/// Tells the whole timeline of one rank to the sink. Repeating it tells the same.
void run_rank(const Facts& facts, const Model& model, const CollectiveSchedule& schedule, int rank, TimelineSink& sink);

}  // namespace stepwise::example
