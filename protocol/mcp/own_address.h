// Addresses of the server's own resources: scheme://segment/segment, each segment percent-encoded. They name things,
// they are no paths: nothing of them is ever joined to a directory.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stepwise::mcp {

struct Address {
  std::string scheme;
  std::vector<std::string> segments;  // decoded; at least one
};

/// nullopt: not of that form; a segment that is empty, "." or ".."; an escape that is none, or that stands for a
/// control character or for bytes that are not UTF-8; a query or a fragment.
std::optional<Address> parse_address(std::string_view uri);

/// All but letters, digits, '-', '.', '_' and '~' as escapes.
std::string percent_encoded(std::string_view text);

}  // namespace stepwise::mcp
