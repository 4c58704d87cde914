#include "core/engine/thread_pool.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

namespace stepwise::engine {

struct ThreadPool::State : std::enable_shared_from_this<State> {
  std::mutex mutex;
  std::condition_variable work, ended;
  std::deque<std::pair<JobId, std::function<void()>>> queue;
  std::set<JobId> running, written_off;
  JobId last_id = 0;
  unsigned most = 0, alive = 0;  // threads that are counted on
  unsigned idle = 0;             // of those, waiting for a job
  bool stopping = false;

  void start_thread() {  // mutex held
    ++alive;
    std::thread([self = shared_from_this()] { self->loop(); }).detach();
  }

  void loop() {
    std::unique_lock lock(mutex);
    while (true) {
      ++idle;
      work.wait(lock, [this] { return stopping || !queue.empty(); });
      --idle;
      if (queue.empty()) break;
      auto [id, job] = std::move(queue.front());
      queue.pop_front();
      running.insert(id);
      lock.unlock();
      job();
      job = nullptr;  // what it holds may be large, and its destructor may want this pool
      lock.lock();
      running.erase(id);
      if (written_off.erase(id) != 0) {
        ended.notify_all();
        return;  // replaced long ago
      }
    }
    --alive;
    ended.notify_all();
  }
};

ThreadPool::ThreadPool(unsigned threads) : state_(std::make_shared<State>()) { state_->most = threads; }

ThreadPool::~ThreadPool() { stop(std::chrono::milliseconds(0)); }

ThreadPool::JobId ThreadPool::submit(std::function<void()> job) {
  const std::lock_guard lock(state_->mutex);
  const JobId id = ++state_->last_id;
  if (state_->stopping) return id;
  state_->queue.emplace_back(id, std::move(job));
  // One that was woken and has not taken its job yet still counts as idle, hence the comparison with the queue.
  if (state_->idle < state_->queue.size() && state_->alive < state_->most) {
    state_->start_thread();
  } else {
    state_->work.notify_one();
  }
  return id;
}

bool ThreadPool::abandon(JobId job) {
  const std::lock_guard lock(state_->mutex);
  if (state_->running.count(job) == 0 || !state_->written_off.insert(job).second) return false;
  --state_->alive;
  if (!state_->stopping && !state_->queue.empty()) state_->start_thread();
  return true;
}

bool ThreadPool::stop(std::chrono::milliseconds wait) {
  decltype(state_->queue) dropped;  // outlives the lock: what jobs hold may want this pool
  std::unique_lock lock(state_->mutex);
  state_->stopping = true;
  dropped.swap(state_->queue);
  state_->work.notify_all();
  return state_->ended.wait_for(lock, wait, [this] { return state_->alive == 0 && state_->written_off.empty(); });
}

}  // namespace stepwise::engine
