// stepwise mcp: the Model Context Protocol on stdin and stdout, until the input ends or a signal comes.
#include "protocol/mcp/serve_stdio.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "clients/cli/commands.h"
#include "clients/cli/host.h"

namespace stepwise::cli {
namespace {

namespace fs = std::filesystem;

/// Default: the working directory, since an agent must not read what its operator did not name.
Result<std::vector<fs::path>> allowed_roots(const std::vector<std::string>& given) {
  std::error_code ec;
  if (given.empty()) return std::vector<fs::path>{fs::current_path(ec)};
  std::vector<fs::path> roots;
  for (const std::string& one : given) {
    if (!fs::is_directory(one, ec)) {
      return Error{ErrorKind::not_found, "cli.root", "--root " + one + " is not a directory.", "", one};
    }
    roots.emplace_back(one);
  }
  return roots;
}

}  // namespace

int run(const McpArguments& arguments, const Invocation& invocation) {
  auto roots = allowed_roots(arguments.roots);
  if (!roots.ok()) return invocation.console.fail(roots.error());
  auto engine = start_engine(invocation.globals, std::move(roots).value());
  if (!engine.ok()) return invocation.console.fail(engine.error());
  mcp::StdioOptions options;
  options.in_fd = STDIN_FILENO;
  options.out_fd = invocation.console.result_fd();
  options.stop_fd = invocation.stop.fd();
  options.serve.list_all_tools = arguments.all_tools;
  const int exit_code = mcp::serve_stdio(*engine.value(), options);
  engine.value()->stop();
  return exit_code;
}

}  // namespace stepwise::cli
