#include "protocol/transport/memory.h"

#include <utility>

namespace stepwise::transport {

Result<End> Memory::run(Receiver& receiver) {
  for (;;) {
    std::string message;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return stopped_ || ended_ || !incoming_.empty(); });
      if (stopped_) return End::stopped;
      if (incoming_.empty()) return End::input_ended;
      message = std::move(incoming_.front());
      incoming_.pop_front();
    }
    receiver.message(message);
  }
}

void Memory::send(std::string message, Delivery) {
  std::lock_guard lock(mutex_);
  if (closed_) return;
  sent_.push_back(std::move(message));
  changed_.notify_all();
}

void Memory::stop() {
  std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

void Memory::close(std::chrono::milliseconds) {
  std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

void Memory::put(std::string message) {
  std::lock_guard lock(mutex_);
  incoming_.push_back(std::move(message));
  changed_.notify_all();
}

void Memory::end() {
  std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

std::optional<std::string> Memory::take(std::chrono::milliseconds within) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, within, [this] { return closed_ || !sent_.empty(); });
  if (sent_.empty()) return std::nullopt;
  std::string oldest = std::move(sent_.front());
  sent_.pop_front();
  return oldest;
}

size_t Memory::sent_count() const {
  std::lock_guard lock(mutex_);
  return sent_.size();
}

}  // namespace stepwise::transport
