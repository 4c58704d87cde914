#include "protocol/mcp/base64.h"

#include <openssl/evp.h>

#include <algorithm>

namespace stepwise::mcp {

std::string to_base64(std::string_view bytes) {
  std::string out(4 * ((bytes.size() + 2) / 3) + 1, '\0');  // and the zero that is written behind it
  const int size =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  out.resize(static_cast<size_t>(size));
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.empty()) return std::string();
  const size_t padding = text.size() - std::min(text.find_last_not_of('=') + 1, text.size());
  if (text.size() % 4 != 0 || padding > 2) return std::nullopt;
  // The decoder takes blanks at either end for nothing, which would make the size a guess.
  const auto is_digit = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
  };
  if (!std::all_of(text.begin(), text.end() - static_cast<std::ptrdiff_t>(padding), is_digit)) return std::nullopt;
  std::string out(text.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  if (size < 0) return std::nullopt;
  out.resize(static_cast<size_t>(size) - padding);  // padding is decoded as zero bytes
  return out;
}

}  // namespace stepwise::mcp
