// What the server counts. Made before the server, so that an endpoint can show it. [any thread]
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace stepwise::http {

/// Since the start; `open_...` and `buffered_bytes` are of now.
struct HttpCounters {
  uint64_t connections = 0, open_connections = 0, requests = 0;
  uint64_t open_streams = 0, idle_streams = 0;  // idle ones are counted in both
  uint64_t buffered_bytes = 0;                  // of requests that are under way or being answered
  std::map<int, uint64_t> answers;              // by status
  std::map<std::string, uint64_t> refused_by;   // by guard: host, origin, token, encoding, expect, headers, body,
                                                // syntax, slow, full, crowded (gave way to a new connection), stalled
                                                // (took no answer)
};

class Tally {
 public:
  template <class Change>
  void change(Change change) {
    const std::lock_guard lock(mutex_);
    change(counters_);
  }
  HttpCounters get() const {
    const std::lock_guard lock(mutex_);
    return counters_;
  }

 private:
  mutable std::mutex mutex_;
  HttpCounters counters_;
};

}  // namespace stepwise::http
