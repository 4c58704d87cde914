// What a query may use, and why it was stopped. One thread, but for the flag.
#pragma once

#include <chrono>
#include <cstdint>

#include "core/base/clock.h"
#include "core/base/task.h"
#include "core/query/limits.h"

namespace stepwise::query {

struct QueryLimits {
  std::chrono::milliseconds time = limits::kTime;
  uint64_t row_steps = limits::kRowSteps;
  size_t memory_bytes = limits::kMemoryBytes;
  size_t lookup_bytes = limits::kLookupBytes;
};

enum class Stop : uint8_t { none, rows, time, cancelled, memory };

class Budget {
 public:
  Budget(const QueryLimits& limits, const CancelFlag& cancel, const Clock& clock)
      : limits_(limits), cancel_(cancel), clock_(clock), end_(clock.now() + limits.time) {}

  /// Rows were looked at. False: the query must stop.
  bool step(uint64_t rows) {
    stepped_ += rows;
    if (stepped_ > limits_.row_steps) return stop(Stop::rows);
    unpolled_ += rows;
    return unpolled_ < limits::kRowsBetweenPolls || poll();
  }
  /// Looks at the flag and the clock. False: the query must stop.
  bool poll() {
    unpolled_ = 0;
    if (cancel_.is_set()) return stop(Stop::cancelled);
    return clock_.now() <= end_ || stop(Stop::time);
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
  const Clock& clock_;
  const Clock::TimePoint end_;
  uint64_t stepped_ = 0, unpolled_ = 0;
  Stop why_ = Stop::none;
};

}  // namespace stepwise::query
