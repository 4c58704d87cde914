// Puts the windows of a timeline together, in file order, into the segment's tables. The result does not depend on how
// the events were spread over windows and parsers. One thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/ingest/diagnostics.h"
#include "core/ingest/trace_event.h"
#include "core/ingest/trace_flows.h"
#include "core/ingest/trace_names.h"
#include "core/ingest/trace_tables.h"
#include "core/store/segment.h"

namespace stepwise::ingest {

class TraceMerger {
 public:
  /// file: how diagnostics and evidence call it.
  TraceMerger(store::SegmentBuilder& out, Diagnostics& diagnostics, std::string file);

  /// The windows of one parser come in the order in which it parsed them. Changes numbers in `window`.
  void merge(WindowEvents& window);
  /// base_ns is added to every time. threads: with the calling one.
  void finish(int64_t base_ns, unsigned threads);

 private:
  void take_texts(const WindowEvents& window);
  void take_tracks(const WindowEvents& window);
  int32_t code(int32_t text) const { return text == kNoText ? kNoText : (*codes_)[static_cast<size_t>(text)]; }
  void take_slice(SliceRecord& slice, uint64_t file_offset);
  bool place_by_role(ProcessRole role, const SliceRecord& slice, int64_t src_pos);
  void place_pending();
  void count_other(std::string what, uint64_t count, uint64_t offset);
  void arrange(const Arrangement& arrangement, unsigned threads);
  void report_overlapping();
  void report_others();

  struct Pending {
    SliceRecord slice;
    int64_t src_pos = 0;
  };

  store::SegmentBuilder& out_;
  Diagnostics& diagnostics_;
  const std::string file_;

  std::vector<std::vector<int32_t>> codes_of_;   // of each parser's texts
  const std::vector<int32_t>* codes_ = nullptr;  // the window's parser's
  std::vector<uint32_t> track_of_;               // of the window's tracks

  TrackNames tracks_;
  HostTable host_op_, python_call_, runtime_api_;
  QueueTable queue_;
  DeviceTable device_task_;
  OverlapTable overlap_span_;
  CounterTable counter_;
  StepRanges steps_;
  FlowLinker flows_;
  std::vector<std::vector<Pending>> pending_;  // slices of processes without a name so far

  std::map<int32_t, uint64_t> other_categories_;  // by code
  std::map<std::string, uint64_t, std::less<>> others_;
  uint64_t first_other_ = UINT64_MAX;
};

}  // namespace stepwise::ingest
