#include "groups.h"

#include <algorithm>
#include <map>

#include "operations.h"

namespace stepwise::comm_overlap {
namespace {

namespace comm_op = table::comm_op;
using sdk::Call;

constexpr int64_t kTransitThatCountsNs = 50'000;
constexpr double kTransitOfStep = 0.005;

// A collective is the same one on all ranks by its step and name.
using Collective = std::pair<std::optional<int64_t>, std::string>;
using Collectives = std::map<Collective, Times>;
using ByRank = std::map<uint32_t, Collectives>;

bool read_rank(Call& call, uint32_t rank, std::optional<int64_t> step, std::map<std::string, ByRank>& groups) {
  const auto view = call.table(rank, comm_op::kTable);
  if (!view) return false;
  call.for_each_row(view->rows(), [&](uint64_t row) {
    const auto n = (*view)[comm_op::step].get(row);
    const auto id = (*view)[comm_op::group_id].get(row);
    if (!id || (step && n != step)) return;
    Collectives& of_rank = groups[std::string(*id)][rank];
    if ((*view)[comm_op::kind][row] != "collective") return;
    of_rank[{n, std::string((*view)[comm_op::name][row])}].add(
        {(*view)[comm_op::transit_ns][row], (*view)[comm_op::wait_ns][row], 0, 0});
  });
  return true;
}

// Of the collectives that every rank has: the sums of each.
std::vector<Times> common_sums(const ByRank& by_rank, uint64_t& count) {
  std::vector<Times> sums(by_rank.size());
  count = 0;
  for (const auto& [collective, unused] : by_rank.begin()->second) {
    const bool everywhere =
        std::all_of(by_rank.begin(), by_rank.end(), [&](const auto& one) { return one.second.count(collective) > 0; });
    if (!everywhere) continue;
    ++count;
    size_t i = 0;
    for (const auto& [rank, collectives] : by_rank) sums[i++].add(collectives.at(collective));
  }
  return sums;
}

std::string why_insufficient(const Group& group, std::optional<int64_t> step_ns) {
  if (group.ranks.size() < 2) return "one_rank_at_hand";
  if (group.collectives == 0) return "no_common_collectives";
  if (group.largest_transit_ns < kTransitThatCountsNs) return "transit_below_50_us";
  if (!step_ns) return "no_step_time";
  if (static_cast<double>(group.largest_transit_ns) < kTransitOfStep * static_cast<double>(*step_ns)) {
    return "transit_below_0.5_percent_of_step";
  }
  return "";
}

Group judge(const std::string& id, const ByRank& by_rank, std::optional<int64_t> step_ns) {
  Group group;
  group.id = id;
  for (const auto& [rank, collectives] : by_rank) group.ranks.push_back(rank);
  const std::vector<Times> sums = common_sums(by_rank, group.collectives);
  double total_transit_ns = 0;
  size_t least = 0;
  for (size_t i = 0; i < sums.size(); ++i) {
    total_transit_ns += static_cast<double>(sums[i].transit_ns);
    group.largest_transit_ns = std::max(group.largest_transit_ns, sums[i].transit_ns);
    group.longest_wait_ns = std::max(group.longest_wait_ns, sums[i].wait_ns);
    if (sums[i].wait_ns < sums[least].wait_ns) least = i;
  }
  group.shortest_wait_ns = sums[least].wait_ns;
  // The others wait for the one that comes last, so it waits least; only a difference that is no noise names it.
  if (group.longest_wait_ns - group.shortest_wait_ns >= kWaitThatCountsNs) group.late_rank = group.ranks[least];
  group.insufficient = why_insufficient(group, step_ns);
  if (group.insufficient.empty()) {
    const double mean_ns = total_transit_ns / static_cast<double>(sums.size());
    group.r_wait = 1 - mean_ns / static_cast<double>(group.largest_transit_ns);
  }
  return group;
}

}  // namespace

std::optional<std::vector<Group>> find_groups(Call& call, std::optional<int64_t> step, std::optional<int64_t> step_ns) {
  std::map<std::string, ByRank> groups;
  bool any = false;
  for (const uint32_t rank : call.args().all_ranks()) any = read_rank(call, rank, step, groups) || any;
  if (!any) return std::nullopt;
  std::vector<Group> out;
  for (const auto& [id, by_rank] : groups) out.push_back(judge(id, by_rank, step_ns));
  // What waiting costs most comes first.
  std::stable_sort(out.begin(), out.end(),
                   [](const Group& a, const Group& b) { return a.longest_wait_ns > b.longest_wait_ns; });
  return out;
}

}  // namespace stepwise::comm_overlap
