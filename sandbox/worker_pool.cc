#include "sandbox/worker_pool.h"

#include <algorithm>
#include <utility>

#include "sandbox/limits.h"

namespace stepwise::sandbox {
namespace {

Clock::TimePoint::duration backoff_after(int deaths_in_a_row) {
  if (deaths_in_a_row < kDeathsBeforeBackoff) return 0s;
  Clock::TimePoint::duration wait = kFirstBackoff;
  for (int i = kDeathsBeforeBackoff; i < deaths_in_a_row && wait < kMaxBackoff; ++i) wait *= 2;
  return std::min<Clock::TimePoint::duration>(wait, kMaxBackoff);
}

Error backoff_error(const engine::PluginInfo& plugin, int deaths, Clock::TimePoint::duration left) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(left).count();
  return {ErrorKind::busy, "plugin.backoff",
          "Plugin `" + plugin.id + "` ended its worker " + std::to_string(deaths) + " times in a row.",
          "It is tried again in " + std::to_string(seconds) + " s.", plugin.library_path};
}

}  // namespace

Worker::Worker(std::unique_ptr<WorkerProcess> process_of, store::Descriptor socket)
    : process(std::move(process_of)),
      channel(std::move(socket), kMaxMessageFromWorkerBytes, Channel::Descriptors::drop) {}

WorkerPool::~WorkerPool() {
  // First every connection, which asks them all to end; then the waiting for each.
  std::vector<std::unique_ptr<WorkerProcess>> processes;
  for (auto& [library, entry] : plugins_) {
    for (auto& worker : entry.idle) processes.push_back(std::move(worker->process));
    entry.idle.clear();
  }
  for (const auto& process : processes) process->end();
}

Result<std::unique_ptr<Worker>> WorkerPool::take(const engine::PluginInfo& plugin) {
  std::vector<std::unique_ptr<Worker>> ended;  // outlives the lock: they are reaped without it
  {
    const std::lock_guard lock(mutex_);
    Entry& entry = plugins_[plugin.library_path];
    while (!entry.idle.empty()) {
      std::unique_ptr<Worker> worker = std::move(entry.idle.back());
      entry.idle.pop_back();
      if (!worker->process->has_ended()) return worker;
      ended.push_back(std::move(worker));
    }
    const auto now = clock_.now();
    if (now < entry.not_before) return backoff_error(plugin, entry.deaths_in_a_row, entry.not_before - now);
  }
  store::Descriptor socket;
  SW_ASSIGN_OR_RETURN(auto process, WorkerProcess::start(program_, socket));
  return std::make_unique<Worker>(std::move(process), std::move(socket));
}

void WorkerPool::give_back(const engine::PluginInfo& plugin, std::unique_ptr<Worker> worker) {
  {
    const std::lock_guard lock(mutex_);
    Entry& entry = plugins_[plugin.library_path];
    entry.deaths_in_a_row = 0;
    entry.not_before = {};
    if (entry.idle.size() < kMaxIdleWorkers) {
      entry.idle.push_back(std::move(worker));
      return;
    }
  }
  const std::unique_ptr<WorkerProcess> process = std::move(worker->process);
  worker.reset();
  process->end();
}

void WorkerPool::count_death(const engine::PluginInfo& plugin) {
  const std::lock_guard lock(mutex_);
  Entry& entry = plugins_[plugin.library_path];
  ++entry.deaths_in_a_row;
  entry.not_before = clock_.now() + backoff_after(entry.deaths_in_a_row);
}

}  // namespace stepwise::sandbox
