#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace stepwise {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Bytes of the well-formed UTF-8 sequence that begins here (Unicode, table 3-7); 0: there is none.
size_t utf8_sequence(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto in = [&](size_t i, unsigned low, unsigned high) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return in(1, 0x80, 0xBF) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const unsigned low = first == 0xE0 ? 0xA0 : 0x80, high = first == 0xED ? 0x9F : 0xBF;
    return in(1, low, high) && in(2, 0x80, 0xBF) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const unsigned low = first == 0xF0 ? 0x90 : 0x80, high = first == 0xF4 ? 0x8F : 0xBF;
    return in(1, low, high) && in(2, 0x80, 0xBF) && in(3, 0x80, 0xBF) ? 4 : 0;
  }
  return 0;
}

/// Length of the longest well-formed beginning.
size_t valid_prefix(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    if (at + 8 <= text.size()) {
      uint64_t eight;
      std::memcpy(&eight, text.data() + at, 8);
      if ((eight & 0x8080808080808080ull) == 0) {
        at += 8;
        continue;
      }
    }
    const size_t length = utf8_sequence(text.substr(at));
    if (length == 0) return at;
    at += length;
  }
  return at;
}

/// Names that differ only in case or in - against _ are the same to a reader.
std::string folded(std::string_view name) {
  std::string out(name);
  for (char& c : out) c = c == '-' ? '_' : to_lower(c);
  return out;
}

/// Edits (insert, delete, replace, swap neighbours) that turn a into b.
/// Never more than the distance, and cheap: how many letters of one the other lacks.
size_t least_distance(std::string_view a, std::string_view b) {
  std::array<int, 256> surplus{};
  for (const char c : a) ++surplus[static_cast<unsigned char>(c)];
  for (const char c : b) --surplus[static_cast<unsigned char>(c)];
  size_t more = 0, less = 0;
  for (const int one : surplus) (one > 0 ? more : less) += static_cast<size_t>(std::abs(one));
  return std::max(more, less);
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        now[j] = std::min(now[j], before_last[j - 2] + 1);
      }
    }
    std::swap(before_last, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

bool iequals(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return to_lower(x) == to_lower(y); });
}

std::optional<int64_t> to_integer(std::string_view text) {
  text = trim(text);
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> to_double(std::string_view text) {
  text = trim(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

bool is_valid_utf8(std::string_view text) { return valid_prefix(text) == text.size(); }

std::string to_valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t good = valid_prefix(text);
    out.append(text.substr(0, good));
    text.remove_prefix(good);
    if (text.empty()) break;
    out += "\uFFFD";
    text.remove_prefix(1);
  }
  return out;
}

std::string shorten(std::string_view text, size_t max_columns) {
  if (max_columns == 0) return "";
  size_t columns = 0, at = 0, last_column = 0;
  while (at < text.size()) {
    if (columns == max_columns) return std::string(text.substr(0, last_column)) + "…";
    last_column = at;
    at += std::max<size_t>(1, utf8_sequence(text.substr(at)));
    ++columns;
  }
  return std::string(text);
}

std::vector<std::string> nearest_names(std::string_view written, std::span<const std::string> known) {
  constexpr size_t kMaxNames = 3, kMaxLength = 128;  // what is longer is no misspelt name
  const std::string wanted = folded(trim(written));
  if (wanted.empty() || wanted.size() > kMaxLength) return {};
  const size_t near = std::max<size_t>(1, wanted.size() / 3);

  std::vector<std::pair<size_t, std::string_view>> found;
  for (const std::string& name : known) {
    if (name.size() > kMaxLength) continue;
    const std::string candidate = folded(name);
    const bool part_of_it = wanted.size() >= 3 && candidate.find(wanted) != std::string::npos;
    if (!part_of_it && least_distance(wanted, candidate) > near) continue;
    const size_t distance = edit_distance(wanted, candidate);
    if (distance <= near || part_of_it) found.emplace_back(distance, name);
  }
  std::sort(found.begin(), found.end());
  if (found.size() > kMaxNames) found.resize(kMaxNames);
  std::vector<std::string> names;
  for (const auto& [distance, name] : found) names.emplace_back(name);
  return names;
}

std::string three_digits(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (value == 0) return "0";
  char buffer[32];  // -d.dde+ddd
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific, 2).ptr;
  const std::string_view text(buffer, static_cast<size_t>(end - buffer));
  const size_t e = text.find('e');
  const int exponent = std::atoi(std::string(text.substr(e + 1)).c_str());
  if (exponent >= 15 || exponent < -9) return std::string(text);

  std::string digits;
  for (const char c : text.substr(0, e)) {
    if (c >= '0' && c <= '9') digits += c;
  }
  std::string out = value < 0 ? "-" : "";
  if (exponent < 0) return out + "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<size_t>(exponent) + 1;
  if (whole < 3) return out + digits.substr(0, whole) + "." + digits.substr(whole);
  digits.resize(whole, '0');
  for (size_t i = 0; i < whole; ++i) {
    if (i != 0 && (whole - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string human_bytes(uint64_t bytes) {
  static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return std::to_string(bytes) + " B";
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  // 1023.95 would print as 1024.0: that belongs to the next unit.
  for (; unit < 1 || value >= 1023.95; ++unit) value /= 1024;
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 1).ptr;
  return std::string(buffer, end) + " " + kUnits[unit];
}

std::string joined(std::span<const std::string> parts, std::string_view between) {
  std::string out;
  for (const std::string& part : parts) {
    if (&part != parts.data()) out += between;
    out += part;
  }
  return out;
}

std::string to_lower(std::string_view text) {
  std::string out(text);
  for (char& one : out) {
    if (one >= 'A' && one <= 'Z') one = static_cast<char>(one - 'A' + 'a');
  }
  return out;
}

}  // namespace stepwise
