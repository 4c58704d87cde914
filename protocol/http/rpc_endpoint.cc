#include "protocol/http/rpc_endpoint.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "core/base/text.h"
#include "protocol/http/answers.h"
#include "protocol/http/limits.h"
#include "protocol/jsonrpc/message.h"

namespace stepwise::http {
namespace {

using jsonrpc::ErrorObject;

constexpr int kToolFailed = -32000;
constexpr size_t kNameColumns = 60;  // of an unknown method, as the error shows it
constexpr const char* kListMethod = "tools";

class WaitingCall final : public engine::Sink {
 public:
  void progress(const ProgressGauge::Value&) override {}
  void done(engine::Answer answer) override {
    const std::lock_guard lock(mutex_);
    answer_ = std::move(answer);
    changed_.notify_all();
  }
  /// nullopt: not there yet.
  std::optional<engine::Answer> wait(std::chrono::milliseconds within) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, within, [this] { return answer_.has_value(); });
    return std::exchange(answer_, std::nullopt);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<engine::Answer> answer_;
};

HttpResponse json_answer(int status, std::string body) {
  HttpResponse response;
  response.status = status;
  response.body = std::move(body) + "\n";
  return response;
}

Json listed(const engine::Registry& registry) {
  Json tools = Json::array();
  for (const auto& [name, tool] : registry.tools()) {
    const std::string& says = tool.decl.description;
    // The first sentence; the whole declaration comes from list_analyses.
    tools.push_back({{"name", name}, {"description", says.substr(0, std::min(says.find(". "), says.size() - 1) + 1)}});
  }
  return {{"tools", std::move(tools)}};
}

ErrorObject failed(const Error& error) {
  Json data = {{"code", error.code}, {"kind", error_kind_info(error.kind).name}};
  if (!error.hint.empty()) data["hint"] = error.hint;
  if (!error.where.empty()) data["where"] = error.where;
  return {error.kind == ErrorKind::usage ? jsonrpc::kInvalidParams : kToolFailed, error.message, std::move(data)};
}

ErrorObject unknown_method(const engine::Registry& registry, const std::string& method) {
  const auto nearest = registry.nearest(method);
  std::string message = "There is no tool " + shorten(method, kNameColumns) + ".";
  message += nearest.empty() ? " The method tools lists them." : " Nearest: " + joined(nearest) + ".";
  return {jsonrpc::kMethodNotFound, std::move(message), {{"nearest", nearest}}};
}

std::string answer_text(const jsonrpc::Id& id, engine::Answer answer) {
  if (!answer.error && !answer.ask.empty()) {
    answer.error = Error{ErrorKind::usage, engine::kNeedsCapability,
                         "The tool asks its client something, and /rpc has no way to.", "Call it over MCP.", ""};
  }
  if (answer.error) return jsonrpc::error_text(id, failed(*answer.error));
  if (answer.structured.is_null() && !answer.content.is_null()) answer.structured = {{"content", answer.content}};
  return jsonrpc::result_text(id, std::move(answer.structured));
}

HttpResponse call(engine::Engine& engine, jsonrpc::Request request, const std::function<bool()>& peer_gone) {
  const auto registry = engine.registry();
  if (request.method == kListMethod) return json_answer(200, jsonrpc::result_text(request.id, listed(*registry)));
  if (registry->find(request.method) == nullptr) {
    return json_answer(200, jsonrpc::error_text(request.id, unknown_method(*registry, request.method)));
  }
  if (!request.params.is_object()) {
    const ErrorObject error{jsonrpc::kInvalidParams, "params must be an object: the tool's arguments.", nullptr};
    return json_answer(200, jsonrpc::error_text(request.id, error));
  }
  engine::Request wanted;
  wanted.tool = std::move(request.method);
  wanted.cap_text = false;  // for programs: what an answer costs in tokens is no matter
  wanted.arguments = std::move(request.params);
  const auto waiting = std::make_shared<WaitingCall>();
  const engine::WaiterId waiter = engine.submit(std::move(wanted), waiting);
  while (true) {
    if (auto answer = waiting->wait(kTick)) return json_answer(200, answer_text(request.id, std::move(*answer)));
    if (peer_gone()) break;
  }
  engine.cancel(waiter);
  return error_answer(error_kind_info(ErrorKind::cancelled).http_status, "The peer went away.");
}

bool is_json(const std::string* content_type) {
  if (content_type == nullptr) return false;
  return iequals(trim(std::string_view(*content_type).substr(0, content_type->find(';'))), "application/json");
}

}  // namespace

HttpHandler rpc_endpoint(engine::Engine& engine) {
  return [&engine](const HttpRequest& request, const std::function<bool()>& peer_gone) {
    if (request.method != "POST") return wrong_method_answer("POST");
    // Of the types that a page may send without asking first, JSON is none.
    if (!is_json(request.header("content-type"))) return error_answer(415, "Send Content-Type: application/json.");
    jsonrpc::Incoming incoming = jsonrpc::parse(request.body);
    if (auto* asked = std::get_if<jsonrpc::Request>(&incoming)) return call(engine, std::move(*asked), peer_gone);
    if (const auto* refused = std::get_if<jsonrpc::Refusal>(&incoming)) {
      return json_answer(400, jsonrpc::error_text(refused->id, refused->error));
    }
    // Nobody would see what a tool answers to a notification, so none is called.
    HttpResponse accepted;
    accepted.status = 202;
    return accepted;
  };
}

}  // namespace stepwise::http
