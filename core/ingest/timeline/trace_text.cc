#include "core/ingest/timeline/trace_text.h"

#include <algorithm>
#include <cstring>

#include "core/base/decimal.h"

namespace stepwise::ingest {
namespace {

// All eight bytes are digits: their high halves are 3 and adding 6 carries none out of the low ones.
bool is_eight_digits(uint64_t chunk) {
  return ((chunk & 0xF0F0F0F0F0F0F0F0) | (((chunk + 0x0606060606060606) & 0xF0F0F0F0F0F0F0F0) >> 4)) ==
         0x3333333333333333;
}

uint64_t eight_digits(uint64_t chunk) {
  chunk = (chunk & 0x0F0F0F0F0F0F0F0F) * 2561 >> 8;
  chunk = (chunk & 0x00FF00FF00FF00FF) * 6553601 >> 16;
  return (chunk & 0x0000FFFF0000FFFF) * 42949672960001 >> 32;
}

struct Digits {
  uint64_t value = 0;
  size_t count = 0;  // value is meaningful up to 18 of them
};

Digits read_digits(const char*& at, const char* end) {
  const char* const begin = at;
  Digits digits;
  while (end - at >= 8) {
    uint64_t chunk = 0;
    std::memcpy(&chunk, at, sizeof chunk);
    if (!is_eight_digits(chunk)) break;
    digits.value = digits.value * 100'000'000 + eight_digits(chunk);
    at += 8;
  }
  for (; at != end && static_cast<unsigned char>(*at - '0') <= 9; ++at) {
    digits.value = digits.value * 10 + static_cast<uint64_t>(*at - '0');
  }
  digits.count = static_cast<size_t>(at - begin);
  return digits;
}

constexpr size_t kSafeDigits = 18;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Four hex digits at `at`; -1: there are none.
int32_t read_unit(std::string_view raw, size_t at) {
  if (at + 4 > raw.size()) return -1;
  int32_t unit = 0;
  for (size_t i = at; i < at + 4; ++i) {
    const int digit = hex_digit(raw[i]);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

void append_utf8(uint32_t point, std::string& out) {
  const auto byte = [&out](uint32_t value) { out += static_cast<char>(value); };
  if (point < 0x80) {
    byte(point);
  } else if (point < 0x800) {
    byte(0xC0 | point >> 6);
    byte(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    byte(0xE0 | point >> 12);
    byte(0x80 | (point >> 6 & 0x3F));
    byte(0x80 | (point & 0x3F));
  } else {
    byte(0xF0 | point >> 18);
    byte(0x80 | (point >> 12 & 0x3F));
    byte(0x80 | (point >> 6 & 0x3F));
    byte(0x80 | (point & 0x3F));
  }
}

/// Past "\u": the code point, moving `at` behind it; -1: no hex digits.
int64_t read_code_point(std::string_view raw, size_t& at) {
  constexpr uint32_t kReplacement = 0xFFFD;
  const int32_t unit = read_unit(raw, at);
  if (unit < 0) return -1;
  at += 4;
  if (unit < 0xD800 || unit > 0xDFFF) return unit;
  if (unit > 0xDBFF || raw.substr(at, 2) != "\\u") return kReplacement;
  const int32_t low = read_unit(raw, at + 2);
  if (low < 0xDC00 || low > 0xDFFF) return kReplacement;
  at += 6;
  return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
}

/// Innermost lists are tensors. A list of tensors is one argument: its tensors stand side by side.
bool append_shapes(std::string_view raw, std::string& out) {
  size_t depth = 0;
  bool is_first = true, is_innermost = false, is_closed = false;
  std::string sizes;
  for (const char c : raw) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') continue;
    if (is_closed) return false;
    if (c == '[') {
      if (!sizes.empty()) return false;
      ++depth;
      is_innermost = depth > 1;
    } else if (c == ']') {
      if (is_innermost) {
        if (!is_first) out += ';';
        out += sizes;
        is_first = is_innermost = false;
        sizes.clear();
      }
      is_closed = --depth == 0;
    } else if (is_innermost && ((c >= '0' && c <= '9') || c == '-' || c == ',')) {
      sizes += c;
    } else if (c != ',' || depth == 0) {
      return false;
    }
  }
  return is_closed;
}

}  // namespace

std::optional<int64_t> token_us_to_ns(std::string_view text) {
  static constexpr uint64_t kToNs[] = {1000, 100, 10, 1};
  const char* at = text.data();
  const char* const end = at + text.size();
  Digits digits = read_digits(at, end);
  size_t decimals = 0;
  if (at != end && *at == '.') {
    ++at;
    for (; at != end && static_cast<unsigned char>(*at - '0') <= 9; ++at) {
      digits.value = digits.value * 10 + static_cast<uint64_t>(*at - '0');
      ++decimals;
    }
  }
  if (at == end && digits.count > 0 && decimals <= 3 && digits.count + 3 <= kSafeDigits + 1) {
    uint64_t ns = 0;
    if (!__builtin_mul_overflow(digits.value, kToNs[decimals], &ns) && ns <= INT64_MAX) return static_cast<int64_t>(ns);
  }
  return us_to_ns(text);
}

std::optional<int64_t> token_to_integer(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const bool negative = at != end && *at == '-';
  if (negative) ++at;
  const Digits digits = read_digits(at, end);
  if (at != end || digits.count == 0) return std::nullopt;
  if (digits.count > kSafeDigits) return scaled_integer(text, 0);
  const auto value = static_cast<int64_t>(digits.value);
  return negative ? -value : value;
}

bool unescape(std::string_view raw, TextForm form, std::string& out) {
  if (form == TextForm::shapes) return append_shapes(raw, out);
  const auto append = [&](char c) {
    if (form != TextForm::plain && (c == '\r' || (c == '\n' && form == TextForm::one_line))) return;
    out += c;
  };
  size_t at = 0;
  while (at < raw.size()) {
    const size_t escape = std::min(raw.find('\\', at), raw.size());
    out.append(raw, at, escape - at);
    if (escape == raw.size()) break;
    if (escape + 1 == raw.size()) return false;
    at = escape + 2;
    switch (raw[escape + 1]) {
      case '"':
      case '\\':
      case '/':
        append(raw[escape + 1]);
        break;
      case 'n':
        append('\n');
        break;
      case 'r':
        append('\r');
        break;
      case 't':
        append('\t');
        break;
      case 'b':
        append('\b');
        break;
      case 'f':
        append('\f');
        break;
      case 'u': {
        const int64_t point = read_code_point(raw, at);
        if (point < 0) return false;
        if (point < 0x80) {
          append(static_cast<char>(point));
        } else {
          append_utf8(static_cast<uint32_t>(point), out);
        }
        break;
      }
      default:
        return false;
    }
  }
  return true;
}

}  // namespace stepwise::ingest
