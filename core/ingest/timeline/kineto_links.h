// What launched the kernels of a GPU trace.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ingest/timeline/kernel_links.h"
#include "core/ingest/timeline/kineto_tables.h"
#include "core/ingest/timeline/trace_tables.h"

namespace stepwise::ingest {

/// The tables are in order.
struct LaunchSources {
  const KernelTable& kernels;
  const HostTable& host_ops;
  const HostTable& calls;
  const StepRanges& steps;
  size_t track_count = 0;
};

/// Of each kernel. By its correlation id; else by the host operator that its External id names.
std::vector<Launch> find_launches(const LaunchSources& sources);

/// Step of each kernel: of its launch; of its own start if that is not known.
std::vector<int64_t> steps_of_kernels(const LaunchSources& sources, const std::vector<Launch>& launches);

/// Counts launches of kernels that led to none, if they are many.
void report_lost_launches(const LaunchSources& sources, const store::Dictionary& dictionary, const std::string& file,
                          Diagnostics& diagnostics);

}  // namespace stepwise::ingest
