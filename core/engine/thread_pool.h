// A fixed number of threads over one queue. A job that never returns can be written off: its thread is no longer
// counted on, and another takes its place. [any thread]
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

namespace stepwise::engine {

class ThreadPool {
 public:
  using JobId = uint64_t;

  /// `threads`: the most there will be; each is started when a job first needs it.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();  // stops without waiting for what was written off
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// After stop(): the job is dropped.
  JobId submit(std::function<void()> job);
  /// If the job is running: its thread is written off and replaced. False: it had already ended, or not begun.
  bool abandon(JobId job);
  /// Drops what has not begun and waits for the rest, at most that long. False: threads are still running.
  bool stop(std::chrono::milliseconds wait);

 private:
  struct State;
  std::shared_ptr<State> state_;  // shared with the threads: a written-off one outlives the pool
};

}  // namespace stepwise::engine
