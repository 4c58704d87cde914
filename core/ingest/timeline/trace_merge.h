// Puts the windows of a timeline together, in file order, into the segment's tables. The result does not depend on how
// the events were spread over windows and parsers. One thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/ingest/base/diagnostics.h"
#include "core/ingest/timeline/kernel_links.h"
#include "core/ingest/timeline/trace_event.h"
#include "core/ingest/timeline/trace_flows.h"
#include "core/ingest/timeline/trace_names.h"
#include "core/ingest/timeline/trace_tables.h"
#include "core/store/segment.h"

namespace stepwise::ingest {

class TraceMerger {
 public:
  TraceMerger(const TraceMerger&) = delete;
  TraceMerger& operator=(const TraceMerger&) = delete;
  virtual ~TraceMerger() = default;

  /// The windows of one parser come in the order in which it parsed them. Changes numbers in `window`.
  void merge(WindowEvents& window);
  /// base_ns is added to every time. threads: with the calling one.
  virtual void finish(int64_t base_ns, unsigned threads) = 0;

 protected:
  /// file: how diagnostics and evidence call it.
  TraceMerger(store::SegmentBuilder& out, Diagnostics& diagnostics, std::string file);

  /// The window's slices; its texts and tracks are known.
  virtual void take_slices(WindowEvents& window) = 0;

  int32_t code(int32_t text) const { return text == kNoText ? kNoText : (*codes_)[static_cast<size_t>(text)]; }
  /// Texts and track of a slice get their final numbers.
  void number(SliceRecord& slice);
  void count_other(std::string what, uint64_t count, uint64_t offset);
  void count_other_category(int32_t category, uint64_t offset);

  /// The base, or 0 if it and the times of the slices make no times together.
  int64_t fitting_base(int64_t base_ns, const std::vector<const SliceTable*>& tables);
  /// The table python_link. calls: runtime_api, on the tracks of the framework's threads. The tables are in order.
  PythonOf link_python(const SliceColumns& calls);
  using Tasks = std::vector<std::function<void()>>;
  /// Each table for itself; the largest should stand first, so that no thread has much to do when the others are done.
  static void run(const Tasks& tasks, unsigned threads);
  /// What comes last: tracks, what was odd, and where the rows come from. others: tables that need not nest.
  void report(const std::vector<const SliceTable*>& nested, const std::vector<const SliceTable*>& others = {});

  store::SegmentBuilder& out_;
  Diagnostics& diagnostics_;
  const std::string file_;

  TrackNames tracks_;
  HostTable host_op_, python_call_, runtime_api_;
  DeviceTable device_task_;
  CounterTable counter_;
  StepRanges steps_;
  FlowLinker flows_;

 private:
  void take_texts(const WindowEvents& window);
  void take_tracks(const WindowEvents& window);
  /// Rows that `count` counts, the first of each table at `first`.
  void report_rows(Diag diag, const std::vector<const SliceTable*>& tables, uint64_t (SliceTable::*count)() const,
                   int64_t (SliceTable::*first)() const);
  void report_others();

  std::vector<std::vector<int32_t>> codes_of_;    // of each parser's texts
  const std::vector<int32_t>* codes_ = nullptr;   // the window's parser's
  std::vector<uint32_t> track_of_;                // of the window's tracks
  std::map<int32_t, uint64_t> other_categories_;  // by code
  std::map<std::string, uint64_t, std::less<>> others_;
  uint64_t first_other_ = UINT64_MAX;
};

}  // namespace stepwise::ingest
