// Serves MCP over any transport until its input ends.
#pragma once

#include <chrono>

#include "core/base/limits.h"
#include "core/engine/engine.h"
#include "protocol/transport/transport.h"

namespace stepwise::mcp {

struct ServeOptions {
  bool list_all_tools = false;                                     // false: tools/list shows the core tools
  std::chrono::milliseconds finish_within = limits::kStopWaiters;  // after the input's end, for calls in flight
  std::chrono::milliseconds drain_within = limits::kStopDrain;     // then, for what is queued to go out
};

/// Reads on the caller's thread; returns once every call is answered or cancelled and the transport is closed.
Result<transport::End> serve(engine::Engine& engine, transport::Transport& transport, const ServeOptions& options);

}  // namespace stepwise::mcp
