#include "core/ingest/timeline/trace_pipeline.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace stepwise::ingest {

TracePipeline::TracePipeline(unsigned threads, TraceMerger& merger, MakeInterpreter* make)
    : merger_(merger), make_(make), own_parser_(0, make) {
  const unsigned workers = std::max(threads, 1u) - 1;
  // For each worker a window in hand and two that wait; for the calling thread one in hand.
  for (unsigned i = 0; i < 3 * workers + 1; ++i) slots_.push_back(std::make_unique<Slot>());
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
  changed_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

TraceWindow TracePipeline::submit(TraceWindow window) {
  std::unique_lock lock(mutex_);
  while (submitted_ - merged_ == slots_.size()) {
    if (!help(lock, own_parser_)) changed_.wait(lock);
  }
  Slot& free = slot(submitted_);
  std::swap(free.window, window);
  free.state = Slot::State::queued;
  ++submitted_;
  changed_.notify_one();
  return window;
}

void TracePipeline::drain() {
  std::unique_lock lock(mutex_);
  while (merged_ != submitted_) {
    if (!help(lock, own_parser_)) changed_.wait(lock);
  }
}

/// False: there is nothing to do right now.
bool TracePipeline::help(std::unique_lock<std::mutex>& lock, WindowParser& parser) {
  return merge_next(lock) || parse_next(lock, parser);
}

bool TracePipeline::merge_next(std::unique_lock<std::mutex>& lock) {
  if (merging_ || merged_ == submitted_ || slot(merged_).state != Slot::State::parsed) return false;
  Slot& next = slot(merged_);
  merging_ = true;
  lock.unlock();
  merger_.merge(next.events);
  lock.lock();
  merging_ = false;
  next.state = Slot::State::free;
  ++merged_;
  changed_.notify_all();
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
  changed_.notify_all();
  return true;
}

void TracePipeline::work(unsigned number) {
  WindowParser parser(number, make_);
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (!help(lock, parser)) changed_.wait(lock);
  }
}

}  // namespace stepwise::ingest
