// What launched the kernels of an Ascend timeline.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ingest/timeline/kernel_links.h"
#include "core/ingest/timeline/kernel_rows.h"
#include "core/ingest/timeline/trace_tables.h"

namespace stepwise::ingest {

/// The tables are in order.
struct AscendSources {
  const HostTable& host_ops;
  const HostTable& calls;
  const QueueTable& queue;
  const DeviceTable& tasks;
  const StepRanges& steps;
  const std::vector<TrackKey>& tracks;
};

/// Of each call of the driver stack the framework's track of its thread; its own where the framework ran nothing. The
/// driver stack's processes have numbers of their own, (process << 10) + more; threads keep theirs.
std::vector<uint32_t> framework_tracks(const AscendSources& sources);

/// Of each kernel. Its own slice by its start; the call by the slice's connection id, else by an arrow; the operator by
/// an arrow, else by the queue whose exit holds the call, else the one that was running on the call's thread.
/// call_tracks: framework_tracks. out: its table flow is filled.
std::vector<Launch> find_ascend_launches(const AscendSources& sources, const KernelRows& kernels,
                                         const std::vector<uint32_t>& call_tracks, store::SegmentBuilder& out);

/// Counts launches of kernels that led to nothing on the device, if they are many.
void report_lost_launches(const AscendSources& sources, const store::Dictionary& dictionary, const std::string& file,
                          Diagnostics& diagnostics);

/// Counts kernels without a slice of their own, if they are many.
void report_missing_slices(const std::vector<Launch>& launches, const DeviceTable& tasks, const std::string& file,
                           Diagnostics& diagnostics);

}  // namespace stepwise::ingest
