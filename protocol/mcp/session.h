// One MCP connection: its methods, and the state that the protocol ties to a connection (was it initialized, which
// calls are in flight). It converts messages to engine requests and answers back; nothing is computed here.
//
// Life: made -> message, lost (from the transport's run, one thread) -> finish (the same thread, once).
#pragma once

#include <chrono>
#include <memory>
#include <string_view>

#include "core/engine/engine.h"
#include "protocol/jsonrpc/dispatcher.h"
#include "protocol/mcp/calls.h"
#include "protocol/mcp/params.h"
#include "protocol/transport/transport.h"

namespace stepwise::mcp {

class Session final : public transport::Receiver {
 public:
  Session(engine::Engine& engine, transport::Transport& out, bool list_all_tools);
  ~Session() override;  // calls in flight are cancelled: their sinks must not reach for a transport that may be gone

  void message(std::string_view text) override;
  void lost(const Error& why) override;

  /// Calls in flight get their answers within that time; the others are cancelled and told `server.stopping`.
  void finish(std::chrono::milliseconds within);

 private:
  void register_methods();
  jsonrpc::RequestHandler after_initialize(jsonrpc::RequestHandler handler) const;
  jsonrpc::Outcome initialize(const InitializeParams& params);
  jsonrpc::Outcome list_tools(const ListToolsParams& params) const;
  jsonrpc::Outcome call_tool(const jsonrpc::Id& id, CallToolParams params);
  void cancelled(const CancelledParams& params);
  void send(std::string text);

  engine::Engine& engine_;
  transport::Transport& out_;
  const bool list_all_tools_;
  bool initialized_ = false;
  const std::shared_ptr<Calls> calls_;  // shared with the sinks, which may outlive the session
  jsonrpc::Dispatcher dispatcher_;
};

}  // namespace stepwise::mcp
