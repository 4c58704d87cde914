// What a query may use, and why it was stopped. One thread, but for the flag.
#pragma once

#include <chrono>
#include <cstdint>

#include "core/base/task.h"
#include "core/query/clocks.h"
#include "core/query/limits.h"

namespace stepwise::query {

struct QueryLimits {
  std::chrono::milliseconds time = limits::kTime;           // of the thread's work
  std::chrono::milliseconds wall_time = limits::kWallTime;  // from beginning to end
  uint64_t row_steps = limits::kRowSteps;
  size_t memory_bytes = limits::kMemoryBytes;
  size_t lookup_bytes = limits::kLookupBytes;
};

enum class Stop : uint8_t { none, rows, time, wall_time, cancelled, memory };

class Budget {
 public:
  Budget(const QueryLimits& limits, const CancelFlag& cancel, const QueryClocks& clocks)
      : limits_(limits),
        cancel_(cancel),
        clocks_(clocks),
        work_end_(clocks.work.now() + limits.time),
        wall_end_(clocks.wall.now() + limits.wall_time) {}

  /// Rows were looked at. False: the query must stop.
  bool step(uint64_t rows) {
    stepped_ += rows;
    if (stepped_ > limits_.row_steps) return stop(Stop::rows);
    unpolled_ += rows;
    return unpolled_ < limits::kRowsBetweenPolls || poll();
  }
  /// Looks at the flag and the clocks. False: the query must stop.
  bool poll() {
    unpolled_ = 0;
    if (cancel_.is_set()) return stop(Stop::cancelled);
    if (clocks_.work.now() > work_end_) return stop(Stop::time);
    return clocks_.wall.now() <= wall_end_ || stop(Stop::wall_time);
  }
  /// False: the first reason stays.
  bool stop(Stop why) {
    if (why_ == Stop::none) why_ = why;
    return false;
  }

  Stop why() const { return why_; }
  uint64_t stepped() const { return stepped_; }
  const QueryLimits& limits() const { return limits_; }

 private:
  const QueryLimits limits_;
  const CancelFlag& cancel_;
  const QueryClocks clocks_;
  const Clock::TimePoint work_end_, wall_end_;
  uint64_t stepped_ = 0, unpolled_ = 0;
  Stop why_ = Stop::none;
};

}  // namespace stepwise::query
