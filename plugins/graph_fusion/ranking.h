// Which repeats come first, and which only show another cut of the same place.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph.h"
#include "kernel_times.h"
#include "repeats.h"

namespace stepwise::graph_fusion {

struct RankedRepeat {
  Repeat repeat;
  std::optional<int64_t> total_ns;              // of the disjoint instances; null: no operator of it has a time
  std::vector<std::optional<int64_t>> each_ns;  // by instance
  std::optional<size_t> variant_of;             // an earlier row in which most of its operators lie
};

struct Ranking {
  std::vector<RankedRepeat> rows;
  uint64_t operators_in_repeats = 0;
  std::optional<int64_t> repeats_ns;  // of those operators, each once; null without times
};

/// node_at: position in the sequence -> node. Ranked by time, else by how many operators the instances hold; variants
/// stand after all others.
Ranking rank_repeats(std::vector<Repeat> repeats, const Sequence& sequence, const std::vector<uint32_t>& node_at,
                     const OperatorTimes* times);

}  // namespace stepwise::graph_fusion
