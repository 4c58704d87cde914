#include "stepwise/json_writer.hpp"

#include <charconv>
#include <cmath>

namespace stepwise::sdk {
namespace {

// Bytes of the UTF-8 sequence at the start of text; 0: none that is valid (overlong, surrogate, cut, stray).
size_t sequence_length(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const size_t length = lead < 0x80                    ? 1
                        : lead >= 0xC2 && lead <= 0xDF ? 2
                        : (lead & 0xF0) == 0xE0        ? 3
                        : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                       : 0;
  if (length == 0 || length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  if (lead == 0xE0 && byte(1) < 0xA0) return 0;
  if (lead == 0xED && byte(1) > 0x9F) return 0;
  if (lead == 0xF0 && byte(1) < 0x90) return 0;
  if (lead == 0xF4 && byte(1) > 0x8F) return 0;
  return length;
}

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

}  // namespace

void JsonWriter::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (open_.empty()) return;
  if (open_.back()) out_ += ',';
  open_.back() = true;
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  out_ += bracket;
  open_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  out_ += bracket;
  if (!open_.empty()) open_.pop_back();
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  quote(name);
  out_ += ':';
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::nullptr_t) {
  separate();
  out_ += "null";
  return *this;
}

JsonWriter& JsonWriter::value(bool v) {
  separate();
  out_ += v ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::value(double v) {
  if (!std::isfinite(v)) return value(nullptr);
  separate();
  char buffer[32];
  // A negated difference of nothing is -0.0: nobody means that.
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, v == 0 ? 0.0 : v).ptr;
  const std::string_view text(buffer, static_cast<size_t>(end - buffer));
  out_ += text;
  // A reader that tells 5 from 5.0 must see a double where a double is meant.
  if (text.find_first_of(".e") == std::string_view::npos) out_ += ".0";
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view v) {
  separate();
  if (v.size() <= kMaxTextBytes) {
    quote(v);
    return *this;
  }
  size_t end = kMaxTextBytes;
  // Never inside a character; what is no UTF-8 has no characters to keep whole.
  for (int back = 0; back < 3 && (static_cast<unsigned char>(v[end]) & 0xC0) == 0x80; ++back) --end;
  quote(std::string(v.substr(0, end)) + "\u2026 (" + std::to_string(v.size()) + " bytes)");
  return *this;
}

JsonWriter& JsonWriter::value(const Value& v) {
  separate();
  out_ += v.to_json();
  return *this;
}

JsonWriter& JsonWriter::signed_integer(int64_t v) {
  separate();
  out_ += std::to_string(v);
  return *this;
}

JsonWriter& JsonWriter::unsigned_integer(uint64_t v) {
  separate();
  out_ += std::to_string(v);
  return *this;
}

void JsonWriter::quote(std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  out_ += '"';
  while (!text.empty()) {
    const auto c = static_cast<unsigned char>(text[0]);
    size_t length = 1;
    if (c == '"' || c == '\\') {
      (out_ += '\\') += text[0];
    } else if (c == '\n') {
      out_ += "\\n";
    } else if (c == '\t') {
      out_ += "\\t";
    } else if (c == '\r') {
      out_ += "\\r";
    } else if (c < 0x20) {
      ((out_ += "\\u00") += kHex[c >> 4]) += kHex[c & 15];
    } else if (const size_t valid = sequence_length(text); valid > 0) {
      length = valid;
      out_ += text.substr(0, valid);
    } else {
      out_ += kReplacement;
    }
    text.remove_prefix(length);
  }
  out_ += '"';
}

}  // namespace stepwise::sdk
