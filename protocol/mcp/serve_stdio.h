// The MCP face on stdio: what `stepwise mcp` runs.
//
// Threads: the caller's thread reads, one more writes, answers come from the engine's threads. The engine outlives
// the call and is stopped by its owner afterwards.
#pragma once

#include <memory>
#include "protocol/mcp/serve.h"

namespace stepwise::mcp {

/// Descriptors are borrowed. Before this is called the program has moved the real standard output to `out_fd` and
/// pointed descriptor 1 at standard error, so that no library can write between the messages.
struct StdioOptions {
  int in_fd = -1;
  int out_fd = -1;
  int stop_fd = -1;  // readable: stop, as if the input had ended; an eventfd or a signalfd. -1: none
  ServeOptions serve;
};

/// Blocks until the input ends, `stop_fd` becomes readable or the client takes no more output. Calls in flight get
/// their answers, or `server.stopping` after limits::kStopWaiters; what is queued is written for limits::kStopDrain.
/// Returns the exit code: 0 when the client or the operator ended it, that of ErrorKind::io otherwise (logged).
int serve_stdio(std::shared_ptr<const Server> server, const StdioOptions& options);

}  // namespace stepwise::mcp
