// Communication groups over all ranks at hand.
#pragma once

#include <cstdint>
#include <optional>

#include "operations.h"
#include "stepwise/comm_groups.hpp"
#include "stepwise/sdk.hpp"

namespace stepwise::comm_overlap {

bool has_rank(const sdk::CommGroup& group, uint32_t rank);

/// The groups of all ranks' operations, to be judged. nullopt: no rank has communication.json.
std::optional<sdk::CommGroups> read_groups(sdk::Call& call, std::optional<int64_t> step);

/// Gives the first `count` operations of the list what the ranks' transfer tells of them.
/// `step_ns`: the wall time that the operations lie in; null: unknown.
void compare_operations(const sdk::CommGroups& groups, std::optional<int64_t> step_ns, size_t count,
                        Operations& operations);

}  // namespace stepwise::comm_overlap
