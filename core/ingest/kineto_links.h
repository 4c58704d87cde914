// What launched the kernels of a GPU trace.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ingest/kineto_tables.h"
#include "core/ingest/trace_tables.h"

namespace stepwise::ingest {

/// The tables are arranged.
struct LaunchSources {
  const KernelTable& kernels;
  const HostTable& host_ops;
  const HostTable& calls;
  const StepRanges& steps;
  size_t track_count = 0;
};

struct Launch {
  static constexpr uint32_t kNone = UINT32_MAX;
  enum class How : uint8_t { unknown, correlation, external_id };
  How how = How::unknown;
  uint32_t call = kNone;     // row of runtime_api
  uint32_t host_op = kNone;  // the innermost that holds the call
  int64_t step = kNoNumber;  // whose host range holds the launch
};

/// Of each kernel. By its correlation id; else by the host operator that its External id names.
std::vector<Launch> find_launches(const LaunchSources& sources);

/// Step of each kernel: of its launch; of its own start if that is not known.
std::vector<int64_t> steps_of_kernels(const LaunchSources& sources, const std::vector<Launch>& launches);

/// The table kernel_link.
void fill_kernel_links(const std::vector<Launch>& launches, store::SegmentBuilder& out);

}  // namespace stepwise::ingest
