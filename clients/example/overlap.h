// The overlap analysis of one rank, exact to the ns: what of a step was computing, communicating, both or neither.
//
// Every step ends in a synchronisation of the whole device, so no interval crosses steps. Free time up to the next
// step's first work begins in this step and therefore belongs to it (docs/metrics.md, Ascend step window).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "clients/example/timeline.h"
#include "stepwise/intervals.hpp"

namespace stepwise::example {

struct StepFigures {
  int64_t number = 0;
  int64_t host_start_ns = 0, host_end_ns = 0;
  int64_t first_ns = 0, last_ns = 0;  // of computing or communication
  int64_t computing_ns = 0, communication_ns = 0, not_overlapped_ns = 0, free_ns = 0;
  int64_t bubble_ns = 0;  // in receives from another pipeline stage
  int64_t stage_ns = 0;   // without the bubble

  int64_t overlapped_ns() const { return communication_ns - not_overlapped_ns; }
  int64_t without_receive_ns() const { return std::max<int64_t>(not_overlapped_ns - bubble_ns, 0); }
  int64_t preparing_ns() const { return first_ns - host_start_ns; }
};

class OverlapAnalysis {
 public:
  struct Spans {
    Intervals computing, communication, not_overlapped;
    Intervals free;  // the first may lie before the step's first work: it belongs to the step before
  };

  void kernel(int64_t start_ns, int64_t end_ns) { computing_.push_back({start_ns, end_ns}); }
  void collective(int64_t start_ns, int64_t end_ns, bool receives) {
    communication_.push_back({start_ns, end_ns});
    if (receives) bubble_ns_ += end_ns - start_ns;
  }
  Spans close_step(const StepRange& range);

  /// One for each closed step; the last one's free time is final only after the next is closed.
  const std::vector<StepFigures>& steps() const { return steps_; }

 private:
  Intervals computing_, communication_;
  int64_t bubble_ns_ = 0;
  std::vector<StepFigures> steps_;
};

}  // namespace stepwise::example
