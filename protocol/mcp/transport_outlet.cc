#include "protocol/mcp/transport_outlet.h"

#include <utility>

namespace stepwise::mcp {

void TransportOutlet::send(std::string text, transport::Delivery delivery) {
  const std::lock_guard lock(mutex_);
  if (out_ != nullptr) out_->send(std::move(text), delivery);
}

void TransportOutlet::finish(std::string text, std::optional<int>) {
  send(std::move(text), transport::Delivery::required);
}

void TransportOutlet::detach() {
  const std::lock_guard lock(mutex_);
  out_ = nullptr;
}

}  // namespace stepwise::mcp
