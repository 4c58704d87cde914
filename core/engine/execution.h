// Executions and waiters: each distinct piece of work runs once, however many wait for it.
//
//   Waiter     one request: sink, own time until `running`, own page. Cancelled alone.
//   Execution  one plan key while it runs: first its segments are read (no call slot is held meanwhile), then the tool
//              runs on a call slot. No waiters left: the flag is set at once; segments linger (segment_service.h).
//
// Threads: submit and cancel from any; planning, running and rendering on call slots; sinks on the loop only, so that
// they are called one at a time and never on a caller's stack. One mutex guards waiters and executions; under it only
// the segment service is asked (which never calls back while it holds its own).
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core/engine/engine.h"
#include "core/engine/perform.h"

namespace stepwise::engine {

class Executions {
 public:
  struct Parts {
    EventLoop& loop;
    SegmentService& segments;
    Sessions& sessions;
    PluginRunner& runner;
    std::function<std::shared_ptr<const Registry>()> registry;
    unsigned call_slots;
    std::chrono::milliseconds running_after, analysis_deadline;
    std::filesystem::path out_dir;
  };
  explicit Executions(Parts parts);

  WaiterId submit(Request request, std::shared_ptr<Sink> sink);
  void cancel(WaiterId waiter);
  EngineCounters counters() const;
  /// False: a thread did not come back.
  bool stop();

 private:
  struct Waiter;
  struct Execution;
  using WaiterPtr = std::shared_ptr<Waiter>;
  using ExecutionPtr = std::shared_ptr<Execution>;

  void prepare(const WaiterPtr& waiter);
  void join_or_start(const WaiterPtr& waiter);
  void load_segments(const ExecutionPtr& execution);
  void segment_done(const ExecutionPtr& execution, size_t index, Result<LoadedSegment> loaded);
  void run(const ExecutionPtr& execution);
  static bool add_segments(Execution& execution, const WantedSegments& wanted);
  void finish(const ExecutionPtr& execution, Result<ResultPtr> result);
  void deadline_passed(const ExecutionPtr& execution);
  void reading_deadline_passed(const ExecutionPtr& execution);
  void answer_running(const WaiterPtr& waiter);
  void tell(const ExecutionPtr& execution, LogMessage message);
  void deliver(const WaiterPtr& waiter, Answer answer);
  void deliver_result(const WaiterPtr& waiter, const Result<ResultPtr>& result);
  void detach(const WaiterPtr& waiter);  // from its execution; stops that when nobody is left
  void tick();
  ProgressGauge::Value progress_of(const Execution& execution) const;
  ProgressGauge::Value progress_of_many(const Execution& execution) const;

  Parts parts_;
  ResultCache results_;
  Performer performer_;
  mutable std::mutex mutex_;
  std::map<WaiterId, WaiterPtr> waiters_;
  std::map<std::string, ExecutionPtr> executions_;
  WaiterId last_waiter_ = 0;
  uint64_t executions_started_ = 0, joins_ = 0, abandoned_ = 0;
  std::map<std::string, int> abandoned_by_part_;
  bool stopping_ = false;
  bool ticking_ = false;  // loop only
  ThreadPool calls_;
};

}  // namespace stepwise::engine
