// Which process group's communication a kernel of a GPU trace is: what the kernel itself says, or the framework's
// record of the collective that launched it (record_param_comms).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/ingest/timeline/kernel_links.h"
#include "core/ingest/timeline/kineto_tables.h"
#include "core/ingest/timeline/trace_tables.h"

namespace stepwise::ingest {

class ProcessGroups {
 public:
  /// A host operator or a kernel that names its group.
  void add(const KinetoSlice& slice, int64_t src_pos);

  /// Of each kernel, or kNoText; empty: of none. The tables are in order, launches are of the kernels' rows.
  std::vector<int32_t> of_kernels(const KernelTable& kernels, const HostTable& calls,
                                  const std::vector<Launch>& launches, size_t track_count, int64_t base_ns);

 private:
  /// Of each call, the group of the innermost host operator around it that names one.
  std::vector<int32_t> of_calls(const SliceColumns& calls, size_t track_count, int64_t base_ns);

  std::unordered_map<int64_t, int32_t> of_kernel_;  // by its place in the file
  // Host operators.
  std::vector<int64_t> start_ns_, dur_ns_, src_pos_;
  std::vector<uint32_t> track_;
  std::vector<int32_t> group_;
};

}  // namespace stepwise::ingest
