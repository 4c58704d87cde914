// SIGINT and SIGTERM as a flag: the first asks for a stop, the second ends the process at once (exit code 130).
#pragma once

#include <atomic>

#include "core/base/event_loop.h"

namespace stepwise::cli {

class StopSignal {
 public:
  /// Blocks the signals (and SIGPIPE: a reader that went away is an error of write) in this thread and all that it
  /// starts, so it is made before any other thread. One in a process.
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  bool requested() const { return requested_.load(std::memory_order_acquire); }
  /// Becomes readable with the first signal.
  int fd() const { return fd_; }

 private:
  void arrived();
  std::atomic<bool> requested_{false};
  int fd_;
  EventLoop loop_;
};

}  // namespace stepwise::cli
