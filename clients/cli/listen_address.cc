#include "clients/cli/listen_address.h"

#include <charconv>

namespace stepwise::cli {
namespace {

constexpr int kMaxPort = 65535;

}  // namespace

std::string ListenAddress::text() const {
  const bool is_six = host.find(':') != std::string::npos;
  return (is_six ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::optional<ListenAddress> parse_listen_address(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const std::string_view digits = text.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return std::nullopt;  // an IPv6 address without brackets: which colon is the port's cannot be told
  }
  ListenAddress address{std::string(host), 0};
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), address.port);
  const bool is_number = problem == std::errc() && end == digits.data() + digits.size();
  if (host.empty() || !is_number || address.port < 0 || address.port > kMaxPort) return std::nullopt;
  return address;
}

}  // namespace stepwise::cli
