// Results by the key of their call, as many as are allowed and take no more memory than is allowed; the least recently
// used goes first. Failures are never kept. [any thread]
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core/engine/result.h"

namespace stepwise::engine {

using ResultPtr = std::shared_ptr<const ToolResult>;

/// Of results alone; a few hundred of the largest would take ten times that.
inline constexpr size_t kResultCacheBytes = 256u << 20;

/// What a result takes in memory, about: several times its text.
size_t memory_bytes(const ToolResult& result);

class ResultCache {
 public:
  explicit ResultCache(size_t max_entries, size_t max_bytes = kResultCacheBytes)
      : max_entries_(max_entries), max_bytes_(max_bytes) {}
  ResultPtr find(const std::string& key);  // nullptr: not there
  void put(const std::string& key, ResultPtr result);
  uint64_t hits() const;

 private:
  struct Entry {
    std::string key;
    ResultPtr result;
    size_t bytes;
  };
  const size_t max_entries_, max_bytes_;
  mutable std::mutex mutex_;
  std::list<Entry> by_use_;  // most recent first
  std::map<std::string, std::list<Entry>::iterator> index_;
  size_t bytes_ = 0;
  uint64_t hits_ = 0;
};

}  // namespace stepwise::engine
