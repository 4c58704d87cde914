// Communication groups over all ranks at hand.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "stepwise/comm_groups.hpp"
#include "stepwise/sdk.hpp"

namespace stepwise::comm_overlap {

/// `step_ns`: the wall time that the operations looked at lie in; null: unknown. nullopt: no rank has
/// communication.json.
bool has_rank(const sdk::CommGroup& group, uint32_t rank);

std::optional<std::vector<sdk::CommGroup>> find_groups(sdk::Call& call, std::optional<int64_t> step,
                                                       std::optional<int64_t> step_ns);

}  // namespace stepwise::comm_overlap
