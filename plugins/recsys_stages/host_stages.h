// The stage of every host call, and when each thread is in which stage.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "name_stage.h"
#include "stage.h"
#include "stepwise/sdk.hpp"
#include "windows.h"

namespace stepwise::recsys_stages {

/// A call that decides the stage of itself and of what it encloses.
struct Entry {
  uint64_t row = 0;  // in host_op
  int64_t start_ns = 0, end_ns = 0;
  uint32_t window = 0;
  uint32_t thread = 0;
  Stage stage = Stage::unclassified;
  Collective collective = Collective::none;  // the stage follows from where in the step it stands
  bool is_range = false;                     // the trace tells explicit ranges from operators, and this is one
};

/// A stretch of one thread in one stage; those of a thread are disjoint and in order.
struct Segment {
  int64_t start_ns = 0, end_ns = 0;
  uint32_t entry = 0;
};

struct HostStages {
  static constexpr uint32_t kNone = UINT32_MAX;

  std::vector<Entry> entries;                  // by row
  std::vector<uint32_t> entry_of_row;          // of every row of host_op; kNone: in no stage
  std::vector<Thread> threads;                 // those that have entries
  std::vector<std::vector<Segment>> segments;  // by thread

  Stage stage_of_row(uint64_t row) const {
    return row < entry_of_row.size() && entry_of_row[row] != kNone ? entries[entry_of_row[row]].stage
                                                                   : Stage::unclassified;
  }
};

/// The stretch that holds the instant; nullptr: in no stage then.
const Segment* segment_at(const std::vector<Segment>& segments, int64_t ns);

/// Calls outside all windows have no stage. Cut short where the call was cancelled.
HostStages find_host_stages(const sdk::Call& call, const sdk::TableView& host_ops, const Windows& windows,
                            const Vocabulary& own);

/// The disjoint stretches of entries in order of start: inner ones, and where calls overlap the later ones, cover
/// outer.
std::vector<Segment> disjoint_segments(const std::vector<Entry>& entries, const std::vector<uint32_t>& in_order);

/// Where in a step the backward begins, over all threads: decides about all-to-alls that no call encloses.
struct StageStarts {
  std::optional<int64_t> backward_ns;
};
Stage stage_of_collective(Collective kind, int64_t start_ns, const StageStarts& starts);

/// The stage that the host is in at an instant: the main thread's, else that of another thread.
class StageClock {
 public:
  StageClock(const HostStages& host, const Windows& windows);
  Stage at(int64_t ns) const;

 private:
  const HostStages& host_;
  std::vector<Segment> main_, others_;
};

/// By window.
std::vector<StageStarts> stage_starts(const std::vector<Entry>& entries, size_t windows);

}  // namespace stepwise::recsys_stages
