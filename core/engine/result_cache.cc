#include "core/engine/result_cache.h"

#include <iterator>
#include <utility>

namespace stepwise::engine {
namespace {

size_t memory_bytes(const Json& value) {
  constexpr size_t kNodeBytes = 80;  // of a map, with the key's string
  size_t bytes = sizeof(Json);
  if (value.is_string()) bytes += sizeof(std::string) + value.get_ref<const std::string&>().size();
  if (value.is_array()) {
    for (const Json& one : value) bytes += memory_bytes(one);
  }
  if (value.is_object()) {
    for (const auto& [key, one] : value.get_ref<const Json::object_t&>()) {
      bytes += kNodeBytes + key.size() + memory_bytes(one);
    }
  }
  return bytes;
}

}  // namespace

size_t memory_bytes(const ToolResult& result) {
  size_t bytes = sizeof result + result.text.size() + memory_bytes(result.body) + memory_bytes(result.content);
  for (const Json& row : result.rows) bytes += memory_bytes(row);
  for (const std::string& piece : result.pieces) bytes += sizeof piece + piece.size();
  return bytes;
}

ResultPtr ResultCache::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto it = index_.find(key);
  if (it == index_.end()) return nullptr;
  ++hits_;
  by_use_.splice(by_use_.begin(), by_use_, it->second);
  return it->second->result;
}

void ResultCache::put(const std::string& key, ResultPtr result) {
  const size_t bytes = 2 * key.size() + memory_bytes(*result);
  if (bytes > max_bytes_) return;
  std::list<Entry> gone;  // outlives the lock: freeing many rows takes a while
  const std::lock_guard lock(mutex_);
  if (index_.count(key) != 0) return;
  by_use_.push_front({key, std::move(result), bytes});
  index_[key] = by_use_.begin();
  bytes_ += bytes;
  while (by_use_.size() > max_entries_ || bytes_ > max_bytes_) {
    index_.erase(by_use_.back().key);
    bytes_ -= by_use_.back().bytes;
    gone.splice(gone.begin(), by_use_, std::prev(by_use_.end()));
  }
}

uint64_t ResultCache::hits() const {
  const std::lock_guard lock(mutex_);
  return hits_;
}

}  // namespace stepwise::engine
