// Results by the key of their call; the least recently used goes first. Failures are never kept. [any thread]
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

class ResultCache {
 public:
  explicit ResultCache(size_t max_entries) : max_entries_(max_entries) {}
  ResultPtr find(const std::string& key);  // nullptr: not there
  void put(const std::string& key, ResultPtr result);
  uint64_t hits() const;

 private:
  struct Entry {
    std::string key;
    ResultPtr result;
  };
  const size_t max_entries_;
  mutable std::mutex mutex_;
  std::list<Entry> by_use_;  // most recent first
  std::map<std::string, std::list<Entry>::iterator> index_;
  uint64_t hits_ = 0;
};

}  // namespace stepwise::engine
