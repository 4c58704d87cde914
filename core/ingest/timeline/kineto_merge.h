// The tables of a Kineto trace.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ingest/graph/execution_trace_nodes.h"
#include "core/ingest/timeline/kineto_groups.h"
#include "core/ingest/timeline/kineto_tables.h"
#include "core/ingest/timeline/trace_merge.h"

namespace stepwise::ingest {

class KinetoMerger final : public TraceMerger {
 public:
  KinetoMerger(store::SegmentBuilder& out, Diagnostics& diagnostics, std::string file);
  void finish(int64_t base_ns, unsigned threads) override;
  /// Before finish: the times are none of this century, so that they must count from a base.
  bool needs_base() const;
  /// After finish: host operators have numbers of their own (Record function id), which execution traces repeat.
  bool has_call_numbers() const;
  /// Before finish, if link_calls may follow.
  void keep_call_ids() { keeps_call_ids_ = true; }
  /// After finish, where they have none: takes those of the execution trace.
  void link_calls(const TracedNodes& traced, const std::string& trace_file);

 private:
  void take_slices(WindowEvents& window) override;
  void take_slice(KinetoSlice& slice, int64_t src_pos);
  void count_device_unread(const KinetoSlice& slice, int64_t src_pos);
  void add_device_slice(DeviceLane lane, KinetoSlice& slice, int64_t src_pos);

  KernelTable kernels_;
  ProcessGroups groups_;
  bool keeps_call_ids_ = false;
  std::vector<int64_t> call_ids_;  // of each row of host_op, as the trace tells calls apart
};

}  // namespace stepwise::ingest
