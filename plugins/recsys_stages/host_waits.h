// Where the host waited, and in which stage.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "host_stages.h"

namespace stepwise::recsys_stages {

/// The outermost of nested waits: levels of the stack wrap each other and are never added.
struct Wait {
  int64_t start_ns = 0, end_ns = 0;
  int64_t tid = 0;
  uint32_t window = 0;
  Stage stage = Stage::unclassified;  // then it stands on the main thread
  WaitKind kind = WaitKind::result;
  std::string_view name;  // lives as long as the call's tables

  int64_t dur_ns() const { return end_ns - start_ns; }
};

/// Of the framework's calls and ranges, and of the driver's below them (which a trace may show as another process with
/// the same thread ids). In order of thread and start.
std::vector<Wait> find_waits(sdk::Call& call, uint32_t rank, const sdk::TableView& host_ops, const Windows& windows,
                             const HostStages& host);

}  // namespace stepwise::recsys_stages
