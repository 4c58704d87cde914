#include "groups.h"

#include <algorithm>

namespace stepwise::comm_overlap {

bool has_rank(const sdk::CommGroup& group, uint32_t rank) {
  return std::binary_search(group.ranks.begin(), group.ranks.end(), rank);
}

std::optional<std::vector<sdk::CommGroup>> find_groups(sdk::Call& call, std::optional<int64_t> step,
                                                       std::optional<int64_t> step_ns) {
  sdk::CommGroups groups;
  bool any = false;
  for (const uint32_t rank : call.args().all_ranks()) any = groups.add_rank(call, rank, step) || any;
  if (!any) return std::nullopt;
  return groups.judge(step_ns);
}

}  // namespace stepwise::comm_overlap
