#include "groups.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace stepwise::comm_overlap {

bool has_rank(const sdk::CommGroup& group, uint32_t rank) {
  return std::binary_search(group.ranks.begin(), group.ranks.end(), rank);
}

std::optional<sdk::CommGroups> read_groups(sdk::Call& call, std::optional<int64_t> step) {
  sdk::CommGroups groups;
  bool any = false;
  for (const uint32_t rank : call.args().all_ranks()) any = groups.add_rank(call, rank, step) || any;
  if (!any) return std::nullopt;
  return groups;
}

void compare_operations(const sdk::CommGroups& groups, std::optional<int64_t> step_ns, size_t count,
                        Operations& operations) {
  const size_t shown = std::min(count, operations.list.size());
  std::map<std::string, std::set<std::string>> names;
  for (size_t i = 0; i < shown; ++i) {
    const Operation& one = operations.list[i];
    if (one.group) names[*one.group].insert(one.name);
  }
  std::map<std::string, std::map<std::string, sdk::CommGroup, std::less<>>> judged;
  for (const auto& [group, of_group] : names) judged[group] = groups.judge_each(group, of_group, step_ns);
  for (size_t i = 0; i < shown; ++i) {
    Operation& one = operations.list[i];
    if (!one.group) continue;
    const auto& of_group = judged[*one.group];
    const auto it = of_group.find(one.name);
    if (it == of_group.end()) continue;
    one.r_wait = it->second.r_wait;
    one.insufficient = it->second.insufficient;
  }
}

}  // namespace stepwise::comm_overlap
