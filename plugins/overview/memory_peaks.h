// How much device memory was in use at most, by whom, and what a compiled graph plans.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "stepwise/sdk.hpp"

namespace stepwise::overview {

/// Of one component of the software on one device. The largest of each; they need not have been at one instant.
struct MemoryPeak {
  std::optional<std::string_view> device;
  std::string_view component;
  std::optional<int64_t> allocated_bytes, reserved_bytes, active_bytes;
  std::optional<int64_t> reserved_at_ns;  // of the first sample with the most reserved
  /// Reserved that no stream ever used at once.
  std::optional<int64_t> reserved_minus_active_bytes() const {
    if (!reserved_bytes || !active_bytes) return std::nullopt;
    return *reserved_bytes - *active_bytes;
  }
  uint64_t samples = 0;
  int64_t row = 0;
};
/// By reserved, most first; ties by device and component.
std::vector<MemoryPeak> memory_peaks(const sdk::Call& call, const sdk::TableView& memory_table);
/// The driver's components that reserved any memory.
std::vector<MemoryPeak> module_peaks(const sdk::Call& call, const sdk::TableView& module_memory_table);

/// What a compiled graph plans: at most at any of its nodes.
struct PlannedMemory {
  std::optional<std::string_view> model;
  std::optional<int64_t> graph_id;
  uint64_t operators = 0;
  std::optional<int64_t> peak_bytes;  // null: the nodes that need a block are not told
};
std::vector<PlannedMemory> planned_memory(const sdk::Call& call, const sdk::TableView& static_memory_table);

}  // namespace stepwise::overview
