// What find_stragglers must answer about an example: who is late, by how much, and what is behind it.
#pragma once

#include <vector>

#include "clients/example/facts.h"
#include "clients/example/tally.h"
#include "core/base/json.h"

namespace stepwise::example {

/// One tally for each rank. `planted_us` is what the late rank's data loader takes longer in each step: the cause.
/// `rows` are what that does to the communication, as the tool measures it.
Json true_stragglers(const Facts& facts, const std::vector<Tally>& tallies);

}  // namespace stepwise::example
