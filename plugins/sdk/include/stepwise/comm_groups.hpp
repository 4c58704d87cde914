// Communication groups over the ranks at hand: do all of a group's ranks transfer equally long, and who comes late?
// Not part of sdk.hpp: for tools that compare ranks. One thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stepwise/call.hpp"

namespace stepwise::sdk {

/// A shorter wait than this says nothing: waiting for microseconds is how operations meet.
inline constexpr int64_t kWaitThatCountsNs = 50'000;

struct CommGroup {
  std::string id;
  std::vector<uint32_t> ranks;   // ascending; those at hand
  uint64_t collectives = 0;      // that all of them have
  std::optional<double> r_wait;  // 1 - mean / largest of the ranks' transfer times
  std::string insufficient;      // why r_wait is null
  std::optional<uint32_t> late_rank;
  int64_t largest_transit_ns = 0, longest_wait_ns = 0, shortest_wait_ns = 0;  // of a rank, over those collectives

  /// Whether anything was matched between ranks: without, the times above tell nothing.
  bool compares_ranks() const { return ranks.size() > 1 && collectives > 0; }
};

class CommGroups {
 public:
  /// One operation as one rank of the group saw it; texts are copied.
  struct Operation {
    uint32_t rank = 0;
    std::string_view group;
    std::optional<int64_t> step;
    std::string_view name;
    bool is_collective = true;
    int64_t transit_ns = 0, wait_ns = 0;
  };
  void add(const Operation& operation);
  /// All of the rank's own operations, or those of the step. False: it has no communication.json.
  bool add_rank(Call& call, uint32_t rank, std::optional<int64_t> step);

  /// `step_ns`: the wall time that the operations lie in; null: unknown. What waiting costs most comes first.
  std::vector<CommGroup> judge(std::optional<int64_t> step_ns) const;
  /// The same for single collectives of a group: of each name, its executions that all of the group's ranks have. A
  /// group of which no rank at hand has an operation gives none, names without a common execution
  /// no_common_collectives.
  std::map<std::string, CommGroup, std::less<>> judge_each(std::string_view group, const std::set<std::string>& names,
                                                           std::optional<int64_t> step_ns) const;

 private:
  struct Times {
    int64_t transit_ns = 0, wait_ns = 0;
  };
  // A collective is the same one on all ranks by its step and name.
  using Collective = std::pair<std::optional<int64_t>, std::string>;
  using ByRank = std::map<uint32_t, std::map<Collective, Times>>;

  /// Of collectives that every rank has: how many, and each rank's sums, by rank.
  struct Common {
    uint64_t count = 0;
    std::vector<Times> sums;
    void add(const std::vector<const Times*>& times);
  };

  template <class Visit>
  static void for_each_common(const ByRank& by_rank, Visit visit);
  static CommGroup sum_up(const std::string& id, const ByRank& by_rank, const Common& common);
  static void decide(CommGroup& group, const Common& common, int64_t domain_transit_ns, std::optional<int64_t> step_ns);
  static CommGroup judge_one(const std::string& id, const ByRank& by_rank, std::optional<int64_t> step_ns);

  std::map<std::string, ByRank, std::less<>> groups_;
};

/// The group's members, into an object that is open; ranks are listed up to 64 of rank_count, times that nothing was
/// matched for are null.
void write_fields(JsonWriter& w, const CommGroup& group);

}  // namespace stepwise::sdk
