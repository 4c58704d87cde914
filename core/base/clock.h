// Time that only goes forward, behind an interface so that tests of back-off, linger and deadlines need not wait.
#pragma once

#include <atomic>
#include <chrono>

namespace stepwise {

/// [any thread]
class Clock {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  virtual ~Clock() = default;
  virtual TimePoint now() const = 0;

  /// The machine's. Lives as long as the program.
  static const Clock& steady();
};

/// Stands still until somebody moves it.
class ManualClock final : public Clock {
 public:
  TimePoint now() const override { return TimePoint(Duration(ticks_.load(std::memory_order_acquire))); }
  void advance(std::chrono::steady_clock::duration by) { ticks_.fetch_add(by.count(), std::memory_order_acq_rel); }

 private:
  using Duration = std::chrono::steady_clock::duration;
  std::atomic<Duration::rep> ticks_{0};
};

inline const Clock& Clock::steady() {
  class Steady final : public Clock {
    TimePoint now() const override { return std::chrono::steady_clock::now(); }
  };
  static const Steady clock;
  return clock;
}

}  // namespace stepwise
