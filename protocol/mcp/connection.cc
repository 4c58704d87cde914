#include "protocol/mcp/connection.h"

#include <utility>

#include "core/base/text.h"
#include "protocol/mcp/legacy.h"
#include "protocol/mcp/log_levels.h"
#include "protocol/mcp/modern.h"
#include "protocol/mcp/params.h"
#include "protocol/mcp/resource_methods.h"

namespace stepwise::mcp {
namespace {

using jsonrpc::ErrorObject;

constexpr size_t kMethodColumns = 60;  // of an unknown method's name, as the error shows it
constexpr size_t kMaxSubscribed = 1000;
constexpr size_t kUriColumns = 80;  // of an address that names nothing, as the error shows it

ErrorObject unknown_method(const std::string& method) {
  return {jsonrpc::kMethodNotFound, "Method not found: " + shorten(method, kMethodColumns), nullptr};
}

ErrorObject too_many(size_t most) {
  return {jsonrpc::kInvalidRequest,
          "This connection has " + std::to_string(most) + " requests in flight, the most it may have.", nullptr};
}

}  // namespace

std::shared_ptr<Connection> Connection::make(std::shared_ptr<const Server> server, std::shared_ptr<Outlet> unasked,
                                             size_t max_calls) {
  return std::shared_ptr<Connection>(new Connection(std::move(server), std::move(unasked), max_calls));
}

Connection::Connection(std::shared_ptr<const Server> server, std::shared_ptr<Outlet> unasked, size_t max_calls)
    : server_(std::move(server)), unasked_(std::move(unasked)), max_calls_(max_calls) {
  const bool changes = server_->lists_change || server_->resources_change;
  if (unasked_ != nullptr && changes) {
    changes_id_ = server_->changes->listen([this](const Change& change) { changed(change); });
  }
}

Connection::~Connection() {
  if (changes_id_) server_->changes->unlisten(*changes_id_);
  abandon();
}

void Connection::handle(jsonrpc::Incoming message, const std::shared_ptr<Outlet>& outlet) {
  if (auto* one = std::get_if<jsonrpc::Request>(&message)) return request(std::move(*one), outlet);
  if (auto* one = std::get_if<jsonrpc::Notification>(&message)) return notification(*one);
  if (auto* one = std::get_if<jsonrpc::Response>(&message)) return response(std::move(*one));
  const auto& refused = std::get<jsonrpc::Refusal>(message);
  outlet->finish(jsonrpc::error_text(refused.id, refused.error), refused.error.code);
}

void Connection::request(jsonrpc::Request request, const std::shared_ptr<Outlet>& outlet) {
  if (modern::is_modern(request.params) || modern::is_method_of_it(request.method))
    return modern_request(std::move(request), outlet);
  legacy_request(std::move(request), outlet);
}

void Connection::modern_request(jsonrpc::Request request, const std::shared_ptr<Outlet>& outlet) {
  Context context;
  context.is_modern = true;
  context.outlet = outlet;
  const auto refuse = [&](const ErrorObject& error) { answer(request, context, error); };

  auto meta = modern::read_meta(request.params);
  if (const auto* error = std::get_if<ErrorObject>(&meta)) return refuse(*error);
  context.client_capabilities = std::move(std::get<modern::Meta>(meta).client_capabilities);
  context.log_from = std::get<modern::Meta>(meta).log_from;

  if (request.method == "server/discover") return answer(request, context, modern::discover_result(*server_));
  if (request.method == "subscriptions/listen") return listen(request, std::move(context));
  const Method method = find_method(*server_, request.method);
  if (method == nullptr) return refuse(unknown_method(request.method));

  engine::ClientInput client;
  client.capabilities = context.client_capabilities;
  auto retry = jsonrpc::read_params<RetryParams>(request.params);
  if (const auto* error = std::get_if<ErrorObject>(&retry)) return refuse(*error);
  client.responses = std::move(std::get<RetryParams>(retry).responses);
  if (const auto& sealed = std::get<RetryParams>(retry).state) {
    auto state = server_->states.open(*sealed, modern::request_text(request.method, request.params));
    if (!state.ok()) return refuse({jsonrpc::kInvalidParams, to_text(state.error()), {{"code", state.error().code}}});
    client.state = std::move(state).value();
  }
  begin(std::move(request), method, std::move(context), client);
}

void Connection::legacy_request(jsonrpc::Request request, const std::shared_ptr<Outlet>& outlet) {
  Context context;
  context.outlet = outlet;
  if (const auto settled = of_handshake(request)) return answer(request, context, *settled);
  const Method method = find_method(*server_, request.method);
  if (method == nullptr) return answer(request, context, unknown_method(request.method));
  engine::ClientInput client;
  {
    const std::lock_guard lock(mutex_);
    if (!initialized_) {
      return answer(
          request, context,
          ErrorObject{jsonrpc::kInvalidRequest,
                      "The connection is not initialized: send initialize before " + request.method + ".", nullptr});
    }
    client.capabilities = context.client_capabilities = client_capabilities_;
  }
  begin(std::move(request), method, std::move(context), client);
}

/// The methods of this era alone; nullopt: it is none of them.
std::optional<Settled> Connection::of_handshake(const jsonrpc::Request& request) {
  if (request.method == "initialize") return initialize(request.params);
  if (request.method == "ping") return Json::object();
  if (request.method == "logging/setLevel") return set_level(request.params);
  if (server_->resources_change && request.method == "resources/subscribe") return subscribe(request.params, true);
  if (server_->resources_change && request.method == "resources/unsubscribe") return subscribe(request.params, false);
  return std::nullopt;
}

// Accepted at any time: some clients initialize again, or after they have probed for a newer era.
Settled Connection::initialize(const Json& given) {
  auto read = jsonrpc::read_params<InitializeParams>(given);
  if (const auto* refused = std::get_if<ErrorObject>(&read)) return *refused;
  auto& params = std::get<InitializeParams>(read);
  const std::lock_guard lock(mutex_);
  initialized_ = true;
  client_capabilities_ = std::move(params.capabilities);
  return legacy::initialize_result(*server_, params.protocol_version);
}

Settled Connection::set_level(const Json& given) {
  const auto read = jsonrpc::read_params<SetLevelParams>(given);
  if (const auto* refused = std::get_if<ErrorObject>(&read)) return *refused;
  const auto level = log_level(std::get<SetLevelParams>(read).level);
  if (!level) {
    return ErrorObject{jsonrpc::kInvalidParams,
                       "Invalid parameters: /params/level must be a syslog level such as \"info\".",
                       {{"path", "/params/level"}}};
  }
  const std::lock_guard lock(mutex_);
  log_from_ = *level;
  return Json::object();
}

Settled Connection::subscribe(const Json& given, bool on) {
  const auto read = jsonrpc::read_params<ReadResourceParams>(given);
  if (const auto* refused = std::get_if<ErrorObject>(&read)) return *refused;
  const std::string& uri = std::get<ReadResourceParams>(read).uri;
  if (on && !can_subscribe(*server_, uri)) {
    return ErrorObject{jsonrpc::kInvalidParams,
                       "No resource has the address " + shorten(uri, kUriColumns) + ".",
                       {{"uri", shorten(uri, kUriColumns)}}};
  }
  if (on) server_->changes->subscribed();
  const std::lock_guard lock(mutex_);
  if (!on) {
    subscribed_.erase(uri);
  } else if (subscribed_.size() < kMaxSubscribed) {
    subscribed_.insert(uri);
  } else {
    return ErrorObject{
        jsonrpc::kInvalidParams,
        "This connection has " + std::to_string(kMaxSubscribed) + " subscriptions, the most it may have.", nullptr};
  }
  return Json::object();
}

void Connection::listen(const jsonrpc::Request& request, Context context) {
  const auto read = jsonrpc::read_params<ListenParams>(request.params);
  if (const auto* refused = std::get_if<ErrorObject>(&read)) return answer(request, context, *refused);
  if (!has_room()) return answer(request, context, too_many(max_calls_));
  const auto is_taken = [&] { return flights_.contains(request.id) || listening_.contains(request.id); };
  bool taken = false;
  {
    const std::lock_guard lock(mutex_);
    taken = is_taken();
  }
  std::unique_ptr<Listening> listening;
  if (!taken) {
    // Made, and if need be unmade, without the lock: whoever tells of a change holds its own, and then takes ours.
    listening =
        std::make_unique<Listening>(*server_, request.id, std::get<ListenParams>(read).notifications, context.outlet);
    const std::lock_guard lock(mutex_);
    taken = is_taken();
    if (!taken) listening_.emplace(request.id, std::move(listening));
  }
  if (taken) {
    answer(
        request, context,
        ErrorObject{jsonrpc::kInvalidRequest, "Invalid request: a request with this id is still in flight.", nullptr});
  }
}

bool Connection::has_room() {
  const std::lock_guard lock(mutex_);
  return flights_.size() + listening_.size() < max_calls_;
}

void Connection::notification(const jsonrpc::Notification& notification) {
  if (notification.method == "notifications/cancelled") cancelled(notification.params);
}

/// With bad parameters it is dropped: there is nobody to tell.
void Connection::cancelled(const Json& given) {
  const auto read = jsonrpc::read_params<CancelledParams>(given);
  if (!std::holds_alternative<CancelledParams>(read)) return;
  const jsonrpc::Id& id = *std::get<CancelledParams>(read).request_id;
  engine::WaiterId waiter = 0;
  std::unique_ptr<Listening> heard;  // goes without the lock: a change that is being told may wait for it
  {
    const std::lock_guard lock(mutex_);
    if (const auto listening = listening_.find(id); listening != listening_.end()) {
      heard = std::move(listening->second);
      listening_.erase(listening);
    }
    const auto found = flights_.find(id);
    if (found == flights_.end()) return;
    const FlightPtr flight = found->second;
    waiter = flight->waiter;
    end_locked(flight);
  }
  if (waiter != 0) server_->engine.cancel(waiter);
}

/// To a legacy client, on the teller's thread.
void Connection::changed(const Change& change) {
  const std::lock_guard lock(mutex_);
  if (!initialized_) return;
  for (auto& [method, params] : notifications_of(change, subscribed_, server_->lists_change)) {
    unasked_->send(jsonrpc::notification_text(method, std::move(params)), transport::Delivery::required);
  }
}

}  // namespace stepwise::mcp
