// How much memory requests may hold, all together. A connection's first kFreeBufferBytes are always granted, so that
// those who fill the rest with large bodies leave room for everybody's small ones. [any thread]
#pragma once

#include <atomic>
#include <cstddef>

#include "protocol/http/limits.h"

namespace stepwise::http {

class BufferStore {
 public:
  explicit BufferStore(size_t shared_bytes = kSharedBufferBytes) : shared_bytes_(shared_bytes) {}
  size_t in_use() const { return in_use_.load(std::memory_order_relaxed); }

 private:
  friend class BufferShare;
  const size_t shared_bytes_;
  std::atomic<size_t> in_use_{0};
};

/// What one connection holds; given back in the end. One thread at a time.
class BufferShare {
 public:
  explicit BufferShare(BufferStore& store) : store_(store) {}
  ~BufferShare() { store_.in_use_.fetch_sub(bytes_, std::memory_order_relaxed); }
  BufferShare(const BufferShare&) = delete;
  BufferShare& operator=(const BufferShare&) = delete;

  /// It holds so much now. False: more than there is, so it must let go.
  bool set(size_t bytes) {
    const size_t before = bytes_;
    bytes_ = bytes;
    // Unsigned on purpose: a shrinking share adds what wraps around to less.
    const size_t in_use = store_.in_use_.fetch_add(bytes - before, std::memory_order_relaxed) + (bytes - before);
    return bytes <= kFreeBufferBytes || bytes <= before || in_use <= store_.shared_bytes_;
  }

 private:
  BufferStore& store_;
  size_t bytes_ = 0;
};

}  // namespace stepwise::http
