#include "protocol/mcp/profile_watch.h"

#include <utility>

namespace stepwise::mcp {

ProfileWatch::ProfileWatch(engine::Engine& engine, std::shared_ptr<Changes> changes, std::chrono::milliseconds every)
    : engine_(engine), changes_(std::move(changes)), every_(every), thread_([this] { run(); }) {
  changes_->on_subscribe([this] {
    {
      const std::lock_guard lock(mutex_);
      wanted_ = true;
    }
    look();
  });
}

ProfileWatch::~ProfileWatch() {
  changes_->on_subscribe({});
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stopped_.notify_one();
  thread_.join();
}

void ProfileWatch::look() const {
  for (const std::string& id : engine_.changed_profiles()) {
    changes_->tell({Change::Kind::resource, "profile://" + id + "/", true});
  }
}

void ProfileWatch::run() {
  std::unique_lock lock(mutex_);
  while (!stopped_.wait_for(lock, every_, [this] { return stopping_; })) {
    if (!wanted_) continue;
    lock.unlock();
    look();
    lock.lock();
  }
}

}  // namespace stepwise::mcp
