// Method names to handlers. Set up once, then const: dispatch may run on any thread, handlers see to themselves.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "protocol/jsonrpc/message.h"

namespace stepwise::jsonrpc {

/// The handler has taken the request over: it answers later by its own means, or not at all.
struct Later {};

using Outcome = std::variant<Json, ErrorObject, Later>;
using RequestHandler = std::function<Outcome(const Request&)>;
using NotificationHandler = std::function<void(const Notification&)>;

class Dispatcher {
 public:
  void on_request(std::string method, RequestHandler handler);
  void on_notification(std::string method, NotificationHandler handler);

  /// The text of the answer; nullopt: nothing to send. Unknown methods are -32601, unknown notifications ignored.
  std::optional<std::string> dispatch(std::string_view text) const;

 private:
  std::optional<std::string> answer(const Request& request) const;

  std::map<std::string, RequestHandler, std::less<>> requests_;
  std::map<std::string, NotificationHandler, std::less<>> notifications_;
};

}  // namespace stepwise::jsonrpc
