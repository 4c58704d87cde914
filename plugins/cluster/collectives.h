// Collectives that several ranks took part in, found as the same ones in each rank's own files, and what they tell of
// the ranks' clocks: a collective ends for all of its ranks at once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rank_figures.h"
#include "stepwise/sdk.hpp"

namespace stepwise::cluster {

/// The collectives of one communication group that all of its ranks at hand have.
struct Domain {
  std::string id;                                  // the group's hash; "": all ranks (kernels do not tell groups)
  std::vector<uint32_t> ranks;                     // ascending, at least two
  std::vector<std::vector<Interval>> collectives;  // of each rank: the same ones at the same place, by time
  std::vector<Step> steps;                         // of each collective

  uint64_t count() const { return collectives.front().size(); }
};

struct Clocks {
  std::map<uint32_t, int64_t> offset_ns;   // to add to the reference's clock; absent: no match connects the rank
  std::map<uint32_t, uint32_t> reference;  // the lowest rank that matches lead to
  std::optional<double> end_spread_ns;     // median over collectives: how far the aligned ends lie apart
};

struct Matches {
  std::vector<Domain> domains;           // by id
  std::vector<std::string> disagreeing;  // ids of groups whose ends do not fit together: not the same collectives
  const char* source = "";               // communication_file, kernels
  Clocks clocks;
};

/// Ends further apart than this belong to different collectives, whatever their names are.
inline constexpr int64_t kEndsAgreeNs = 1'000'000;

/// From communication.json (of ranks without, the cluster's file); where no rank has operations, from the kernel rows
/// of communication, matched by name and order.
Matches match_collectives(sdk::Call& call, const Figures& figures);

}  // namespace stepwise::cluster
