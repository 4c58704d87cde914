// Communication groups over the ranks at hand: do all of a group's ranks transfer equally long, and who comes late?
// Not part of sdk.hpp: for tools that compare ranks. One thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
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

 private:
  struct Times {
    int64_t transit_ns = 0, wait_ns = 0;
  };
  // A collective is the same one on all ranks by its step and name.
  using Collective = std::pair<std::optional<int64_t>, std::string>;
  using ByRank = std::map<uint32_t, std::map<Collective, Times>>;

  static std::vector<Times> common_sums(const ByRank& by_rank, uint64_t& count);
  static CommGroup judge_one(const std::string& id, const ByRank& by_rank, std::optional<int64_t> step_ns);

  std::map<std::string, ByRank, std::less<>> groups_;
};

/// The group's members, into an object that is open; ranks are listed up to 64 of rank_count.
void write_fields(JsonWriter& w, const CommGroup& group);

}  // namespace stepwise::sdk
