// How late each rank comes to its communication, against ranks that have the same to do, and what it did instead.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectives.h"
#include "parallel_groups.h"
#include "rank_figures.h"
#include "stepwise/sdk.hpp"

namespace stepwise::cluster {

enum class Cause : uint8_t { computing, copying, idle, began_later };
const char* to_string(Cause cause);

/// What a rank did more than the mean of its peers, over the window. Together they are its lateness.
struct More {
  double computing_ns = 0;
  double copying_ns = 0;      // beside neither computation nor communication
  double idle_ns = 0;         // nothing ran on the device
  double began_later_ns = 0;  // by which its steps are shorter: they end together

  double of(Cause cause) const;
  Cause largest() const;
};

struct Lateness {
  uint32_t rank = 0;
  std::optional<int64_t> pipeline;  // its stage; its peers are of the same
  size_t peers = 0;
  std::vector<uint32_t> compared;  // the rank itself and its peers, ascending; said by the latest of them alone
  double late_ns = 0;  // over the window: by how much its peers were longer in communication that nothing hides
  std::optional<double> waits_less_ns;  // in collectives, than the mean of its peers; null: not split, or not of all
  std::optional<double> ratio;          // of the window's wall time, the mean of all ranks
  /// Mean over steps of its latest arrival at a collective, against the mean of the collective's other ranks.
  std::optional<double> arrived_later_ns;
  bool is_late = false;
  More more;
  std::vector<std::pair<std::string, double>> operators;  // that take it longer, ns; most first, at most 3
};

/// It is late from these on: of the wall time of the window, and in all.
inline constexpr double kLateRatio = 0.005;
inline constexpr double kLateNs = 50'000;

/// Of ranks that matched collectives connect with others that have figures. Ranks of different pipeline stages, where
/// the profiler told them, have different things to do and are not compared. Late ones come first, latest first: of
/// those of different stages the one that waits least in collectives against its peers.
std::vector<Lateness> find_lateness(sdk::Call& call, const Figures& figures, const Matches& matches,
                                    const ParallelGroups& groups);

}  // namespace stepwise::cluster
