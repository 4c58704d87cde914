// JSON-RPC 2.0 messages: from text, with the exact error for text that is none, and to text.
// Plain data, no state, any thread. Batches are refused, as by MCP since 2025-06-18 and LSP always.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/json.h"

namespace stepwise::jsonrpc {

inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;

struct ErrorObject {
  int code = 0;
  std::string message;
  Json data = nullptr;  // null: none
};

/// A longer one would come back with every message that belongs to its request.
inline constexpr size_t kMaxIdBytes = 1024;

/// A string of at most kMaxIdBytes or an integer, kept as it came: "1" and 1 are different ids, and the peer gets back
/// what it sent.
class Id {
 public:
  static std::optional<Id> from(const Json& value);
  const Json& json() const { return value_; }
  bool operator==(const Id& other) const { return value_ == other.value_; }
  bool operator<(const Id& other) const { return value_ < other.value_; }

 private:
  explicit Id(Json value) : value_(std::move(value)) {}
  Json value_;
};

struct Request {
  Id id;
  std::string method;
  Json params = Json::object();  // an object or an array; absent and null become {}
};

struct Notification {
  std::string method;
  Json params = Json::object();
};

/// An answer to a request of ours.
struct Response {
  std::optional<Id> id;  // none: it answers nothing that can be named
  Json result = nullptr;
  std::optional<ErrorObject> error;
};

/// What to answer to a text that is no message: with the id, where one could be read.
struct Refusal {
  std::optional<Id> id;
  ErrorObject error;
};

using Incoming = std::variant<Request, Notification, Response, Refusal>;

/// Never fails: a bad text is a Refusal. Longer than limits::kMaxMessageBytes or deeper than limits::kMaxJsonDepth
/// is one too.
Incoming parse(std::string_view text);
/// The same for a message that the framing gave up before it could be parsed.
Refusal refusal(const Error& why);

std::string result_text(const Id& id, Json result);
std::string error_text(const std::optional<Id>& id, const ErrorObject& error);
std::string request_text(const Id& id, std::string_view method, Json params);
std::string notification_text(std::string_view method, Json params);

}  // namespace stepwise::jsonrpc
