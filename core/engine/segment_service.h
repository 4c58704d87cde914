// Segments for those who need them: held while they are used, read once however many ask.
//
// A request for a segment that is mapped is answered at once; otherwise one job a segment runs on the ingest threads.
// When the last who wanted it has withdrawn, the job goes on for limits::kIngestLinger (a client that timed out and
// tries again must not start it over), then it is cancelled.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/event_loop.h"
#include "core/base/task.h"
#include "core/engine/open_profile.h"
#include "core/engine/thread_pool.h"
#include "core/store/cache.h"

namespace stepwise::engine {

struct SegmentId {
  std::string profile;
  uint32_t rank = 0;
  table::Group group = table::Group::files;
  friend auto operator<=>(const SegmentId&, const SegmentId&) = default;
};

struct LoadedSegment {
  std::shared_ptr<const store::Segment> segment;
  bool from_cache = false;
  double seconds = 0;  // of reading it; wall time
};

class SegmentService {
 public:
  using Done = std::function<void(Result<LoadedSegment>)>;
  using Ticket = uint64_t;

  SegmentService(store::Cache& cache, EventLoop& loop, unsigned threads);

  /// `done` is called exactly once, on an ingest thread or on the caller's stack when the segment is at hand, unless
  /// it is withdrawn before.
  Ticket request(OpenProfilePtr profile, uint32_t rank, table::Group group, const store::SegmentKey& key, Done done);
  void withdraw(Ticket ticket);
  /// Of the job that the ticket waits for; zeros when it has ended.
  ProgressGauge::Value progress(Ticket ticket) const;
  /// The segment if it is mapped now and still fits the key; never reads.
  std::shared_ptr<const store::Segment> peek(const SegmentId& id, const store::SegmentKey& key) const;
  uint64_t ingests_started() const;

  /// Flags every job and waits. False: a thread did not come back.
  bool stop(std::chrono::milliseconds wait);

 private:
  struct Job;
  struct Held {
    store::SegmentKey key;
    LoadedSegment loaded;
    uint64_t last_use = 0;
  };
  static bool usable(const Held& held, const store::SegmentKey& key);
  void run(const std::shared_ptr<Job>& job);
  void start_linger(const std::shared_ptr<Job>& job);
  void hold(const SegmentId& id, const store::SegmentKey& key, const LoadedSegment& loaded);

  store::Cache& cache_;
  EventLoop& loop_;
  const unsigned threads_;
  mutable std::mutex mutex_;
  std::map<SegmentId, std::shared_ptr<Job>> jobs_;
  std::map<Ticket, std::shared_ptr<Job>> tickets_;
  std::map<SegmentId, Held> held_;
  Ticket last_ticket_ = 0;
  uint64_t uses_ = 0, ingests_ = 0;
  bool stopping_ = false;
  ThreadPool pool_;
};

}  // namespace stepwise::engine
