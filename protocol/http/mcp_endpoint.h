// Streamable HTTP: MCP at one path, both eras at once.
//
//   modern   every POST stands alone; closing its stream cancels it
//   legacy   initialize opens a session (Mcp-Session-Id), which POST, GET (what belongs to no request, or a stream
//   taken
//            up again by Last-Event-ID) and DELETE then name; a closed stream cancels nothing
// An answer that comes at once is one JSON body, with the status that fits it; everything else is an event stream.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "protocol/http/exchange.h"
#include "protocol/mcp/server.h"

namespace stepwise::http {

struct McpEndpointOptions {
  size_t max_sessions = 1000;
  std::chrono::milliseconds answer_at_once{100};  // what is there by then is one body
  /// A legacy client's stream that has no answer after that long is closed, for the client to come back for the rest:
  /// it then holds no thread meanwhile. Only for clients of 2025-11-25, which know that; nullopt: never.
  std::optional<std::chrono::milliseconds> release_after{};
};

class McpEndpoint {
 public:
  static std::shared_ptr<McpEndpoint> make(std::shared_ptr<const mcp::Server> server,
                                           const McpEndpointOptions& options = {});
  virtual ~McpEndpoint() = default;

  /// [handler threads]
  virtual HttpResponse handle(const HttpRequest& request, const std::function<bool()>& peer_gone) = 0;
  /// Requests in flight are answered or told that the server stops; sessions and listening streams end.
  virtual void stop(std::chrono::milliseconds within) = 0;
  virtual size_t sessions() const = 0;
};

}  // namespace stepwise::http
