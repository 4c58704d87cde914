#include "protocol/mcp/serve.h"

#include <utility>

#include "protocol/mcp/session.h"

namespace stepwise::mcp {

Result<transport::End> serve(std::shared_ptr<const Server> server, transport::Transport& transport,
                             const ServeOptions& options) {
  Session session(std::move(server), transport);
  auto ended = transport.run(session);
  // With the peer gone there is nobody to wait for.
  const auto none = std::chrono::milliseconds(0);
  session.finish(ended.ok() ? options.finish_within : none);
  transport.close(ended.ok() ? options.drain_within : none);
  return ended;
}

}  // namespace stepwise::mcp
