#include "core/engine/segment_service.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/ingest/ingest.h"

namespace stepwise::engine {
namespace {

constexpr size_t kMaxHeld = 256;  // mapped files; what is evicted here is mapped again in microseconds

Error cancelled() { return {ErrorKind::cancelled, "call.cancelled", "Reading the profile was cancelled.", "", ""}; }

}  // namespace

struct SegmentService::Job {
  OpenProfilePtr profile;
  SegmentId id;
  store::SegmentKey key;
  CancelFlag cancel;
  ProgressGauge progress;
  std::map<Ticket, Done> waiting;  // guarded by the service's mutex
  uint64_t interest = 0;           // counts requests, so that a linger knows whether somebody came meanwhile
};

SegmentService::SegmentService(store::Cache& cache, EventLoop& loop, unsigned threads)
    : cache_(cache), loop_(loop), threads_(threads), pool_(threads) {}

/// Damage shows at the first use of a column; the cache has dropped the file by then, and we must not hold on to it.
bool SegmentService::usable(const Held& held, const store::SegmentKey& key) {
  return held.key == key && !held.loaded.segment->is_damaged();
}

SegmentService::Ticket SegmentService::request(OpenProfilePtr profile, uint32_t rank, table::Group group,
                                               const store::SegmentKey& key, Done done) {
  const SegmentId id{profile->id, rank, group};
  std::unique_lock lock(mutex_);
  const Ticket ticket = ++last_ticket_;
  if (const auto it = held_.find(id); it != held_.end() && usable(it->second, key)) {
    it->second.last_use = ++uses_;
    const LoadedSegment loaded{it->second.loaded.segment, true, 0};
    lock.unlock();
    done(loaded);
    return ticket;
  }
  if (stopping_) {
    lock.unlock();
    done(cancelled());
    return ticket;
  }
  std::shared_ptr<Job>& slot = jobs_[id];
  const bool fits = slot != nullptr && slot->key == key && !slot->cancel.is_set();
  if (!fits) {
    slot = std::make_shared<Job>();
    slot->profile = std::move(profile);
    slot->id = id;
    slot->key = key;
    pool_.submit([this, job = slot] { run(job); });
  }
  slot->waiting.emplace(ticket, std::move(done));
  ++slot->interest;
  tickets_.emplace(ticket, slot);
  return ticket;
}

void SegmentService::run(const std::shared_ptr<Job>& job) {
  const auto began = std::chrono::steady_clock::now();
  const ingest::RankLayout* rank = job->profile->find_rank(job->id.rank);
  ingest::IngestOptions options;
  options.threads = threads_;
  const store::SegmentName name{job->id.profile, job->profile->layout.opened.string(), job->id.rank, job->id.group};
  auto got = cache_.get(name, job->key, job->cancel, [&](store::SegmentBuilder& out) {
    {
      const std::lock_guard lock(mutex_);
      ++ingests_;
    }
    return ingest::ingest_group(job->profile->layout, *rank, job->id.group, job->cancel, job->progress, options, out);
  });
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;

  Result<LoadedSegment> result = cancelled();
  if (got.ok()) {
    result = LoadedSegment{got.value().segment, got.value().from_cache, took.count()};
  } else {
    result = got.take_error();
  }
  std::map<Ticket, Done> waiting;
  {
    const std::lock_guard lock(mutex_);
    waiting = std::move(job->waiting);
    for (const auto& [ticket, done] : waiting) tickets_.erase(ticket);
    if (const auto it = jobs_.find(job->id); it != jobs_.end() && it->second == job) jobs_.erase(it);
    if (result.ok()) hold(job->id, job->key, result.value());
  }
  for (auto& [ticket, done] : waiting) done(result);
}

void SegmentService::hold(const SegmentId& id, const store::SegmentKey& key, const LoadedSegment& loaded) {
  held_[id] = {key, loaded, ++uses_};
  if (held_.size() <= kMaxHeld) return;
  const auto oldest = std::min_element(
      held_.begin(), held_.end(), [](const auto& a, const auto& b) { return a.second.last_use < b.second.last_use; });
  held_.erase(oldest);
}

void SegmentService::withdraw(Ticket ticket) {
  std::shared_ptr<Job> job;
  {
    const std::lock_guard lock(mutex_);
    const auto it = tickets_.find(ticket);
    if (it == tickets_.end()) return;
    job = it->second;
    tickets_.erase(it);
    job->waiting.erase(ticket);
    if (!job->waiting.empty()) return;
  }
  start_linger(job);
}

void SegmentService::start_linger(const std::shared_ptr<Job>& job) {
  uint64_t seen = 0;
  {
    const std::lock_guard lock(mutex_);
    seen = job->interest;
  }
  loop_.run_after(limits::kIngestLinger, [this, job, seen] {
    const std::lock_guard lock(mutex_);
    if (job->waiting.empty() && job->interest == seen) job->cancel.set();
  });
}

ProgressGauge::Value SegmentService::progress(Ticket ticket) const {
  const std::lock_guard lock(mutex_);
  const auto it = tickets_.find(ticket);
  return it == tickets_.end() ? ProgressGauge::Value{} : it->second->progress.get();
}

std::shared_ptr<const store::Segment> SegmentService::peek(const SegmentId& id, const store::SegmentKey& key) const {
  const std::lock_guard lock(mutex_);
  const auto it = held_.find(id);
  return it != held_.end() && usable(it->second, key) ? it->second.loaded.segment : nullptr;
}

uint64_t SegmentService::ingests_started() const {
  const std::lock_guard lock(mutex_);
  return ingests_;
}

bool SegmentService::stop(std::chrono::milliseconds wait) {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const auto& [id, job] : jobs_) job->cancel.set();
  }
  return pool_.stop(wait);
}

}  // namespace stepwise::engine
