#include "protocol/jsonrpc/dispatcher.h"

#include <utility>

#include "core/base/text.h"

namespace stepwise::jsonrpc {
namespace {

constexpr size_t kMethodColumns = 60;  // of an unknown method's name, as shown in the error

}  // namespace

void Dispatcher::on_request(std::string method, RequestHandler handler) {
  requests_[std::move(method)] = std::move(handler);
}

void Dispatcher::on_notification(std::string method, NotificationHandler handler) {
  notifications_[std::move(method)] = std::move(handler);
}

std::optional<std::string> Dispatcher::dispatch(std::string_view text) const {
  const Incoming incoming = parse(text);
  if (const auto* request = std::get_if<Request>(&incoming)) return answer(*request);
  if (const auto* refused = std::get_if<Refusal>(&incoming)) return error_text(refused->id, refused->error);
  if (const auto* notification = std::get_if<Notification>(&incoming)) {
    if (const auto found = notifications_.find(notification->method); found != notifications_.end()) {
      found->second(*notification);
    }
  }
  return std::nullopt;
}

std::optional<std::string> Dispatcher::answer(const Request& request) const {
  const auto found = requests_.find(request.method);
  if (found == requests_.end()) {
    return error_text(request.id,
                      {kMethodNotFound, "Method not found: " + shorten(request.method, kMethodColumns), nullptr});
  }
  Outcome outcome = found->second(request);
  if (auto* result = std::get_if<Json>(&outcome)) return result_text(request.id, std::move(*result));
  if (const auto* error = std::get_if<ErrorObject>(&outcome)) return error_text(request.id, *error);
  return std::nullopt;
}

}  // namespace stepwise::jsonrpc
