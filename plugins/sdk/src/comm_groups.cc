#include "stepwise/comm_groups.hpp"

#include <algorithm>

#include "stepwise/intervals.hpp"
#include "stepwise/tables.hpp"

namespace stepwise::sdk {
namespace {

namespace comm_op = table::comm_op;

constexpr int64_t kTransitThatCountsNs = 50'000;
constexpr double kTransitOfStep = 0.005;
constexpr size_t kRanksListed = 64;

// `domain_transit_ns`: the largest of a rank over all collectives of the group, which a step is compared with.
std::string why_insufficient(const CommGroup& group, int64_t domain_transit_ns, std::optional<int64_t> step_ns) {
  if (group.ranks.size() < 2) return "one_rank_at_hand";
  if (group.collectives == 0) return "no_common_collectives";
  if (group.largest_transit_ns < kTransitThatCountsNs) return "transit_below_50_us";
  if (!step_ns) return "no_step_time";
  if (static_cast<double>(domain_transit_ns) < kTransitOfStep * static_cast<double>(*step_ns)) {
    return "transit_below_0.5_percent_of_step";
  }
  return "";
}

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

// visit(collective, times of each rank by rank) for each collective that every rank has.
template <class Visit>
void CommGroups::for_each_common(const ByRank& by_rank, Visit visit) {
  std::vector<const Times*> times;
  for (const auto& [collective, unused] : by_rank.begin()->second) {
    times.clear();
    for (const auto& [rank, collectives] : by_rank) {
      const auto it = collectives.find(collective);
      if (it == collectives.end()) break;
      times.push_back(&it->second);
    }
    if (times.size() == by_rank.size()) visit(collective, times);
  }
}

void CommGroups::Common::add(const std::vector<const Times*>& times) {
  sums.resize(times.size());
  ++count;
  for (size_t i = 0; i < times.size(); ++i) {
    sums[i].transit_ns += times[i]->transit_ns;
    sums[i].wait_ns += times[i]->wait_ns;
  }
}

CommGroup CommGroups::sum_up(const std::string& id, const ByRank& by_rank, const Common& common) {
  CommGroup group;
  group.id = id;
  group.collectives = common.count;
  for (const auto& [rank, collectives] : by_rank) group.ranks.push_back(rank);
  const std::vector<Times>& sums = common.sums;
  size_t least = 0;
  for (size_t i = 0; i < sums.size(); ++i) {
    group.largest_transit_ns = std::max(group.largest_transit_ns, sums[i].transit_ns);
    group.longest_wait_ns = std::max(group.longest_wait_ns, sums[i].wait_ns);
    if (sums[i].wait_ns < sums[least].wait_ns) least = i;
  }
  if (!sums.empty()) group.shortest_wait_ns = sums[least].wait_ns;
  // The others wait for the one that comes last, so it waits least; only a difference that is no noise names it.
  if (group.longest_wait_ns - group.shortest_wait_ns >= kWaitThatCountsNs) group.late_rank = group.ranks[least];
  return group;
}

void CommGroups::decide(CommGroup& group, const Common& common, int64_t domain_transit_ns,
                        std::optional<int64_t> step_ns) {
  group.insufficient = why_insufficient(group, domain_transit_ns, step_ns);
  if (!group.insufficient.empty()) return;
  double total_transit_ns = 0;
  for (const Times& one : common.sums) total_transit_ns += static_cast<double>(one.transit_ns);
  const double mean_ns = total_transit_ns / static_cast<double>(common.sums.size());
  group.r_wait = 1 - mean_ns / static_cast<double>(group.largest_transit_ns);
}

CommGroup CommGroups::judge_one(const std::string& id, const ByRank& by_rank, std::optional<int64_t> step_ns) {
  Common common;
  for_each_common(by_rank, [&common](const Collective&, const auto& times) { common.add(times); });
  CommGroup group = sum_up(id, by_rank, common);
  decide(group, common, group.largest_transit_ns, step_ns);
  return group;
}

std::map<std::string, CommGroup, std::less<>> CommGroups::judge_each(std::string_view id,
                                                                     const std::set<std::string>& names,
                                                                     std::optional<int64_t> step_ns) const {
  std::map<std::string, CommGroup, std::less<>> out;
  const auto group = groups_.find(id);
  if (group == groups_.end()) return out;
  Common domain;
  std::map<std::string, Common> by_name;
  for (const std::string& name : names) by_name[name];
  for_each_common(group->second, [&](const Collective& collective, const auto& times) {
    domain.add(times);
    const auto it = by_name.find(collective.second);
    if (it != by_name.end()) it->second.add(times);
  });
  const int64_t domain_transit_ns = sum_up(group->first, group->second, domain).largest_transit_ns;
  for (const auto& [name, common] : by_name) {
    CommGroup& one = out.emplace(name, sum_up(group->first, group->second, common)).first->second;
    decide(one, common, domain_transit_ns, step_ns);
  }
  return out;
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
  w.field("late_rank", group.late_rank);
  const auto of_ranks = [&](const char* key, int64_t ns) {
    w.key(key);
    group.compares_ranks() ? w.value(us_of(ns)) : w.value(nullptr);
  };
  of_ranks("longest_wait_us", group.longest_wait_ns);
  of_ranks("shortest_wait_us", group.shortest_wait_ns);
  of_ranks("largest_transit_us", group.largest_transit_ns);
}

}  // namespace stepwise::sdk
