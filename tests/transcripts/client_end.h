// The client's end of a connection in tests: one for each transport, so that one runner replays through all.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/transport/transport.h"

namespace stepwise::transcripts {

/// put, end and take belong to the test's thread, serve to the server's.
class ClientEnd {
 public:
  virtual ~ClientEnd() = default;
  /// What the server is to run on.
  virtual transport::Transport& server_end() = 0;
  /// The server has returned: take sees the end after what was sent.
  virtual void server_done() = 0;

  virtual void put(std::string_view message) = 0;
  /// A message without the end of its frame; only before end.
  virtual void put_unfinished(std::string_view message) = 0;
  virtual void end() = 0;
  /// Waits for a message; nullopt: the connection is over, or nothing came for a minute.
  virtual std::optional<std::string> take() = 0;
};

struct TransportKind {
  const char* name;
  std::function<std::unique_ptr<ClientEnd>()> connect;
};
/// Memory, lines on pipes, the readable framing on pipes.
std::vector<TransportKind> transport_kinds();

}  // namespace stepwise::transcripts
