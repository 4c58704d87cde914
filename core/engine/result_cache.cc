#include "core/engine/result_cache.h"

#include <utility>

namespace stepwise::engine {

ResultPtr ResultCache::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto it = index_.find(key);
  if (it == index_.end()) return nullptr;
  ++hits_;
  by_use_.splice(by_use_.begin(), by_use_, it->second);
  return it->second->result;
}

void ResultCache::put(const std::string& key, ResultPtr result) {
  const std::lock_guard lock(mutex_);
  if (index_.count(key) != 0) return;
  by_use_.push_front({key, std::move(result)});
  index_[key] = by_use_.begin();
  if (by_use_.size() <= max_entries_) return;
  index_.erase(by_use_.back().key);
  by_use_.pop_back();
}

uint64_t ResultCache::hits() const {
  const std::lock_guard lock(mutex_);
  return hits_;
}

}  // namespace stepwise::engine
