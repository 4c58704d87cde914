#include "protocol/http/guards.h"

#include <arpa/inet.h>

#include <algorithm>
#include <utility>

#include "core/base/text.h"

namespace stepwise::http {
namespace {

constexpr std::string_view kBearer = "bearer ";
constexpr uint32_t kLoopbackNet = 127;  // the first byte of 127/8

/// As a Host names it: an IPv6 address in brackets.
std::string as_host(std::string_view name) {
  std::string host = to_lower(name);
  if (host.find(':') != std::string::npos && !host.starts_with('[')) host = "[" + host + "]";
  return host;
}

}  // namespace

GuardRules guard_rules(const std::string& bound_host, const std::vector<std::string>& allowed_hosts,
                       std::string token) {
  GuardRules rules{{"localhost", "127.0.0.1", "[::1]", as_host(bound_host)}, std::move(token), {"/healthz"}};
  for (const std::string& host : allowed_hosts) rules.hosts.push_back(as_host(host));
  return rules;
}

bool is_loopback(std::string_view host) {
  const std::string name = to_lower(host);
  if (name == "localhost") return true;
  in_addr four{};
  if (inet_pton(AF_INET, name.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24) == kLoopbackNet;
  in6_addr six{};
  return inet_pton(AF_INET6, name.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

bool is_allowed_host(std::string_view authority, const std::vector<std::string>& hosts) {
  std::string_view name = authority;
  // The colon of a port stands behind the brackets of an IPv6 address.
  const size_t bracket = name.rfind(']'), colon = name.rfind(':');
  const bool has_port = colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
  if (has_port) {
    const std::string_view port = name.substr(colon + 1);
    const bool is_number = std::all_of(port.begin(), port.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (port.empty() || !is_number) return false;
    name = name.substr(0, colon);
  }
  return std::find(hosts.begin(), hosts.end(), to_lower(name)) != hosts.end();
}

bool is_allowed_origin(std::string_view origin, const std::vector<std::string>& hosts) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme)) return is_allowed_host(origin.substr(scheme.size()), hosts);
  }
  return false;
}

bool is_right_token(std::string_view authorization, std::string_view token) {
  if (!iequals(authorization.substr(0, kBearer.size()), kBearer)) return false;
  const std::string_view given = trim(authorization.substr(kBearer.size()));
  if (token.empty()) return false;
  size_t differences = given.size() ^ token.size();
  for (size_t i = 0; i < given.size(); ++i) {
    differences |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(token[i % token.size()]);
  }
  return differences == 0;
}

bool is_preflight(const HttpRequest& request) {
  return request.method == "OPTIONS" && request.header("origin") != nullptr &&
         request.header("access-control-request-method") != nullptr;
}

std::optional<Refusal> check_request(const HttpRequest& request, const GuardRules& rules) {
  const std::string* host = request.header("host");
  if (host == nullptr || !is_allowed_host(*host, rules.hosts)) {
    return Refusal{403, "host", "The server is not known by the name in Host; stepwise serve --allow-host allows one."};
  }
  const std::string* origin = request.header("origin");
  if (origin != nullptr && !is_allowed_origin(*origin, rules.hosts)) {
    return Refusal{403, "origin", "Pages of this origin may not ask; stepwise serve --allow-host allows a host."};
  }
  const auto& open = rules.open_paths;
  const bool is_open = std::find(open.begin(), open.end(), request.path) != open.end();
  if (rules.token.empty() || is_open || is_preflight(request)) return std::nullopt;
  const std::string* authorization = request.header("authorization");
  if (authorization != nullptr && is_right_token(*authorization, rules.token)) return std::nullopt;
  return Refusal{401, "token", "Send the server's token: Authorization: Bearer TOKEN."};
}

}  // namespace stepwise::http
