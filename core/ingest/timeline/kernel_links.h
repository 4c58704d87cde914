// What launched a kernel, as far as a timeline says, and the table kernel_link.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ingest/base/diagnostics.h"
#include "core/ingest/timeline/trace_event.h"
#include "core/store/segment.h"

namespace stepwise::ingest {

struct Launch {
  static constexpr uint32_t kNone = UINT32_MAX;
  enum class How : uint8_t {
    unknown,
    correlation,  // the call has the kernel's correlation id
    external_id,  // the kernel names the operator's
    connection,   // the call has the connection id of the kernel's slice
    flow,         // an arrow leads from the call, or the operator, to the kernel's slice
    time,         // only the kernel's own slice is known
  };
  How how = How::unknown;
  uint32_t call = kNone;     // row of runtime_api
  uint32_t host_op = kNone;  // row of host_op: the innermost that asked for it
  uint32_t slice = kNone;    // row of device_task: the kernel's own
  int64_t step = kNoNumber;  // whose host range holds the launch

  bool is_row() const { return how != How::unknown; }
  bool is_known() const { return call != kNone || host_op != kNone; }
};

/// Rows of python_call by row of host_op and of runtime_api; empty: the timeline has none.
struct PythonOf {
  std::vector<uint32_t> host_op, call;
};

/// The table kernel_link: a row for each launch of which something is known.
void fill_kernel_links(const std::vector<Launch>& launches, const PythonOf& python, store::SegmentBuilder& out);

/// Counts kernels that nothing is known to have launched, and those that start before their call.
void report_launches(const std::vector<Launch>& launches, std::span<const int64_t> kernel_start_ns,
                     std::span<const int64_t> call_start_ns, const std::string& file, Diagnostics& diagnostics);

/// launching: calls that launch kernels; lost: those of them that led to none, the first of them at `first`. Nothing is
/// told of a small share.
void report_lost_launches(uint64_t lost, uint64_t launching, std::optional<int64_t> first, const std::string& file,
                          Diagnostics& diagnostics);

/// Faults of a collector show in more than this share; a recording's edges cost less.
inline bool is_large_share(uint64_t part, uint64_t whole) {
  constexpr uint64_t kSmall = 100;
  return part * kSmall > whole;
}

}  // namespace stepwise::ingest
