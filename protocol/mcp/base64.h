// Base64 with padding (RFC 4648, section 4), by OpenSSL.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stepwise::mcp {

std::string to_base64(std::string_view bytes);
/// nullopt: it is none. The empty text decodes to no bytes.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace stepwise::mcp
