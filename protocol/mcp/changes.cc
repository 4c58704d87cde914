#include "protocol/mcp/changes.h"

#include <utility>

namespace stepwise::mcp {

void Changes::tell(const Change& change) {
  const std::lock_guard lock(mutex_);
  for (const auto& [id, listener] : listeners_) listener(change);
}

Changes::Id Changes::listen(Listener listener) {
  const std::lock_guard lock(mutex_);
  listeners_.emplace(++last_, std::move(listener));
  return last_;
}

void Changes::unlisten(Id id) {
  const std::lock_guard lock(mutex_);
  listeners_.erase(id);
}

void Changes::on_subscribe(std::function<void()> hook) {
  const std::lock_guard lock(hook_mutex_);
  hook_ = std::move(hook);
}

void Changes::subscribed() const {
  const std::lock_guard lock(hook_mutex_);
  if (hook_) hook_();
}

}  // namespace stepwise::mcp
