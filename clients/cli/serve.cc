// stepwise serve: HTTP until a signal comes.
#include <poll.h>

#include <map>
#include <memory>
#include <string>

#include "clients/cli/commands.h"
#include "clients/cli/listen_address.h"
#include "clients/cli/mcp_server.h"
#include "clients/cli/token_file.h"
#include "protocol/http/health_endpoint.h"
#include "protocol/http/http_server.h"
#include "protocol/http/mcp_endpoint.h"
#include "protocol/http/metrics_endpoint.h"
#include "protocol/http/rpc_endpoint.h"

namespace stepwise::cli {
namespace {

Result<http::HttpServerOptions> server_options(const ServeArguments& arguments) {
  http::HttpServerOptions options;
  options.host = arguments.host;
  options.port = arguments.port;
  options.allowed_hosts = arguments.allowed_hosts;
  options.tally = std::make_shared<http::Tally>();
  if (!arguments.token_file.empty()) {
    SW_ASSIGN_OR_RETURN(options.token, read_token(arguments.token_file));
  }
  return options;
}

std::string started_note(const ServeArguments& arguments, int port,
                         const std::map<std::string, http::HttpHandler>& at) {
  const std::string base = "http://" + ListenAddress{arguments.host, port}.text();
  std::string note = "stepwise serve:";
  for (const auto& [path, handler] : at) note += " " + base + path;
  return note + "\n";
}

void wait_for(const StopSignal& stop) {
  pollfd waiting{stop.fd(), POLLIN, 0};
  while (!stop.requested()) ::poll(&waiting, 1, -1);
}

}  // namespace

int run(const ServeArguments& arguments, const Invocation& invocation) {
  auto options = server_options(arguments);
  if (!options.ok()) return invocation.console.fail(options.error());
  auto serving = start_serving(invocation, arguments.roots, arguments.out_dir, arguments.all_tools);
  if (!serving.ok()) return invocation.console.fail(serving.error());
  engine::Engine& engine = *serving.value().engine;
  const auto mcp = http::McpEndpoint::make(serving.value().server, {.release_after = invocation.extras.release_after});

  const std::map<std::string, http::HttpHandler> by_path = {
      {"/healthz", http::health_endpoint()},
      {"/mcp", [mcp](const auto& request, const auto& peer_gone) { return mcp->handle(request, peer_gone); }},
      {"/metrics", http::metrics_endpoint(engine, options.value().tally, mcp)},
      {"/rpc", http::rpc_endpoint(engine)},
  };
  auto server = http::HttpServer::start(options.value(), by_path);
  if (!server.ok()) return invocation.console.fail(server.error());
  if (!invocation.globals.quiet) invocation.console.note(started_note(arguments, server.value()->port(), by_path));
  wait_for(invocation.stop);
  // While the engine still answers what is in flight.
  mcp->stop(limits::kStopWaiters);
  server.value()->stop();
  engine.stop();
  return 0;
}

}  // namespace stepwise::cli
