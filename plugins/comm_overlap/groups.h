// Communication groups over all ranks at hand: do all of a group's ranks transfer equally long, and who comes late?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stepwise/sdk.hpp"

namespace stepwise::comm_overlap {

struct Group {
  std::string id;
  std::vector<uint32_t> ranks;   // ascending; those at hand
  uint64_t collectives = 0;      // that all of them have
  std::optional<double> r_wait;  // 1 - mean / largest of the ranks' transfer times
  std::string insufficient;      // why r_wait is null
  std::optional<uint32_t> late_rank;
  int64_t largest_transit_ns = 0, longest_wait_ns = 0, shortest_wait_ns = 0;  // of a rank, over those collectives
};

/// `step_ns`: the wall time that the operations looked at lie in; null: unknown. nullopt: no rank has
/// communication.json.
std::optional<std::vector<Group>> find_groups(sdk::Call& call, std::optional<int64_t> step,
                                              std::optional<int64_t> step_ns);

}  // namespace stepwise::comm_overlap
