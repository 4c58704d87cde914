#include "core/engine/execution.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/engine/execution_state.h"
#include "core/engine/export_rows.h"
#include "core/engine/render.h"

namespace stepwise::engine {
namespace {

Answer failed(Error error) {
  Answer answer;
  answer.error = std::move(error);
  return answer;
}

Error stopping_error() { return {ErrorKind::cancelled, "server.stopping", "The server is stopping.", "", ""}; }

}  // namespace

Executions::Executions(Parts parts)
    : parts_(std::move(parts)),
      results_(limits::kResultCacheEntries),
      performer_{parts_.runner, results_},
      calls_(parts_.call_slots) {}

WaiterId Executions::submit(Request request, std::shared_ptr<Sink> sink) {
  auto waiter = std::make_shared<Waiter>();
  waiter->request = std::move(request);
  waiter->sink = std::move(sink);
  waiter->last_told =
      std::chrono::steady_clock::now();  // nothing to tell yet: the first news is the first that is told
  std::optional<Error> refused;
  {
    const std::lock_guard lock(mutex_);
    waiter->id = ++last_waiter_;
    if (stopping_) {
      refused = stopping_error();
    } else if (waiters_.size() >= static_cast<size_t>(limits::kMaxCallsInAll)) {
      refused = Error{ErrorKind::busy, "server.busy",
                      "The server has " + std::to_string(limits::kMaxCallsInAll) + " calls in flight.",
                      "Try again when some have been answered.", ""};
    } else {
      waiters_.emplace(waiter->id, waiter);
    }
  }
  if (refused) {
    deliver(waiter, failed(*std::move(refused)));
    return waiter->id;
  }
  if (waiter->request.answer_running) {
    waiter->running_timer = parts_.loop.run_after(parts_.running_after, [this, waiter] { answer_running(waiter); });
  }
  if (waiter->request.want_progress) {
    parts_.loop.post([this] {
      if (!std::exchange(ticking_, true)) tick();
    });
  }
  calls_.submit([this, waiter] { prepare(waiter); });
  return waiter->id;
}

void Executions::prepare(const WaiterPtr& waiter) {
  if (waiter->ended && !waiter->wanted_later) return;
  auto plan = make_plan(parts_.registry(), parts_.sessions, waiter->request.tool, waiter->request.arguments);
  if (!plan.ok()) return deliver(waiter, failed(plan.take_error()));
  waiter->plan = std::move(plan).value();
  waiter->plan.client = waiter->request.client;
  if (waiter->plan.is_pure()) {
    if (ResultPtr kept = results_.find(waiter->plan.key)) return deliver_result(waiter, kept);
  }
  join_or_start(waiter);
}

void Executions::join_or_start(const WaiterPtr& waiter) {
  ExecutionPtr started;
  std::optional<Error> refused;
  {
    const std::lock_guard lock(mutex_);
    if (waiter->ended && !waiter->wanted_later) return;
    const ToolDecl& tool = waiter->plan.tool->decl;
    // What depends on more than its plan is never shared.
    if (!waiter->plan.is_pure()) waiter->plan.key += "#" + std::to_string(waiter->id);
    ExecutionPtr& slot = executions_[waiter->plan.key];
    if (slot == nullptr) {
      if (abandoned_by_part_[part_of(tool)] >= limits::kMaxAbandonedThreads) {
        executions_.erase(waiter->plan.key);
        refused = Error{ErrorKind::plugin, "plugin.hangs",
                        (tool.plugin.empty() ? "`" : "Plugin `") + part_of(tool) +
                            "` is refused: its calls did not end when they were asked to.",
                        "", ""};
      } else {
        slot = started = std::make_shared<Execution>();
        started->plan = waiter->plan;
        ++executions_started_;
      }
    }
    if (!refused) {
      if (started == nullptr) ++joins_;
      if (waiter->ended) {
        slot->wanted_later = true;
      } else {
        slot->waiters.push_back(waiter);
        waiter->execution = slot;
      }
    }
  }
  if (refused) return deliver(waiter, failed(*std::move(refused)));
  if (started != nullptr) load_segments(started);
}

void Executions::load_segments(const ExecutionPtr& execution) {
  const size_t count = execution->plan.segments.size();
  {
    const std::lock_guard lock(mutex_);
    execution->loaded.assign(count, std::nullopt);
    execution->tickets.clear();
    // One more than there are: this function itself, so that the last answer cannot come before all are asked for.
    execution->segments_left = count + 1;
    if (execution->plan.tool->decl.on_demand && count > limits::kSegmentsWaitedFor) {
      execution->reading_timer =
          parts_.loop.run_after(parts_.analysis_deadline, [this, execution] { reading_deadline_passed(execution); });
    }
  }
  for (size_t i = 0; i < count; ++i) {
    const SegmentNeed& need = execution->plan.segments[i];
    const auto ticket = parts_.segments.request(
        execution->plan.profile, need.rank, need.group, need.key,
        [this, execution, i](Result<LoadedSegment> loaded) { segment_done(execution, i, std::move(loaded)); });
    bool unwanted = false;
    {
      const std::lock_guard lock(mutex_);
      execution->tickets.push_back(ticket);
      unwanted = execution->over;
    }
    if (unwanted) parts_.segments.withdraw(ticket);
  }
  segment_done(execution, count, LoadedSegment{});
}

void Executions::segment_done(const ExecutionPtr& execution, size_t index, Result<LoadedSegment> loaded) {
  std::optional<Error> error;
  {
    const std::lock_guard lock(mutex_);
    if (!loaded.ok()) {
      execution->load_error = loaded.take_error();
    } else if (index < execution->loaded.size()) {
      execution->loaded[index] = std::move(loaded).value();
    }
    if (--execution->segments_left != 0 || execution->over) return;
    parts_.loop.cancel_timer(execution->reading_timer);
    error = execution->load_error;
    if (!error) execution->job = calls_.submit([this, execution] { run(execution); });
  }
  if (error) finish(execution, *std::move(error));
}

void Executions::run(const ExecutionPtr& execution) {
  LoadedSegments segments;
  {
    const std::lock_guard lock(mutex_);
    if (execution->over) return;
    for (size_t i = 0; i < execution->loaded.size(); ++i) {
      const SegmentNeed& need = execution->plan.segments[i];
      segments.emplace(std::pair{need.rank, need.group}, *execution->loaded[i]);
    }
    execution->deadline_timer =
        parts_.loop.run_after(parts_.analysis_deadline, [this, execution] { deadline_passed(execution); });
  }
  WantedSegments wanted;
  const auto log = [this, &execution](LogMessage message) { tell(execution, std::move(message)); };
  auto result = perform(execution->plan, segments, performer_, execution->cancel, execution->progress, wanted, log);
  if (!result.ok() && result.error().code == "call.again" && add_segments(*execution, wanted)) {
    parts_.loop.cancel_timer(execution->deadline_timer);
    return load_segments(execution);
  }
  if (!result.ok() && result.error().code == "store.damaged" && !std::exchange(execution->retried, true)) {
    // The cached file was damaged; it is dropped by now, and reading the sources again gives the answer.
    parts_.loop.cancel_timer(execution->deadline_timer);
    return load_segments(execution);
  }
  finish(execution, std::move(result));
}

/// What a tool that reads on demand wants, to be read before it is called again. False: there is nothing new.
bool Executions::add_segments(Execution& execution, const WantedSegments& wanted) {
  bool added = false;
  for (const SegmentNeed& need : execution.plan.on_demand) {
    if (wanted.count({need.rank, need.group}) == 0) continue;
    execution.plan.segments.push_back(need);
    added = true;
  }
  return added;
}

void Executions::finish(const ExecutionPtr& execution, Result<ResultPtr> result) {
  std::vector<WaiterPtr> waiters;
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(execution->over, true)) return;
    waiters = std::move(execution->waiters);
    for (const WaiterPtr& waiter : waiters) waiter->execution = nullptr;
    executions_.erase(execution->plan.key);
    if (execution->deadline_hit) {
      result = Error{ErrorKind::deadline, "call.deadline",
                     "`" + execution->plan.tool->decl.name + "` took longer than " +
                         std::to_string(parts_.analysis_deadline.count() / 1000) + " s and was stopped.",
                     "Narrow the call (one step, one rank).", ""};
    }
  }
  parts_.loop.cancel_timer(execution->deadline_timer);
  for (const WaiterPtr& waiter : waiters) deliver_result(waiter, result);
}

void Executions::deliver_result(const WaiterPtr& waiter, const Result<ResultPtr>& result) {
  if (waiter->ended) return;
  if (!result.ok()) return deliver(waiter, failed(result.error()));
  const CallPlan& plan = waiter->plan;
  ResultPtr told = result.value();
  Answer answer;
  answer.ask = told->ask;
  answer.content = told->content;
  if (!answer.ask.empty() || !answer.content.is_null()) return deliver(waiter, std::move(answer));
  if (!plan.of_path.empty()) {  // others share the result, not the way that this one named the profile
    auto own = std::make_shared<ToolResult>(*told);
    own->warnings.insert(own->warnings.end(), plan.of_path.begin(), plan.of_path.end());
    told = std::move(own);
  }
  const bool exports = !plan.host.export_as.empty() && told->status != Status::not_applicable;
  auto page = exports ? export_page(plan, *told, parts_.out_dir)
                      : render(plan, *told, waiter->request.cap_text ? Reader::client : Reader::program);
  if (!page.ok()) return deliver(waiter, failed(page.take_error()));
  answer.structured = std::move(page.value().structured);
  answer.text = std::move(page.value().text);
  deliver(waiter, std::move(answer));
}

void Executions::tell(const ExecutionPtr& execution, LogMessage message) {
  std::vector<WaiterPtr> waiters;
  {
    const std::lock_guard lock(mutex_);
    waiters = execution->waiters;
  }
  // Posted like answers are, so that it comes before them.
  parts_.loop.post([waiters = std::move(waiters), message = std::move(message)] {
    for (const WaiterPtr& waiter : waiters) {
      if (!waiter->ended) waiter->sink->log(message);
    }
  });
}

void Executions::deliver(const WaiterPtr& waiter, Answer answer) {
  parts_.loop.cancel_timer(waiter->running_timer);
  parts_.loop.post([this, waiter, answer = std::move(answer)]() mutable {
    {
      const std::lock_guard lock(mutex_);
      waiters_.erase(waiter->id);
    }
    if (!waiter->ended.exchange(true)) waiter->sink->done(std::move(answer));
  });
}

void Executions::answer_running(const WaiterPtr& waiter) {  // on the loop
  ProgressGauge::Value value;
  {
    const std::lock_guard lock(mutex_);
    // Answers and cancellations end a waiter without the lock, so it is the exchange that decides who was first.
    if (waiter->ended.exchange(true)) return;
    waiter->wanted_later = true;
    waiters_.erase(waiter->id);
    if (const ExecutionPtr execution = std::exchange(waiter->execution, nullptr)) {
      value = progress_of(*execution);
      execution->wanted_later = true;
      std::erase(execution->waiters, waiter);
    }
  }
  const double ratio =
      value.total == 0 ? 0 : std::min(1.0, static_cast<double>(value.done) / static_cast<double>(value.total));
  // The plan is read by nobody else any more once the waiter has an execution; before that there is none to show.
  const Page page = render_running(nullptr, ratio, value.phase);
  Answer answer;
  answer.structured = page.structured;
  answer.text = page.text;
  waiter->sink->done(std::move(answer));
}

void Executions::cancel(WaiterId id) {
  WaiterPtr waiter;
  {
    const std::lock_guard lock(mutex_);
    const auto it = waiters_.find(id);
    if (it == waiters_.end()) return;
    waiter = it->second;
    waiters_.erase(it);
  }
  waiter->ended = true;
  parts_.loop.cancel_timer(waiter->running_timer);
  detach(waiter);
}

void Executions::detach(const WaiterPtr& waiter) {
  std::vector<SegmentService::Ticket> tickets;
  {
    const std::lock_guard lock(mutex_);
    const ExecutionPtr execution = std::exchange(waiter->execution, nullptr);
    if (execution == nullptr) return;
    std::erase(execution->waiters, waiter);
    if (!execution->waiters.empty() || execution->wanted_later || execution->over) return;
    execution->over = true;
    execution->cancel.set();
    executions_.erase(execution->plan.key);
    tickets = execution->tickets;
  }
  for (const auto ticket : tickets) parts_.segments.withdraw(ticket);
}

void Executions::tick() {  // on the loop
  std::vector<std::pair<WaiterPtr, ProgressGauge::Value>> news;
  bool anybody = false;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, waiter] : waiters_) {
      if (!waiter->request.want_progress) continue;
      anybody = true;
      if (waiter->execution != nullptr) news.emplace_back(waiter, progress_of(*waiter->execution));
    }
  }
  const auto now = std::chrono::steady_clock::now();
  for (auto& [waiter, value] : news) {
    if (waiter->ended) continue;
    const bool grew = value.done > waiter->last_progress.done || value.phase != waiter->last_progress.phase;
    if (!grew && now - waiter->last_told < limits::kProgressAtLeast) continue;
    waiter->last_progress = value;
    waiter->last_told = now;
    waiter->sink->progress(value);
  }
  ticking_ = anybody;
  if (anybody) parts_.loop.run_after(limits::kProgressTick, [this] { tick(); });
}

EngineCounters Executions::counters() const {
  EngineCounters counters;
  counters.ingests = parts_.segments.ingests_started();
  counters.result_cache_hits = results_.hits();
  const std::lock_guard lock(mutex_);
  counters.executions = executions_started_;
  counters.joins = joins_;
  counters.waiting = waiters_.size();
  counters.abandoned_threads = abandoned_;
  return counters;
}

bool Executions::stop() {
  std::map<WaiterId, WaiterPtr> waiters;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    waiters = std::move(waiters_);
    waiters_.clear();
    for (const auto& [key, execution] : executions_) execution->cancel.set();
  }
  for (const auto& [id, waiter] : waiters) deliver(waiter, failed(stopping_error()));
  const bool segments_ended = parts_.segments.stop(limits::kStopJoin);
  return calls_.stop(limits::kStopJoin) && segments_ended;
}

}  // namespace stepwise::engine
