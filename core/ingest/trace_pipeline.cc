#include "core/ingest/trace_pipeline.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace stepwise::ingest {

TracePipeline::TracePipeline(unsigned threads, TraceMerger& merger) : merger_(merger) {
  const unsigned workers = std::max(threads, 1u) - 1;
  // Each worker has one window in hand and one waiting; the calling thread has one too.
  for (unsigned i = 0; i < 2 * workers + 1; ++i) slots_.push_back(std::make_unique<Slot>());
  try {
    for (unsigned i = 0; i < workers; ++i) workers_.emplace_back([this, i] { work(i + 1); });
  } catch (const std::system_error&) {
    // No more threads to be had: those that there are do the work.
  }
}

TracePipeline::~TracePipeline() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  queued_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

TraceWindow TracePipeline::submit(TraceWindow window) {
  std::unique_lock lock(mutex_);
  while (merge_next(lock)) {
  }
  while (submitted_ - merged_ == slots_.size()) {
    if (merge_next(lock) || parse_next(lock, own_parser_)) continue;
    parsed_.wait(lock);
  }
  Slot& free = slot(submitted_);
  std::swap(free.window, window);
  free.state = Slot::State::queued;
  ++submitted_;
  queued_.notify_one();
  if (workers_.empty()) {
    parse_next(lock, own_parser_);
    merge_next(lock);
  }
  return window;
}

void TracePipeline::drain() {
  std::unique_lock lock(mutex_);
  while (merged_ != submitted_) {
    if (merge_next(lock) || parse_next(lock, own_parser_)) continue;
    parsed_.wait(lock);
  }
}

/// Only the calling thread merges. False: the next window is not parsed.
bool TracePipeline::merge_next(std::unique_lock<std::mutex>& lock) {
  if (merged_ == submitted_ || slot(merged_).state != Slot::State::parsed) return false;
  Slot& next = slot(merged_);
  lock.unlock();
  merger_.merge(next.events);
  lock.lock();
  next.state = Slot::State::free;
  ++merged_;
  return true;
}

bool TracePipeline::parse_next(std::unique_lock<std::mutex>& lock, WindowParser& parser) {
  if (begun_ == submitted_) return false;
  Slot& next = slot(begun_++);
  next.state = Slot::State::parsing;
  lock.unlock();
  parser.parse(next.window, next.events);
  lock.lock();
  next.state = Slot::State::parsed;
  parsed_.notify_one();
  return true;
}

void TracePipeline::work(unsigned number) {
  WindowParser parser(number);
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (!parse_next(lock, parser)) queued_.wait(lock, [this] { return stopping_ || begun_ != submitted_; });
  }
}

}  // namespace stepwise::ingest
