// What a running piece of work shares with those who wait for it: a flag to stop it, a figure of how far it is.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace stepwise {

/// Set by anyone, polled by the work (readers: every window; analyzers: every 4,096 rows). [any thread]
class CancelFlag {
 public:
  void set() { flag_.store(true, std::memory_order_relaxed); }
  bool is_set() const { return flag_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> flag_{false};
};

/// done and total have the unit that the phase says (bytes while reading, rows while analyzing). The phase is a
/// string literal or otherwise outlives the work. [any thread]
class ProgressGauge {
 public:
  struct Value {
    uint64_t done = 0, total = 0;
    const char* phase = "";
  };
  void set(uint64_t done, uint64_t total, const char* phase) {
    total_.store(total, std::memory_order_relaxed);
    phase_.store(phase, std::memory_order_relaxed);
    done_.store(done, std::memory_order_release);
  }
  void add(uint64_t more) { done_.fetch_add(more, std::memory_order_relaxed); }
  Value get() const {
    Value value;
    value.done = done_.load(std::memory_order_acquire);
    value.total = total_.load(std::memory_order_relaxed);
    value.phase = phase_.load(std::memory_order_relaxed);
    return value;
  }

 private:
  std::atomic<uint64_t> done_{0}, total_{0};
  std::atomic<const char*> phase_{""};
};

}  // namespace stepwise
