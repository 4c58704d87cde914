// How long executions may take, and how far they are.
#include <algorithm>
#include <set>
#include <string>

#include "core/base/limits.h"
#include "core/base/log.h"
#include "core/engine/execution_state.h"

namespace stepwise::engine {

/// What was read is kept, and reading goes on for a while: the same call again finds more of it.
void Executions::reading_deadline_passed(const ExecutionPtr& execution) {
  std::vector<SegmentService::Ticket> tickets;
  std::set<uint32_t> ranks, unread;
  {
    const std::lock_guard lock(mutex_);
    if (execution->over || execution->segments_left == 0) return;
    tickets = execution->tickets;
    for (size_t i = 0; i < execution->loaded.size(); ++i) {
      const uint32_t rank = execution->plan.segments[i].rank;
      ranks.insert(rank);
      if (!execution->loaded[i]) unread.insert(rank);
    }
  }
  finish(execution,
         Error{ErrorKind::deadline, "call.reading",
               "`" + execution->plan.tool->decl.name + "` wants tables of " + std::to_string(ranks.size()) +
                   " ranks, and " + std::to_string(ranks.size() - unread.size()) + " of them were read in " +
                   std::to_string(parts_.analysis_deadline.count() / 1000) + " s.",
               "Restrict it to fewer ranks (WHERE rank = N, or the argument `rank`), or make the same call again: what "
               "was read is kept.",
               ""});
  for (const auto ticket : tickets) parts_.segments.withdraw(ticket);
}

void Executions::deadline_passed(const ExecutionPtr& execution) {
  ThreadPool::JobId job = 0;  // the one that is late: a call that begins again is another
  {
    const std::lock_guard lock(mutex_);
    if (execution->over) return;
    execution->deadline_hit = true;
    job = execution->job;
  }
  execution->cancel.set();
  parts_.loop.run_after(limits::kAbandonAfter, [this, execution, job] {
    if (calls_.abandon(job)) {
      const std::lock_guard lock(mutex_);
      ++abandoned_;
      ++abandoned_by_part_[part_of(execution->plan.tool->decl)];
      log::warn("a call of " + execution->plan.tool->decl.name + " does not end; its thread is written off");
    }
    finish(execution, Error{});  // deadline_hit names the error
  });
}

ProgressGauge::Value Executions::progress_of(const Execution& execution) const {  // mutex_ held
  if (execution.segments_left == 0) return execution.progress.get();
  if (execution.plan.segments.size() > 1) return progress_of_many(execution);
  ProgressGauge::Value sum;
  for (const auto ticket : execution.tickets) {
    const auto one = parts_.segments.progress(ticket);
    sum.done += one.done;
    sum.total += one.total;
    if (*one.phase != '\0') sum.phase = one.phase;
  }
  return sum;
}

/// In thousandths of a segment: how large those are that have not begun nobody knows, and those that are read are gone.
ProgressGauge::Value Executions::progress_of_many(const Execution& execution) const {  // mutex_ held
  constexpr uint64_t kWhole = 1000;
  ProgressGauge::Value sum;
  sum.total = kWhole * execution.plan.segments.size();
  sum.phase = "reading";
  for (const auto& loaded : execution.loaded) sum.done += loaded ? kWhole : 0;
  for (const auto ticket : execution.tickets) {
    const auto one = parts_.segments.progress(ticket);
    if (one.total != 0) sum.done += std::min(kWhole - 1, kWhole * one.done / one.total);
  }
  sum.done = execution.most_read = std::max(execution.most_read, sum.done);
  return sum;
}

}  // namespace stepwise::engine
