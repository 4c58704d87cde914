#include "core/advice/gate/entities.h"

#include <array>
#include <cctype>
#include <optional>

namespace stepwise::advice {
namespace {

constexpr size_t kMaxEntityBytes = 12;  // &#x10FFFF; and the names below

struct Named {
  std::string_view name, shows;
};
constexpr std::array kNamed{
    Named{"lowbar", "_"}, Named{"UnderBar", "_"}, Named{"equals", "="}, Named{"quot", "\""}, Named{"QUOT", "\""},
    Named{"apos", "'"},   Named{"nbsp", " "},     Named{"period", "."}, Named{"dash", "-"},  Named{"hyphen", "-"},
    Named{"lpar", "("},   Named{"rpar", ")"},     Named{"lsqb", "["},   Named{"rsqb", "]"},  Named{"colon", ":"},
    Named{"semi", ";"},   Named{"comma", ","},    Named{"vert", "|"},   Named{"Tab", "\t"},  Named{"NewLine", "\n"},
    Named{"grave", "`"},  Named{"shy", ""},       Named{"zwnj", ""},    Named{"zwj", ""},    Named{"amp", "&"},
};

void append_utf8(uint32_t code, std::string& out) {
  const auto byte = [&](uint32_t value) { out += static_cast<char>(value); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | code >> 6);
    byte(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    byte(0xE0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  } else {
    byte(0xF0 | code >> 18);
    byte(0x80 | (code >> 12 & 0x3F));
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  }
}

/// `#95`, `#x5f`
std::optional<uint32_t> number_of(std::string_view body) {
  const bool is_hex = body.size() > 1 && (body[1] == 'x' || body[1] == 'X');
  const std::string_view digits = body.substr(is_hex ? 2 : 1);
  if (digits.empty()) return std::nullopt;
  uint32_t code = 0;
  for (const char c : digits) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_hex ? std::isxdigit(byte) == 0 : std::isdigit(byte) == 0) return std::nullopt;
    const int digit = std::isdigit(byte) != 0 ? c - '0' : std::tolower(byte) - 'a' + 10;
    code = code * (is_hex ? 16 : 10) + static_cast<uint32_t>(digit);
    if (code > 0x10FFFF) return std::nullopt;
  }
  return code == 0 ? std::nullopt : std::optional(code);
}

/// What stands between & and ; shows; nullopt: it is no entity, or one that stays.
std::optional<std::string> shown_by(std::string_view body) {
  if (!body.empty() && body[0] == '#') {
    const auto code = number_of(body);
    if (!code || *code == '<' || *code == '>') return std::nullopt;
    std::string out;
    append_utf8(*code, out);
    return out;
  }
  for (const Named& one : kNamed) {
    if (one.name == body) return std::string(one.shows);
  }
  return std::nullopt;
}

}  // namespace

Decoded decode_entities(std::string_view text) {
  Decoded out;
  out.text.reserve(text.size());
  out.offsets.reserve(text.size() + 1);
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '&') {
      const size_t end = text.substr(i, kMaxEntityBytes).find(';');
      const auto shown = end == text.npos ? std::nullopt : shown_by(text.substr(i + 1, end - 1));
      if (shown) {
        out.text += *shown;
        out.offsets.insert(out.offsets.end(), shown->size(), static_cast<uint32_t>(i));
        i += end + 1;
        continue;
      }
    }
    out.text += text[i];
    out.offsets.push_back(static_cast<uint32_t>(i));
    ++i;
  }
  out.offsets.push_back(static_cast<uint32_t>(text.size()));
  return out;
}

}  // namespace stepwise::advice
