// The requests in flight of a connection: begun, asked back, answered, cancelled, given up.
#include <utility>

#include "protocol/mcp/capabilities.h"
#include "protocol/mcp/connection.h"
#include "protocol/mcp/log_levels.h"
#include "protocol/mcp/modern.h"
#include "protocol/mcp/params.h"
#include "protocol/mcp/resource_methods.h"
#include "protocol/mcp/tool_result.h"

namespace stepwise::mcp {
namespace {

using jsonrpc::ErrorObject;

constexpr int kLegacyResourceNotFound = -32002;
constexpr int kInternalError = -32603;
constexpr int kMaxRounds = 16;  // of questions for one request: a tool that asks for ever is at fault

Error busy(size_t most) {
  return {ErrorKind::busy, "server.busy",
          "This connection has " + std::to_string(most) + " calls in flight, the most it may have.",
          "Wait for an answer, or cancel a call, then call again.", ""};
}

Error stopping() {
  return {ErrorKind::cancelled, "server.stopping", "The server is stopping and has given this call up.",
          "Connect again and repeat the call; what was already read is kept.", ""};
}

Error session_ended() {
  return {ErrorKind::cancelled, "session.ended", "The session of this call has ended, and the call with it.",
          "Open a session again and repeat the call; what was already read is kept.", ""};
}

Error cannot_ask(const std::string& capability) {
  return {ErrorKind::usage, "client.capability",
          "This call needs the client's capability `" + capability + "`, which the client did not declare.",
          "Use a client that has it, or give what is asked for as an argument.", capability};
}

Error cannot_carry() {
  return {ErrorKind::usage, "client.no_stream",
          "This call asks the client something on the way, which an answer of one body cannot carry.",
          "Accept text/event-stream too, or give what is asked for as an argument.", ""};
}

Error client_refused(const std::string& why) {
  return {ErrorKind::usage, "client.refused", "The client did not answer what the call asked: " + why + ".",
          "Call again when it can be answered.", ""};
}

/// A failure as the request's method tells it: a tool's is a result that the model sees.
Settled failed(const jsonrpc::Request& request, const Error& error) {
  if (request.method == "tools/call") return tool_error(error);
  return ErrorObject{kInternalError, to_text(error), {{"code", error.code}}};
}

/// The legacy era has a code of its own for addresses that name nothing, and none for capabilities.
Settled in_legacy(const jsonrpc::Request& request, Settled settled) {
  auto* error = std::get_if<ErrorObject>(&settled);
  if (error == nullptr) return settled;
  if (request.method == "resources/read" && is_unknown_resource(*error)) error->code = kLegacyResourceNotFound;
  if (error->code == modern::kMissingClientCapability) {
    return failed(request, cannot_ask(error->data["requiredCapabilities"].begin().key()));
  }
  return settled;
}

}  // namespace

/// The engine's view of one flight. It may outlive the connection: then its words go nowhere.
class Connection::FlightSink final : public engine::Sink {
 public:
  FlightSink(std::weak_ptr<Connection> connection, FlightPtr flight, std::function<Settled(engine::Answer)> settle)
      : connection_(std::move(connection)), flight_(std::move(flight)), settle_(std::move(settle)) {}

  void progress(const ProgressGauge::Value& value) override {
    if (const auto connection = connection_.lock()) connection->progress(flight_, value);
  }
  void log(const engine::LogMessage& message) override {
    if (const auto connection = connection_.lock()) connection->log(flight_, message);
  }
  void done(engine::Answer answer) override {
    if (const auto connection = connection_.lock()) connection->settle(flight_, settle_(std::move(answer)));
  }

 private:
  const std::weak_ptr<Connection> connection_;
  const FlightPtr flight_;
  const std::function<Settled(engine::Answer)> settle_;
};

void Connection::begin(jsonrpc::Request request, Method method, Context context, const engine::ClientInput& client) {
  auto read = jsonrpc::read_params<ProgressParams>(request.params);
  if (const auto* refused = std::get_if<ErrorObject>(&read)) return answer(request, context, *refused);
  context.progress_token = std::move(std::get<ProgressParams>(read).token);
  Step step = method(*server_, request.params, client);
  if (auto* result = std::get_if<Json>(&step)) return answer(request, context, std::move(*result));
  if (auto* error = std::get_if<ErrorObject>(&step)) return answer(request, context, std::move(*error));

  auto flight = std::make_shared<Flight>(std::move(request), method, std::move(context));
  std::optional<Settled> refused;
  {
    const std::lock_guard lock(mutex_);
    if (flights_.contains(flight->request.id) || listening_.contains(flight->request.id)) {
      refused =
          ErrorObject{jsonrpc::kInvalidRequest, "Invalid request: a call with this id is still in flight.", nullptr};
    } else if (flights_.size() + listening_.size() >= max_calls_) {
      refused = failed(flight->request, busy(max_calls_));
    } else {
      flights_.emplace(flight->request.id, flight);
    }
  }
  if (refused) return answer(flight->request, flight->context, *refused);
  take(flight, std::move(step));
}

void Connection::take(const FlightPtr& flight, Step step) {
  if (auto* work = std::get_if<Work>(&step)) return submit(flight, std::move(*work));
  if (auto* result = std::get_if<Json>(&step)) return settle(flight, std::move(*result));
  if (auto* error = std::get_if<ErrorObject>(&step)) return settle(flight, std::move(*error));
  settle(flight, std::move(std::get<engine::ClientAsk>(step)));
}

void Connection::submit(const FlightPtr& flight, Work work) {
  work.request.want_progress = flight->context.progress_token.has_value();
  auto sink = std::make_shared<FlightSink>(weak_from_this(), flight, std::move(work.settle));
  const auto waiter = server_->engine.submit(std::move(work.request), std::move(sink));
  {
    const std::lock_guard lock(mutex_);
    if (!flight->over) flight->waiter = waiter;
    if (!flight->over) return;
  }
  // Cancelled, or answered already, while it was being submitted; cancelling what is answered does nothing.
  server_->engine.cancel(waiter);
}

void Connection::settle(const FlightPtr& flight, Settled settled) {
  const std::lock_guard lock(mutex_);
  settle_locked(flight, std::move(settled));
}

void Connection::settle_locked(const FlightPtr& flight, Settled settled) {
  if (flight->over) return;
  flight->waiter = 0;
  auto* questions = std::get_if<engine::ClientAsk>(&settled);
  if (questions == nullptr) return answer_locked(flight, settled);
  if (const auto lacking = undeclared(*questions, flight->context.client_capabilities)) {
    return answer_locked(flight, modern::missing_capability(*lacking));
  }
  if (flight->context.is_modern) {
    const std::string sealed =
        questions->state.empty() ? ""
                                 : server_->states.seal(questions->state, modern::request_text(flight->request.method,
                                                                                               flight->request.params));
    return answer_locked(flight, modern::input_required(*questions, sealed));
  }
  if (!flight->context.outlet->carries_messages()) {
    return answer_locked(flight, failed(flight->request, cannot_carry()));
  }
  if (++flight->rounds > kMaxRounds || questions->requests.empty()) {
    return answer_locked(flight, failed(flight->request, client_refused("there is no end of questions")));
  }
  ask_locked(flight, std::move(*questions));
}

/// A legacy client is asked by requests of our own, on the stream of the request that they belong to.
void Connection::ask_locked(const FlightPtr& flight, engine::ClientAsk questions) {
  flight->state = std::move(questions.state);
  flight->responses = Json::object();
  flight->unanswered = questions.requests.size();
  for (auto& [key, question] : questions.requests.items()) {
    const std::string id = "stepwise-" + std::to_string(++last_ask_);
    asked_.emplace(id, Asked{flight, key});
    flight->context.outlet->send(jsonrpc::request_text(*jsonrpc::Id::from(id), question.value("method", ""),
                                                       question.value("params", Json::object())),
                                 transport::Delivery::required);
  }
}

void Connection::response(jsonrpc::Response response) {
  FlightPtr flight;
  engine::ClientInput client;
  {
    const std::lock_guard lock(mutex_);
    if (!response.id || !response.id->json().is_string()) return;
    const auto found = asked_.find(response.id->json().get<std::string>());
    if (found == asked_.end()) return;
    const Asked asked = std::move(found->second);
    asked_.erase(found);
    flight = asked.flight;
    if (response.error) {
      return answer_locked(flight, failed(flight->request, client_refused(response.error->message)));
    }
    flight->responses[asked.key] = std::move(response.result);
    if (--flight->unanswered > 0) return;
    client = {flight->context.client_capabilities, std::move(flight->responses), flight->state};
  }
  take(flight, flight->method(*server_, flight->request.params, client));
}

void Connection::answer_locked(const FlightPtr& flight, const Settled& settled) {
  if (flight->over) return;
  answer(flight->request, flight->context, settled);
  end_locked(flight);
}

/// Nothing more is sent for it, also by questions that are still open.
void Connection::end_locked(const FlightPtr& flight) {
  flight->over = true;
  flights_.erase(flight->request.id);
  std::erase_if(asked_, [&](const auto& one) { return one.second.flight == flight; });
  if (flights_.empty()) idle_.notify_all();
}

void Connection::answer(const jsonrpc::Request& request, const Context& context, const Settled& settled) const {
  const Settled as_told = context.is_modern ? settled : in_legacy(request, settled);
  if (const auto* error = std::get_if<ErrorObject>(&as_told)) {
    return context.outlet->finish(jsonrpc::error_text(request.id, *error), error->code);
  }
  Json result = std::get<Json>(as_told);
  if (context.is_modern) result = modern::dressed(std::move(result), request.method);
  context.outlet->finish(jsonrpc::result_text(request.id, std::move(result)), std::nullopt);
}

void Connection::progress(const FlightPtr& flight, const ProgressGauge::Value& value) {
  const std::lock_guard lock(mutex_);
  if (flight->over || !flight->context.progress_token) return;
  const auto step = flight->progress.next(value);
  if (!step) return;
  Json params = {{"progressToken", flight->context.progress_token->json()}, {"progress", step->progress}};
  if (step->total) params["total"] = *step->total;
  if (!step->message.empty()) params["message"] = step->message;
  flight->context.outlet->send(jsonrpc::notification_text("notifications/progress", std::move(params)),
                               transport::Delivery::droppable);
}

void Connection::log(const FlightPtr& flight, const engine::LogMessage& message) {
  const std::lock_guard lock(mutex_);
  const auto from = flight->context.is_modern ? flight->context.log_from : std::optional(log_from_);
  if (flight->over || !from || message.level < *from) return;
  Json params = {{"level", to_string(message.level)}, {"data", message.data}};
  if (!message.logger.empty()) params["logger"] = message.logger;
  flight->context.outlet->send(jsonrpc::notification_text("notifications/message", std::move(params)),
                               transport::Delivery::droppable);
}

bool Connection::is_busy() {
  const std::lock_guard lock(mutex_);
  return !flights_.empty() || !listening_.empty();
}

void Connection::finish(std::chrono::milliseconds within, Why why) {
  std::vector<engine::WaiterId> unwanted;
  std::map<jsonrpc::Id, std::unique_ptr<Listening>> listening;
  {
    std::unique_lock lock(mutex_);
    idle_.wait_for(lock, within, [this] { return flights_.empty(); });
    while (!flights_.empty()) {
      const FlightPtr flight = flights_.begin()->second;
      if (flight->waiter != 0) unwanted.push_back(flight->waiter);
      answer_locked(flight, failed(flight->request, why == Why::server_stops ? stopping() : session_ended()));
    }
    listening = std::exchange(listening_, {});
  }
  for (const auto& [id, one] : listening) one->end();
  for (const engine::WaiterId waiter : unwanted) server_->engine.cancel(waiter);
}

void Connection::abandon() {
  std::vector<engine::WaiterId> unwanted;
  std::map<jsonrpc::Id, std::unique_ptr<Listening>> listening;
  {
    const std::lock_guard lock(mutex_);
    while (!flights_.empty()) {
      const FlightPtr flight = flights_.begin()->second;
      if (flight->waiter != 0) unwanted.push_back(flight->waiter);
      end_locked(flight);
    }
    listening = std::exchange(listening_, {});
  }
  for (const engine::WaiterId waiter : unwanted) server_->engine.cancel(waiter);
}

}  // namespace stepwise::mcp
