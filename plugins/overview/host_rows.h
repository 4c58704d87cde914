// Host calls summed by name: the driver stack by level, and the framework's operators; in integer ns.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "device_idle.h"
#include "stepwise/sdk.hpp"

namespace stepwise::overview {

struct HostRow {
  std::string_view name;   // borrowed from the table
  std::string_view level;  // acl, model, node, runtime, communication, framework
  uint64_t count = 0;
  int64_t total_ns = 0;
  std::optional<int64_t> max_ns, self_ns;  // self: without the calls inside; only of the framework
  std::optional<int64_t> device_idle_ns;   // GPUs: of total, what the device ran nothing in
  std::string_view file{};
  int64_t row = 0;  // of the longest call, or of the sum that the profiler wrote
};

/// The level of a call in the timeline, by the process' part of the stack that its name begins with (AscendCL@, Node@).
std::string_view level_of(std::optional<std::string_view> category);
/// The call itself: `AscendCL@aclrtMalloc` without what stands before the @.
std::string_view bare_name(std::string_view name);

/// As the profiler summed them.
std::vector<HostRow> rows_of_statistic(const sdk::Call& call, const sdk::TableView& api_stat_table);
/// From the timeline's calls of the driver, of one step or of all. `idle`: of a GPU; nullptr: not to be told.
std::vector<HostRow> rows_of_driver(const sdk::Call& call, const sdk::TableView& runtime_api_table,
                                    std::optional<int64_t> step, const DeviceIdle* idle = nullptr);
/// From the timeline's operators and ranges of the framework; ProfilerStep is none.
std::vector<HostRow> rows_of_framework(const sdk::Call& call, const sdk::TableView& host_op_table,
                                       std::optional<int64_t> step, const DeviceIdle* idle = nullptr);
/// By total, longest first; ties by level and name.
void rank(std::vector<HostRow>& rows);

}  // namespace stepwise::overview
