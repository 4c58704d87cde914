// Sequences of operator types that occur more than once in a graph's order.
//
// An instance is a window of the order whose operators are connected by data edges, or a chain: operators each of which
// feeds the next one only, wherever they stand. Sequences are named by (name of the sequence without its last operator,
// type of that operator), length by length, so the work is linear in operators x longest length.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace stepwise::graph_fusion {

inline constexpr uint32_t kMaxRepeatLength = 64;  // one bit each of a mask

struct Sequence {
  std::vector<int32_t> types;                  // of the operator at each position
  std::vector<std::vector<uint32_t>> earlier;  // positions before it that a data edge connects it with, ascending
  std::vector<int64_t> only_consumer;          // position; -1: none, several, or one that is no operator
  bool has_edges = true;                       // false: any window is an instance
};

struct RepeatOptions {
  uint32_t min_length = 2, max_length = 20, min_count = 2;
};

struct Instance {
  uint32_t start;
  bool is_chain;  // its operators are start, only_consumer[start]...; else start, start + 1...
};

struct Repeat {
  uint32_t length = 0;
  uint64_t count_overlapping = 0;
  std::vector<Instance> instances;  // disjoint, greedily from the left
};

struct RepeatResult {
  std::vector<Repeat> repeats;  // closed: none lies in a longer one with the same instances
  uint64_t steps = 0;           // of the algorithm's inner loops
};

/// is_cancelled is asked now and then; the result is of no use after it said yes.
RepeatResult find_repeats(const Sequence& sequence, const RepeatOptions& options,
                          const std::function<bool()>& is_cancelled);

/// Positions of an instance's operators.
std::vector<uint32_t> positions_of(const Sequence& sequence, const Instance& instance, uint32_t length);

}  // namespace stepwise::graph_fusion
