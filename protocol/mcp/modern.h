// What belongs to the modern era of MCP alone (2026-07-28): each request carries version and capabilities, each result
// says what it is, and questions to the client are results.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/json.h"
#include "core/engine/client.h"
#include "protocol/jsonrpc/message.h"
#include "protocol/mcp/server.h"

namespace stepwise::mcp::modern {

inline constexpr int kHeaderMismatch = -32020;
inline constexpr int kMissingClientCapability = -32021;
inline constexpr int kUnsupportedVersion = -32022;

/// `io.modelcontextprotocol/NAME`
std::string meta_key(std::string_view name);

/// Does the request carry a version of its own? Then it is of this era, whatever came before on its connection.
bool is_modern(const Json& params);

/// Methods that no other era has: without a version they are malformed requests of this one.
bool is_method_of_it(std::string_view method);

/// What the request's `_meta` says of the client.
struct Meta {
  std::string version;
  Json client_capabilities = Json::object();
  std::optional<engine::LogLevel> log_from;  // none: no log messages
};
/// Errors: -32602 (a part is missing or malformed), -32022.
std::variant<Meta, jsonrpc::ErrorObject> read_meta(const Json& params);

Json discover_result(const Server& server);

/// The result as this era wants it: its type, who gave it, and of lists how long they hold.
Json dressed(Json result, std::string_view method);

/// `resultType` input_required. `sealed_state`: "" = none.
Json input_required(const engine::ClientAsk& ask, const std::string& sealed_state);

jsonrpc::ErrorObject missing_capability(const std::string& capability);
jsonrpc::ErrorObject unsupported_version(const std::string& asked);

/// What a request state belongs to: method and parameters without what changes from one round to the next.
std::string request_text(std::string_view method, Json params);

}  // namespace stepwise::mcp::modern
