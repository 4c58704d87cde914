#include "stepwise/comm_groups.hpp"

#include <algorithm>

#include "stepwise/tables.hpp"

namespace stepwise::sdk {
namespace {

namespace comm_op = table::comm_op;

constexpr int64_t kTransitThatCountsNs = 50'000;
constexpr double kTransitOfStep = 0.005;
constexpr size_t kRanksListed = 64;

std::string why_insufficient(const CommGroup& group, std::optional<int64_t> step_ns) {
  if (group.ranks.size() < 2) return "one_rank_at_hand";
  if (group.collectives == 0) return "no_common_collectives";
  if (group.largest_transit_ns < kTransitThatCountsNs) return "transit_below_50_us";
  if (!step_ns) return "no_step_time";
  if (static_cast<double>(group.largest_transit_ns) < kTransitOfStep * static_cast<double>(*step_ns)) {
    return "transit_below_0.5_percent_of_step";
  }
  return "";
}

double us(int64_t ns) { return static_cast<double>(ns) / 1000.0; }

}  // namespace

void CommGroups::add(const Operation& operation) {
  auto group = groups_.find(operation.group);
  if (group == groups_.end()) group = groups_.emplace(operation.group, ByRank()).first;
  auto& of_rank = group->second[operation.rank];
  if (!operation.is_collective) return;
  Times& times = of_rank[{operation.step, std::string(operation.name)}];
  times.transit_ns += operation.transit_ns;
  times.wait_ns += operation.wait_ns;
}

bool CommGroups::add_rank(Call& call, uint32_t rank, std::optional<int64_t> step) {
  const auto view = call.table(rank, comm_op::kTable);
  if (!view) return false;
  call.for_each_row(view->rows(), [&](uint64_t row) {
    const auto n = (*view)[comm_op::step].get(row);
    const auto id = (*view)[comm_op::group_id].get(row);
    if (!id || (step && n != step)) return;
    add({rank, *id, n, (*view)[comm_op::name][row], (*view)[comm_op::kind][row] == "collective",
         (*view)[comm_op::transit_ns][row], (*view)[comm_op::wait_ns][row]});
  });
  return true;
}

// Of the collectives that every rank has: the sums of each.
std::vector<CommGroups::Times> CommGroups::common_sums(const ByRank& by_rank, uint64_t& count) {
  std::vector<Times> sums(by_rank.size());
  count = 0;
  for (const auto& [collective, unused] : by_rank.begin()->second) {
    const bool everywhere =
        std::all_of(by_rank.begin(), by_rank.end(), [&](const auto& one) { return one.second.count(collective) > 0; });
    if (!everywhere) continue;
    ++count;
    size_t i = 0;
    for (const auto& [rank, collectives] : by_rank) {
      const Times& times = collectives.at(collective);
      sums[i].transit_ns += times.transit_ns;
      sums[i++].wait_ns += times.wait_ns;
    }
  }
  return sums;
}

CommGroup CommGroups::judge_one(const std::string& id, const ByRank& by_rank, std::optional<int64_t> step_ns) {
  CommGroup group;
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

std::vector<CommGroup> CommGroups::judge(std::optional<int64_t> step_ns) const {
  std::vector<CommGroup> out;
  for (const auto& [id, by_rank] : groups_) out.push_back(judge_one(id, by_rank, step_ns));
  std::stable_sort(out.begin(), out.end(),
                   [](const CommGroup& a, const CommGroup& b) { return a.longest_wait_ns > b.longest_wait_ns; });
  return out;
}

void write_fields(JsonWriter& w, const CommGroup& group) {
  w.field("group", group.id).key("ranks").begin_array();
  for (size_t r = 0; r < group.ranks.size() && r < kRanksListed; ++r) w.value(group.ranks[r]);
  w.end_array().field("rank_count", group.ranks.size()).field("collectives", group.collectives);
  w.field("r_wait", group.r_wait).key("insufficient");
  group.insufficient.empty() ? w.value(nullptr) : w.value(group.insufficient);
  w.field("late_rank", group.late_rank).field("longest_wait_us", us(group.longest_wait_ns));
  w.field("shortest_wait_us", us(group.shortest_wait_ns)).field("largest_transit_us", us(group.largest_transit_ns));
}

}  // namespace stepwise::sdk
