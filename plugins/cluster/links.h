// Links between ranks: how much went over each, how fast, and which are slow for what they are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parallel_groups.h"
#include "rank_figures.h"
#include "stepwise/sdk.hpp"

namespace stepwise::cluster {

/// Slow: below this share of the median of links of its transport and size class...
inline constexpr double kSlowLink = 0.80;
/// ... where that many links are to be compared, and enough went over them for a rate to mean something.
inline constexpr size_t kLinksToCompare = 3;
inline constexpr int64_t kBytesToCompare = 1'000'000;

struct Link {
  int64_t src = 0, dst = 0;
  std::string group;  // whose numbers src and dst are; "": global ranks
  std::string transport;
  int64_t bytes = 0, transit_ns = 0;
  std::optional<double> median_gb_s;  // of its class; null: nothing to compare with

  std::optional<double> gb_s() const;
  /// Of the median. null: no rate, or nothing to compare with.
  std::optional<double> of_median() const;
  bool is_slow() const { return of_median() && *of_median() < kSlowLink; }
};

struct Links {
  std::vector<Link> list;  // between two ranks; slowest for its class first, then what cannot be compared
  uint64_t local = 0;      // of a rank to itself, left out
};

/// From each rank's communication_matrix.json; of ranks without, from the cluster's. nullopt: nobody has one.
std::optional<Links> read_links(sdk::Call& call, const Figures& figures, const ParallelGroups& groups);

}  // namespace stepwise::cluster
