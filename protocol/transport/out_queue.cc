#include "protocol/transport/out_queue.h"

#include <utility>

namespace stepwise::transport {

void OutQueue::push(std::string bytes, Delivery delivery) {
  if (bytes_ + bytes.size() > max_bytes_) {
    if (delivery == Delivery::droppable) {
      ++dropped_;
      return;
    }
    drop_droppable();
  }
  bytes_ += bytes.size();
  items_.push_back({std::move(bytes), delivery});
}

std::optional<std::string> OutQueue::pop() {
  if (items_.empty()) return std::nullopt;
  std::string oldest = std::move(items_.front().bytes);
  items_.pop_front();
  bytes_ -= oldest.size();
  return oldest;
}

void OutQueue::clear() {
  items_.clear();
  bytes_ = 0;
}

void OutQueue::drop_droppable() {
  dropped_ += std::erase_if(items_, [this](const Item& item) {
    if (item.delivery == Delivery::required) return false;
    bytes_ -= item.bytes.size();
    return true;
  });
}

}  // namespace stepwise::transport
