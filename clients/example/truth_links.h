// What cluster_summary must answer about an example's links.
#pragma once

#include <vector>

#include "clients/example/facts.h"
#include "clients/example/tally.h"
#include "core/base/json.h"

namespace stepwise::example {

/// One tally for each rank. `slow_link` is the planted one with its share of the other links' bandwidth, or null;
/// `links` are all between two ranks, as the simulation moved data over them.
Json true_links(const Facts& facts, const std::vector<Tally>& tallies);

}  // namespace stepwise::example
