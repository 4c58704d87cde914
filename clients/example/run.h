// A run of all ranks: when each collective is released (the one thing that couples ranks), and one rank's timeline.
#pragma once

#include <cstdint>
#include <vector>

#include "clients/example/facts.h"
#include "clients/example/operators.h"
#include "clients/example/timeline.h"

namespace stepwise::example {

/// Instants at which the last rank arrived, in the order in which collectives are simulated.
using CollectiveSchedule = std::vector<int64_t>;

/// Simulates every rank of the world in lockstep.
CollectiveSchedule solve_schedule(const Facts& facts, const Catalog& catalog);

/// Tells the whole timeline of one rank to the sink. Repeating it tells the same.
void run_rank(const Facts& facts, const Catalog& catalog, const CollectiveSchedule& schedule, int rank,
              TimelineSink& sink);

}  // namespace stepwise::example
