#include "core/ingest/timeline/trace_tracks.h"

#include <algorithm>

namespace stepwise::ingest {

void TrackIndex::clear() {
  keys_.clear();
  std::fill(slots_.begin(), slots_.end(), 0);
  last_ = 0;
}

uint32_t TrackIndex::find_or_add(TrackKey key) {
  if (2 * (keys_.size() + 1) > slots_.size()) grow();
  const size_t mask = slots_.size() - 1;
  size_t slot = hash(key) & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    if (keys_[slots_[slot] - 1] == key) return slots_[slot] - 1;
  }
  keys_.push_back(key);
  slots_[slot] = static_cast<uint32_t>(keys_.size());
  return slots_[slot] - 1;
}

void TrackIndex::grow() {
  slots_.assign(std::max<size_t>(64, 2 * slots_.size()), 0);
  const size_t mask = slots_.size() - 1;
  for (uint32_t number = 0; number < keys_.size(); ++number) {
    size_t slot = hash(keys_[number]) & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = number + 1;
  }
}

}  // namespace stepwise::ingest
