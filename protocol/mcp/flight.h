// A request that is not answered at once: the engine works for it, or the client was asked something. Internal to
// connection*.cc; everything is guarded by the connection's mutex.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/engine/engine.h"
#include "protocol/jsonrpc/message.h"
#include "protocol/mcp/methods.h"
#include "protocol/mcp/outlet.h"
#include "protocol/mcp/progress.h"

namespace stepwise::mcp {

/// How a request came, and so how it is answered.
struct Context {
  bool is_modern = false;
  Json client_capabilities = Json::object();
  std::optional<engine::LogLevel> log_from;  // of a modern request; a legacy one goes by its connection's level
  std::optional<jsonrpc::Id> progress_token;
  std::shared_ptr<Outlet> outlet;
};

struct Flight {
  Flight(jsonrpc::Request given, Method method_of_it, Context how)
      : request(std::move(given)), method(method_of_it), context(std::move(how)) {}

  const jsonrpc::Request request;
  const Method method;
  const Context context;
  ProgressSequence progress;
  engine::WaiterId waiter = 0;
  bool over = false;  // answered or cancelled: nothing more is sent
  // Of a legacy client that was asked something:
  Json responses = Json::object();
  std::string state;
  size_t unanswered = 0;
  int rounds = 0;
};
using FlightPtr = std::shared_ptr<Flight>;

}  // namespace stepwise::mcp
