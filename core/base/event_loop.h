// The loop: one thread for timers, signals and (later) descriptors. Never parses a profile, never blocks, never calls
// a plugin. Asio stays inside the .cc.
//
// Life: constructed -> start (its thread begins) -> stop (may be called twice; what is queued is dropped) -> joined by
// the destructor. Every function may be called from any thread, also from the loop's own.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>

namespace stepwise {

class EventLoop {
 public:
  using TimerId = uint64_t;

  EventLoop();
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  void start();
  /// Runs fn on the loop, in the order of posting; never on the caller's stack. After stop(): dropped.
  void post(std::function<void()> fn);
  /// Runs fn on the loop once, that much later.
  TimerId run_after(std::chrono::milliseconds delay, std::function<void()> fn);
  /// Unknown and fired ids are ignored. From the loop's own thread: fn will not run any more.
  void cancel_timer(TimerId timer);
  /// fn(signal) on the loop each time one of them arrives. Block the signals in all threads before.
  void on_signal(std::initializer_list<int> signals, std::function<void(int)> fn);
  /// Returns when the loop's thread has ended; from the loop's own thread: asks it to end.
  void stop();
  bool on_loop_thread() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stepwise
