// A kernel of the summary file and its slice in the timeline are two records of one execution.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ingest/timeline/kernel_rows.h"
#include "core/ingest/timeline/trace_tables.h"

namespace stepwise::ingest {

/// Of each kernel the row of device_task that is its own slice, or Nesting::kNone: the one with its start, to the ns,
/// and its stream and task, or its name; else, since some files round, the nearest within 10 us with its stream and
/// task, or, where the file gives none, its name. The table is arranged.
std::vector<uint32_t> find_own_slices(const KernelRows& kernels, const DeviceTable& tasks,
                                      const store::Dictionary& dictionary);

}  // namespace stepwise::ingest
