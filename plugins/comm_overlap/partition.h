// Splitting the time of a window: what was computed, what communication and copies nothing hides, what was idle.
#pragma once

#include <cstdint>
#include <optional>

#include "stepwise/sdk.hpp"

namespace stepwise::comm_overlap {

/// What the device did, each kind in any order.
struct Work {
  Intervals computing, communication, copies;
};

/// Parts of a span that add up to it exactly, each sorted and disjoint; `overlapped` lies within `computing`.
struct Partition {
  Interval span;
  Intervals computing, overlapped, exposed_communication, exposed_copies, idle;
};

/// Computation hides communication, and both hide copies. `span`: at least from the first start to the last end.
/// Intervals that touch stay apart, so that each keeps the step in which it starts.
Partition partition(Work work, Interval span);

/// From the first start to the last end. nullopt: there is no work.
std::optional<Interval> extent(const Work& work);

/// The parts of one window, summed.
struct Breakdown {
  std::optional<int64_t> step;  // null: no step, or more than one
  int64_t computing_ns = 0, overlapped_ns = 0, not_overlapped_ns = 0, copy_not_overlapped_ns = 0, free_ns = 0;
  int64_t bubble_ns = 0;  // receiving from another pipeline stage; within the parts above
  int64_t wall_ns = 0;    // the parts together

  int64_t communication_ns() const { return overlapped_ns + not_overlapped_ns; }
  int64_t stage_ns() const { return wall_ns - bubble_ns; }
  void add(const Breakdown& other);
};
Breakdown sum_of(const Partition& parts);

}  // namespace stepwise::comm_overlap
