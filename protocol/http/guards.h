// Who may ask: the name by which the server was called, the page that calls, the token. Pure.
//
// A page of any site can make a browser send requests to 127.0.0.1, and by a name that it controls even read the
// answers (DNS rebinding). So the server answers only to names that it knows, and only to pages of such names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/http/request_head.h"

namespace stepwise::http {

struct GuardRules {
  std::vector<std::string> hosts;       // in lower case, without port, [::1] in brackets
  std::string token;                    // empty: none is asked for
  std::vector<std::string> open_paths;  // answered without a token
};

/// The rules of a server that is bound to `bound_host`: loopback names, that, and what the operator allowed.
GuardRules guard_rules(const std::string& bound_host, const std::vector<std::string>& allowed_hosts, std::string token);

/// "127.0.0.1", "::1", "localhost" and the rest of 127/8: what nobody else on the network can reach.
bool is_loopback(std::string_view host);

/// NAME or NAME:PORT, the name one of `hosts`.
bool is_allowed_host(std::string_view authority, const std::vector<std::string>& hosts);
/// http:// or https:// before such a NAME or NAME:PORT; "null" (a sandboxed page, a file) is none.
bool is_allowed_origin(std::string_view origin, const std::vector<std::string>& hosts);
/// `authorization` is "Bearer TOKEN". Takes equally long wherever the first difference is.
bool is_right_token(std::string_view authorization, std::string_view token);

/// A browser's question whether a page may send a request of its own; it carries no token.
bool is_preflight(const HttpRequest& request);

/// Refuses with 403 (Host, Origin) and 401 (token); preflights need no token.
std::optional<Refusal> check_request(const HttpRequest& request, const GuardRules& rules);

}  // namespace stepwise::http
