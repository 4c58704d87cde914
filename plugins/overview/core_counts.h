// How many cores a kernel of each core type can use.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "stepwise/sdk.hpp"

namespace stepwise::overview {

enum class CoreSide : uint8_t { cube, vector };
/// Which cores a core type's Block Dim counts. nullopt: neither (AI_CPU, DSA_SQE, communication).
std::optional<CoreSide> side_of(std::string_view core_type);

struct CoreCount {
  std::optional<int64_t> of_chip;  // as the profiler wrote it
  std::optional<int64_t> seen;     // the largest Block Dim of a kernel that can be a number of cores
  /// What a share of the cores is reckoned from; what was seen is a lower bound, so the share an upper one.
  std::optional<int64_t> cores() const { return of_chip ? of_chip : seen; }
};

struct CoreCounts {
  CoreCount cube, vector;
  std::map<std::string, int64_t, std::less<>> largest_block_dim;  // by core type, as the file has it
  const CoreCount& of(CoreSide side) const { return side == CoreSide::cube ? cube : vector; }
};

/// `meta_table` may be absent: then only what kernels used is known. Block Dims of communication don't count, nor, for
/// `seen`, those that no chip has: more than 64. The cube cores that were seen bound the vector cores by nothing, since
/// they are a lower bound themselves.
CoreCounts core_counts(const sdk::Call& call, const sdk::TableView& kernel_table,
                       const std::optional<sdk::TableView>& meta_table);

}  // namespace stepwise::overview
