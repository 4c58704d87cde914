// What executions and waiters hold. Internal to execution*.cc.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/execution.h"

namespace stepwise::engine {

/// What is refused when too many of its calls hang: the plugin, of the engine's own tools the one tool.
inline const std::string& part_of(const ToolDecl& tool) { return tool.plugin.empty() ? tool.name : tool.plugin; }

struct Executions::Waiter {
  WaiterId id = 0;
  Request request;
  std::shared_ptr<Sink> sink;
  CallPlan plan;
  ExecutionPtr execution;                 // guarded by mutex_
  std::atomic<bool> ended{false};         // answered or cancelled: the sink is not called any more
  std::atomic<bool> wanted_later{false};  // was told `running`: its work goes on, or starts when its turn comes
  EventLoop::TimerId running_timer = 0;
  ProgressGauge::Value last_progress;                 // loop only
  std::chrono::steady_clock::time_point last_told{};  // loop only
};

struct Executions::Execution {
  CallPlan plan;
  CancelFlag cancel;
  ProgressGauge progress;
  // guarded by mutex_:
  std::vector<WaiterPtr> waiters;
  bool wanted_later = false;  // somebody was told `running` and will call again
  bool over = false;
  std::vector<SegmentService::Ticket> tickets;
  std::vector<std::optional<LoadedSegment>> loaded;
  std::optional<Error> load_error;
  size_t segments_left = 0;
  mutable uint64_t most_read = 0;  // as told: a segment that has just been read is neither under way nor loaded
  ThreadPool::JobId job = 0;
  EventLoop::TimerId deadline_timer = 0, reading_timer = 0;
  bool deadline_hit = false;
  bool retried = false;  // by the one thread that runs it
};

}  // namespace stepwise::engine
