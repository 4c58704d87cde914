// Framed messages on their way out, bounded. Not locked: its owner does that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "protocol/transport/transport.h"

namespace stepwise::transport {

/// Past the bound, droppable messages go first: a new one is not taken, and those queued give way to a required one.
/// Required messages are never refused; whoever causes them (the reader) stops while full().
class OutQueue {
 public:
  explicit OutQueue(size_t max_bytes) : max_bytes_(max_bytes) {}

  void push(std::string bytes, Delivery delivery);
  /// The oldest; it no longer counts.
  std::optional<std::string> pop();
  void clear();

  bool full() const { return bytes_ >= max_bytes_; }
  size_t bytes() const { return bytes_; }
  uint64_t dropped() const { return dropped_; }

 private:
  struct Item {
    std::string bytes;
    Delivery delivery;
  };
  void drop_droppable();

  size_t max_bytes_, bytes_ = 0;
  uint64_t dropped_ = 0;
  std::deque<Item> items_;
};

}  // namespace stepwise::transport
