// Numbers (pid, tid) pairs in the order of first appearance.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ingest/timeline/trace_event.h"

namespace stepwise::ingest {

class TrackIndex {
 public:
  uint32_t number_of(TrackKey key) {
    // Neighbours are mostly on one track.
    if (last_ < keys_.size() && keys_[last_] == key) return last_;
    return last_ = find_or_add(key);
  }
  const std::vector<TrackKey>& keys() const { return keys_; }
  void clear();

 private:
  uint32_t find_or_add(TrackKey key);
  void grow();
  static uint64_t hash(TrackKey key) {
    const uint64_t mixed =
        (static_cast<uint64_t>(key.pid) * 0x9E3779B97F4A7C15 ^ static_cast<uint64_t>(key.tid)) * 0xD6E8FEB86659FD93;
    return mixed ^ (mixed >> 32);
  }

  std::vector<TrackKey> keys_;
  std::vector<uint32_t> slots_;  // number + 1; 0: free. At most half are used.
  uint32_t last_ = 0;
};

}  // namespace stepwise::ingest
