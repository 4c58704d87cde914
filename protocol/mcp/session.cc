#include "protocol/mcp/session.h"

#include <string>
#include <utility>

#include "core/base/text.h"
#include "protocol/jsonrpc/binder.h"
#include "protocol/mcp/legacy.h"
#include "protocol/mcp/tool_list.h"
#include "protocol/mcp/tool_result.h"

namespace stepwise::mcp {
namespace {

using jsonrpc::ErrorObject;
using jsonrpc::Id;
using jsonrpc::Outcome;

constexpr size_t kNameColumns = 60;  // of an unknown tool's name, as the error shows it

ErrorObject unknown_tool(const engine::Registry& registry, const std::string& name) {
  const auto nearest = registry.nearest(name);
  const std::string asked = shorten(name, kNameColumns);
  std::string message = "Unknown tool: " + asked + ".";
  for (size_t i = 0; i < nearest.size(); ++i) message += (i == 0 ? " Nearest: " : ", ") + nearest[i];
  message += nearest.empty() ? " tools/list names the tools." : ".";
  return {jsonrpc::kInvalidParams, std::move(message), {{"tool", asked}, {"nearest", nearest}}};
}

Error busy() {
  const std::string most = std::to_string(limits::kMaxCallsPerConnection);
  return {ErrorKind::busy, "server.busy", "This connection has " + most + " calls in flight, the most it may have.",
          "Wait for an answer, or cancel a call, then call again.", ""};
}

Error stopping() {
  return {ErrorKind::cancelled, "server.stopping", "The server is stopping and has given this call up.",
          "Connect again and repeat the call; what was already read is kept.", ""};
}

}  // namespace

Session::Session(engine::Engine& engine, transport::Transport& out, bool list_all_tools)
    : engine_(engine), out_(out), list_all_tools_(list_all_tools), calls_(std::make_shared<Calls>(out)) {
  register_methods();
}

Session::~Session() {
  for (const auto& call : calls_->take_all()) engine_.cancel(call.waiter);
}

void Session::register_methods() {
  using jsonrpc::bind;
  dispatcher_.on_request("initialize", bind<InitializeParams>([this](const Id&, const InitializeParams& params) {
                           return initialize(params);
                         }));
  dispatcher_.on_request("ping", [](const jsonrpc::Request&) -> Outcome { return Json::object(); });
  dispatcher_.on_request("tools/list",
                         after_initialize(bind<ListToolsParams>(
                             [this](const Id&, const ListToolsParams& params) { return list_tools(params); })));
  dispatcher_.on_request(
      "tools/call", after_initialize(bind<CallToolParams>(
                        [this](const Id& id, CallToolParams params) { return call_tool(id, std::move(params)); })));
  dispatcher_.on_notification(
      "notifications/cancelled",
      jsonrpc::bind_notification<CancelledParams>([this](const CancelledParams& params) { cancelled(params); }));
}

jsonrpc::RequestHandler Session::after_initialize(jsonrpc::RequestHandler handler) const {
  return [this, handler = std::move(handler)](const jsonrpc::Request& request) -> Outcome {
    if (initialized_) return handler(request);
    return ErrorObject{jsonrpc::kInvalidRequest,
                       "The connection is not initialized: send initialize before " + request.method + ".", nullptr};
  };
}

void Session::message(std::string_view text) {
  if (auto answer = dispatcher_.dispatch(text)) send(std::move(*answer));
}

void Session::lost(const Error& why) {
  const auto refusal = jsonrpc::refusal(why);
  send(jsonrpc::error_text(refusal.id, refusal.error));
}

// Accepted at any time: some clients initialize again, or after they have probed for a newer era.
Outcome Session::initialize(const InitializeParams& params) {
  initialized_ = true;
  return legacy::initialize_result(params.protocol_version);
}

Outcome Session::list_tools(const ListToolsParams& params) const {
  // The list is one page, so no cursor was ever given out; an empty one asks for the first page.
  if (params.cursor && !params.cursor->empty()) {
    return ErrorObject{jsonrpc::kInvalidParams,
                       "Invalid parameters: /params/cursor is not a cursor of this server.",
                       {{"path", "/params/cursor"}}};
  }
  return tool_list(*engine_.registry(), list_all_tools_);
}

Outcome Session::call_tool(const Id& id, CallToolParams params) {
  const auto registry = engine_.registry();
  if (registry->find(params.name) == nullptr) return unknown_tool(*registry, params.name);

  engine::Request request;
  request.tool = std::move(params.name);
  request.arguments = std::move(params.arguments);
  request.want_progress = params.progress_token.has_value();

  auto opened = calls_->open(id, std::move(params.progress_token));
  if (const auto* refused = std::get_if<Calls::Refused>(&opened)) {
    if (*refused == Calls::Refused::busy) return tool_error(busy());
    return ErrorObject{jsonrpc::kInvalidRequest, "Invalid request: a call with this id is still in flight.", nullptr};
  }
  const auto waiter = engine_.submit(std::move(request), std::get<std::shared_ptr<engine::Sink>>(std::move(opened)));
  calls_->submitted(id, waiter);
  return jsonrpc::Later{};
}

void Session::cancelled(const CancelledParams& params) {
  if (const auto waiter = calls_->cancel(*params.request_id)) engine_.cancel(*waiter);
}

void Session::finish(std::chrono::milliseconds within) {
  calls_->wait_until_idle(within);
  for (const auto& call : calls_->take_all()) {
    engine_.cancel(call.waiter);
    send(jsonrpc::result_text(call.id, tool_error(stopping())));
  }
}

void Session::send(std::string text) { out_.send(std::move(text), transport::Delivery::required); }

}  // namespace stepwise::mcp
