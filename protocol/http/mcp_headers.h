// The headers by which a modern request of MCP repeats what its body says, so that proxies can route it: they must
// agree with the body.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/engine/registry.h"
#include "protocol/http/exchange.h"
#include "protocol/jsonrpc/message.h"

namespace stepwise::http {

/// The error -32020, with what differs; nullopt: they agree.
std::optional<jsonrpc::ErrorObject> header_mismatch(const HttpRequest& http, const jsonrpc::Request& request,
                                                    const engine::Registry& registry);

/// `=?base64?...?=` decoded, anything else as it stands (without surrounding blanks); nullopt: bad base64.
std::optional<std::string> header_value(std::string_view raw);

/// Does the list of media types in Accept take this one? An absent header takes everything.
bool accepts(const HttpRequest& http, std::string_view type);

}  // namespace stepwise::http
