// What the profiler said about communication groups: their ranks, what they are for, and a rank's place in them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stepwise/sdk.hpp"

namespace stepwise::cluster {

struct NamedGroup {
  std::vector<int64_t> ranks;  // global, in the group's own order
  std::string parallel;        // tp, pp, dp, mp, embd, default_group...; "": not said
};

/// A rank's index along each way of being parallel; null: not said.
struct RankPlace {
  std::optional<int64_t> tensor, pipeline, data;
  bool any() const { return tensor || pipeline || data; }
};

struct ParallelGroups {
  std::map<std::string, NamedGroup, std::less<>> by_id;  // by the hash that operations carry
  std::map<uint32_t, RankPlace> places;

  const NamedGroup* find(std::string_view id) const;
  RankPlace place(uint32_t rank) const;
};

/// From parallel_group_info of each rank's metadata, and from cluster files.
ParallelGroups read_parallel_groups(sdk::Call& call);

/// The hash by which operations call a group, from its name: two polynomials of 32 bits side by side.
std::string group_hash(std::string_view name);
/// All whole numbers in "[0, 2]" or "0,2".
std::vector<int64_t> numbers_in(std::string_view text);

}  // namespace stepwise::cluster
