// A database's rows on their way into the timeline's tables: as the events that a trace file would have, window by
// window, so that both go the same way from there.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "core/ingest/timeline/trace_merge.h"
#include "core/ingest/timeline/trace_text.h"
#include "core/ingest/timeline/trace_tracks.h"

namespace stepwise::ingest {

class DbEvents {
 public:
  explicit DbEvents(TraceMerger& merger) : merger_(merger) {}

  /// A text of the dictionary's, for this window.
  int32_t text(std::string_view text, TextForm form = TextForm::plain);
  uint32_t track(int64_t pid, int64_t tid) { return tracks_.number_of({pid, tid}); }
  void name_process(int64_t pid, std::string_view name, std::string_view label);
  void name_thread(int64_t pid, int64_t tid, std::string_view name);

  void add(const SliceRecord& slice) { window_.slices.push_back(slice), pass_on_if_full(); }
  void add(const FlowRecord& flow) { window_.flows.push_back(flow), pass_on_if_full(); }
  /// A sample is one series of an event: the first of an event's is counted as one.
  void add(const SampleRecord& sample, bool is_first);
  void add(const StepRecord& step) { window_.steps.push_back(step); }
  /// What was added goes to the merger. Texts and tracks asked for before are void.
  void pass_on();

 private:
  void pass_on_if_full();

  TraceMerger& merger_;
  WindowEvents window_;
  TrackIndex tracks_;
  std::unordered_map<std::string, int32_t> texts_;
  std::string scratch_;
};

}  // namespace stepwise::ingest
