// stepwise mcp: the Model Context Protocol on stdin and stdout, until the input ends or a signal comes.
#include <unistd.h>

#include "clients/cli/commands.h"
#include "clients/cli/mcp_server.h"
#include "protocol/mcp/serve_stdio.h"

namespace stepwise::cli {

int run(const McpArguments& arguments, const Invocation& invocation) {
  auto serving = start_serving(invocation, arguments.roots, arguments.out_dir, arguments.all_tools);
  if (!serving.ok()) return invocation.console.fail(serving.error());
  mcp::StdioOptions options;
  options.in_fd = STDIN_FILENO;
  options.out_fd = invocation.console.result_fd();
  options.stop_fd = invocation.stop.fd();
  const int exit_code = mcp::serve_stdio(serving.value().server, options);
  serving.value().engine->stop();
  return exit_code;
}

}  // namespace stepwise::cli
