// HOST:PORT of a server. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stepwise::cli {

struct ListenAddress {
  std::string host;  // IPv6 without brackets
  int port = 0;
  /// As it stands in a URL.
  std::string text() const;
};

/// "127.0.0.1:7337", "[::1]:7337", "localhost:0"; nullopt: it is none, or the port is over 65535.
std::optional<ListenAddress> parse_listen_address(std::string_view text);

}  // namespace stepwise::cli
