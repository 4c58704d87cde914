// A connection over a transport: what comes in is handled, all answers go out the same way.
//
// Life: made -> message, lost (from the transport's run, one thread) -> finish (the same thread, once).
#pragma once

#include <chrono>
#include <memory>
#include <string_view>

#include "protocol/mcp/connection.h"
#include "protocol/mcp/transport_outlet.h"
#include "protocol/transport/transport.h"

namespace stepwise::mcp {

class Session final : public transport::Receiver {
 public:
  Session(std::shared_ptr<const Server> server, transport::Transport& out);
  ~Session() override;  // what is in flight is cancelled: its sinks must not reach for a transport that may be gone

  void message(std::string_view text) override;
  void lost(const Error& why) override;

  /// Calls in flight get their answers within that time; the others are cancelled and told `server.stopping`.
  void finish(std::chrono::milliseconds within);

 private:
  const std::shared_ptr<TransportOutlet> outlet_;
  const std::shared_ptr<Connection> connection_;
};

}  // namespace stepwise::mcp
