// Serves MCP over any transport until its input ends.
#pragma once

#include <chrono>
#include <memory>

#include "core/base/limits.h"
#include "protocol/mcp/server.h"
#include "protocol/transport/transport.h"

namespace stepwise::mcp {

struct ServeOptions {
  std::chrono::milliseconds finish_within = limits::kStopWaiters;  // after the input's end, for calls in flight
  std::chrono::milliseconds drain_within = limits::kStopDrain;     // then, for what is queued to go out
};

/// Reads on the caller's thread; returns once every call is answered or cancelled and the transport is closed.
Result<transport::End> serve(std::shared_ptr<const Server> server, transport::Transport& transport,
                             const ServeOptions& options);

}  // namespace stepwise::mcp
