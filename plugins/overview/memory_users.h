// Which operators hold device memory, and how well they use the L2 cache.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "operator_groups.h"
#include "stepwise/sdk.hpp"

namespace stepwise::overview {

/// Blocks that an operator allocated on a device.
struct MemoryUser {
  std::string_view name;
  std::optional<std::string_view> device;
  uint64_t count = 0;
  int64_t bytes = 0, max_bytes = 0;  // of all blocks, of the largest
  int64_t released_ns = 0;           // durations of those that were released
  uint64_t released = 0, held = 0;   // held: allocated and not released while collecting
  int64_t held_bytes = 0;
  double byte_us = 0;  // size times duration, of those that were released
  int64_t row = 0;     // of the largest block
};
/// By size times duration, most first; ties by bytes and name.
std::vector<MemoryUser> memory_users(const sdk::Call& call, const sdk::TableView& memory_block_table);

/// Tasks of an operator with what the L2 cache did for them.
struct CacheUser {
  std::string_view name;
  uint64_t tasks = 0;
  std::optional<int64_t> total_ns;  // their kernels' durations; null: no kernel has their stream and task
  WeightedRatio hit, victim;        // each task counts alike
};
/// By time, longest first, those without behind; ties by tasks and name. Tasks without a hit ratio count in `tasks`.
std::vector<CacheUser> cache_users(const sdk::Call& call, const sdk::TableView& l2_cache_table,
                                   const std::optional<sdk::TableView>& kernels);

}  // namespace stepwise::overview
