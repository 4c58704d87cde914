// The rows of the table kernel, for a timeline whose kernels stand in a file of their own: in the table's order, so
// that a row's number is the kernel's id.
#pragma once

#include <cstdint>
#include <vector>

#include "core/store/segment.h"

namespace stepwise::ingest {

struct KernelRows {
  std::vector<int64_t> start_ns, stream, task_id;  // kNoNumber: the file does not say
  std::vector<int32_t> name;                       // in `names`
  std::vector<bool> communicates;
  store::Dictionary names;

  size_t size() const { return start_ns.size(); }
};

/// Of a segment under construction; its table kernel may be absent.
KernelRows take_kernel_rows(store::SegmentBuilder& segment);

}  // namespace stepwise::ingest
