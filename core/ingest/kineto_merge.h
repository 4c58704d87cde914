// The tables of a Kineto trace.
#pragma once

#include <cstdint>
#include <string>

#include "core/ingest/kineto_tables.h"
#include "core/ingest/trace_merge.h"

namespace stepwise::ingest {

class KinetoMerger final : public TraceMerger {
 public:
  KinetoMerger(store::SegmentBuilder& out, Diagnostics& diagnostics, std::string file);
  void finish(int64_t base_ns, unsigned threads) override;
  /// Before finish: the times are none of this century, so that they must count from a base.
  bool needs_base() const;

 private:
  void take_slices(WindowEvents& window) override;
  void take_slice(KinetoSlice& slice, int64_t src_pos);
  void count_device_unread(const KinetoSlice& slice, int64_t src_pos);
  void add_device_slice(DeviceLane lane, KinetoSlice& slice, int64_t src_pos);

  KernelTable kernels_;
};

}  // namespace stepwise::ingest
