// GPU traces: host calls that wait for the device, or during which it ran nothing, by where in the program they stand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device_idle.h"
#include "stepwise/sdk.hpp"

namespace stepwise::overview {

inline constexpr double kBlockedOfTime = 0.05;

/// Calls of one name at one place. Texts are borrowed from the tables.
struct BlockingCall {
  std::string_view call;  // of the driver; aten::item and the like where the driver's calls were not recorded
  const char* kind = "";  // copy, synchronisation, read, allocation, launch, other
  std::optional<std::string_view> copied;      // the copy that it started, as the trace names it
  std::optional<std::string_view> op, within;  // innermost and outermost framework call or range around it
  std::optional<std::string_view> source;      // innermost Python frame with a line, outside PyTorch where there is one
  uint64_t count = 0;
  int64_t total_ns = 0, idle_ns = 0;  // sums of durations, and of the device's idle time meanwhile
  int64_t longest_ns = -1, longest_start_ns = 0;
  std::optional<int64_t> longest_step;
  int64_t row = 0;  // of the longest
};

struct BlockingCalls {
  std::vector<BlockingCall> groups;  // most idle time of the device first, then by total
  int64_t idle_ns = 0;               // of the device while any of them ran
  std::string file;
};

/// What blocks: driver calls with Synchronize in their name; copies that return only when the device has made them, or
/// to or from pageable memory; reads of a scalar in which no such call was recorded; any other driver call of 1 ms and
/// more (allocations, a full launch queue). Of nested ones the outermost. `step`: of that step alone. nullopt: the
/// trace has neither driver calls nor framework calls.
std::optional<BlockingCalls> blocking_calls(sdk::Call& call, uint32_t rank, const sdk::TableView& kernels,
                                            const DeviceIdle& idle, std::optional<int64_t> step);

/// Whether it is worth going after: the device idle for more than 5 % of `wall_ns` meanwhile.
bool blocks_much(const BlockingCalls& calls, int64_t wall_ns);

/// "`cudaMemcpyAsync` in `aten::copy_` of `## sparse_data_dist ##`"
std::string place_of(const BlockingCall& one);

/// "12.3 ms"
std::string in_ms(int64_t ns);

/// Of Python frames ("file.py(12): function"), innermost first, the one to look at: the first outside PyTorch that has
/// a line, else the first with a line. nullopt: none has.
std::optional<std::string_view> frame_to_look_at(const std::vector<std::string_view>& frames);

}  // namespace stepwise::overview
