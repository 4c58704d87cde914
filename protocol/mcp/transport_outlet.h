// An outlet that all requests of one transport share.
#pragma once

#include <mutex>

#include "protocol/mcp/outlet.h"

namespace stepwise::mcp {

class TransportOutlet final : public Outlet {
 public:
  explicit TransportOutlet(transport::Transport& out) : out_(&out) {}

  void send(std::string text, transport::Delivery delivery) override;
  void finish(std::string text, std::optional<int> error_code) override;
  /// The transport is about to go; from here on nothing is sent.
  void detach();

 private:
  std::mutex mutex_;
  transport::Transport* out_;
};

}  // namespace stepwise::mcp
