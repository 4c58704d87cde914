// Windows through parsers to the merger, in order. The calling thread splits and merges, and parses too whenever it
// would wait; a bounded number of windows is under way, so memory does not grow with the file.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/ingest/timeline/trace_event.h"
#include "core/ingest/timeline/trace_merge.h"
#include "core/ingest/timeline/trace_parse.h"

namespace stepwise::ingest {

class TracePipeline {
 public:
  /// threads: with the calling one; at least 1.
  TracePipeline(unsigned threads, TraceMerger& merger, MakeInterpreter* make);
  /// Windows that were not merged are dropped.
  ~TracePipeline();
  TracePipeline(const TracePipeline&) = delete;
  TracePipeline& operator=(const TracePipeline&) = delete;

  /// Takes a window, and gives one back whose buffers may be used again.
  TraceWindow submit(TraceWindow window);
  /// Until all is merged.
  void drain();

 private:
  struct Slot {
    enum class State : uint8_t { free, queued, parsing, parsed } state = State::free;
    TraceWindow window;
    WindowEvents events;
  };
  void work(unsigned parser);
  bool help(std::unique_lock<std::mutex>& lock, WindowParser& parser);
  bool merge_next(std::unique_lock<std::mutex>& lock);
  bool parse_next(std::unique_lock<std::mutex>& lock, WindowParser& parser);
  Slot& slot(uint64_t number) { return *slots_[number % slots_.size()]; }

  TraceMerger& merger_;
  MakeInterpreter* const make_;
  WindowParser own_parser_;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false, merging_ = false;
  std::vector<std::unique_ptr<Slot>> slots_;
  // Numbers of windows: merged <= parsing begins at <= submitted.
  uint64_t merged_ = 0, begun_ = 0, submitted_ = 0;
  std::vector<std::thread> workers_;
};

}  // namespace stepwise::ingest
