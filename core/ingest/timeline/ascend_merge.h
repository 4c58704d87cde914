// The tables of an Ascend timeline.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ingest/timeline/kernel_rows.h"
#include "core/ingest/timeline/trace_merge.h"

namespace stepwise::ingest {

class AscendMerger final : public TraceMerger {
 public:
  /// kernels: whose launches are looked for; nullptr: nobody's.
  AscendMerger(store::SegmentBuilder& out, Diagnostics& diagnostics, std::string file,
               const KernelRows* kernels = nullptr);
  void finish(int64_t base_ns, unsigned threads) override;

 private:
  void take_slices(WindowEvents& window) override;
  void take_slice(SliceRecord& slice, uint64_t file_offset);
  bool place_by_role(ProcessRole role, const SliceRecord& slice, int64_t src_pos);
  void place_pending();
  void link_kernels();

  struct Pending {
    SliceRecord slice;
    int64_t src_pos = 0;
  };

  const KernelRows* const kernels_;
  QueueTable queue_;
  OverlapTable overlap_span_;
  std::vector<std::vector<Pending>> pending_;  // slices of processes without a name so far
};

}  // namespace stepwise::ingest
