#include "protocol/mcp/own_address.h"

#include <cstdint>

#include "core/base/text.h"

namespace stepwise::mcp {
namespace {

std::optional<uint8_t> hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    if (text.size() - at < 3) return std::nullopt;
    const auto high = hex_digit(text[at + 1]), low = hex_digit(text[at + 2]);
    if (!high || !low) return std::nullopt;
    out += static_cast<char>(*high << 4 | *low);
    at += 2;
  }
  return out;
}

bool is_fit(const std::string& segment) {
  for (const char c : segment) {
    if (static_cast<uint8_t>(c) < 0x20 || c == 0x7f) return false;
  }
  return !segment.empty() && segment != "." && segment != ".." && is_valid_utf8(segment);
}

bool stays_as_it_is(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~").find(c) != std::string_view::npos;
}

}  // namespace

std::optional<Address> parse_address(std::string_view uri) {
  constexpr std::string_view kBetween = "://";
  const size_t colon = uri.find(kBetween);
  if (colon == std::string_view::npos || colon == 0 || uri.find_first_of("?#") != std::string_view::npos) {
    return std::nullopt;
  }
  Address address{std::string(uri.substr(0, colon)), {}};
  std::string_view rest = uri.substr(colon + kBetween.size());
  while (true) {
    const size_t slash = rest.find('/');
    auto segment = percent_decoded(rest.substr(0, slash));
    if (!segment || !is_fit(*segment)) return std::nullopt;
    address.segments.push_back(std::move(*segment));
    if (slash == std::string_view::npos) return address;
    rest.remove_prefix(slash + 1);
  }
}

std::string percent_encoded(std::string_view text) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (stays_as_it_is(c)) {
      out += c;
      continue;
    }
    out += '%';
    out += kDigits[static_cast<uint8_t>(c) >> 4];
    out += kDigits[static_cast<uint8_t>(c) & 15];
  }
  return out;
}

}  // namespace stepwise::mcp
