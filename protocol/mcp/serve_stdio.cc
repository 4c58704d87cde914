#include "protocol/mcp/serve_stdio.h"

#include <utility>

#include "core/base/log.h"
#include "protocol/transport/framing.h"
#include "protocol/transport/stdio.h"

namespace stepwise::mcp {

int serve_stdio(std::shared_ptr<const Server> server, const StdioOptions& options) {
  transport::Stdio::Options stdio_options;
  stdio_options.in_fd = options.in_fd;
  stdio_options.out_fd = options.out_fd;
  stdio_options.stop_fd = options.stop_fd;
  auto stdio = transport::Stdio::open(stdio_options, transport::line_framing());
  const auto ended =
      stdio.ok() ? serve(std::move(server), *stdio.value(), options.serve) : Result<transport::End>(stdio.error());
  if (ended.ok()) return 0;
  log::error(to_text(ended.error()));
  return error_kind_info(ended.error().kind).exit_code;
}

}  // namespace stepwise::mcp
