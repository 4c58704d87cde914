// Equal numbers for equal sequences: windows and chains of each length, named from those of the length before.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "repeats.h"

namespace stepwise::graph_fusion {

inline constexpr int32_t kUnnamed = -1;  // occurs too rarely, or is not there

/// All sequences of one length.
struct NamesOfLength {
  std::vector<int32_t> window;      // of the window that starts there
  std::vector<int32_t> chain;       // of the chain that starts there, unless it is a window
  std::vector<uint32_t> frequency;  // by name: windows and chains, connected or not
};

/// by_length[k] is of length k + 1; shorter than max_length where nothing longer occurs min_count times.
std::vector<NamesOfLength> name_sequences(const Sequence& sequence, const RepeatOptions& options, uint64_t& steps,
                                          const std::function<bool()>& is_cancelled);

/// Bit k: the window of length k + 1 that starts there is connected.
std::vector<uint64_t> connected_lengths(const Sequence& sequence, uint32_t max_length, uint64_t& steps);

}  // namespace stepwise::graph_fusion
