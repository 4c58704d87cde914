#include "clients/cli/terminal_text.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "core/base/text.h"

namespace stepwise::cli {
namespace {

struct Range {
  char32_t first, last;
};
// East Asian Wide and Fullwidth, as blocks; and what has no width of its own. Finer than this, terminals disagree.
constexpr Range kWide[] = {{0x1100, 0x115f}, {0x2e80, 0x303e},   {0x3041, 0x33ff},  {0x3400, 0x4dbf}, {0x4e00, 0x9fff},
                           {0xa000, 0xa4cf}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},  {0xfe30, 0xfe6f}, {0xff00, 0xff60},
                           {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd}};
constexpr Range kNoWidth[] = {{0x0300, 0x036f}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}};

template <size_t N>
bool lies_in(const Range (&ranges)[N], char32_t c) {
  return std::ranges::any_of(ranges, [c](const Range& range) { return c >= range.first && c <= range.last; });
}

size_t width_of(char32_t c) { return lies_in(kNoWidth, c) ? 0 : lies_in(kWide, c) ? 2 : 1; }

/// The code point at `at`, which is moved behind it. The text is valid UTF-8.
char32_t next_code_point(std::string_view text, size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at++]);
  if (lead < 0x80) return lead;
  const int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
  char32_t c = lead & (0x3f >> more);
  for (int i = 0; i < more && at < text.size(); ++i) c = (c << 6) | (static_cast<unsigned char>(text[at++]) & 0x3f);
  return c;
}

/// Length in bytes of the longest beginning that takes at most `width` columns.
size_t bytes_within(std::string_view text, size_t width) {
  size_t at = 0, used = 0;
  while (at < text.size()) {
    size_t next = at;
    used += width_of(next_code_point(text, next));
    if (used > width) break;
    at = next;
  }
  return at;
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string out;
  const std::string valid = to_valid_utf8(text);
  for (size_t at = 0; at < valid.size();) {
    const size_t begin = at;
    const char32_t c = next_code_point(valid, at);
    if (c == '\n' || c == '\t' || c == '\r') {
      out += ' ';
    } else if (c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069)) {
      out += '?';  // C0, DEL, C1, and what turns the writing direction
    } else {
      out.append(valid, begin, at - begin);
    }
  }
  return out;
}

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (size_t at = 0; at < text.size();) width += width_of(next_code_point(text, at));
  return width;
}

std::string fit(std::string_view text, size_t width, std::string_view mark) {
  if (display_width(text) <= width) return std::string(text);
  const size_t mark_width = display_width(mark);
  if (mark_width >= width) return std::string(text.substr(0, bytes_within(text, width)));
  return std::string(text.substr(0, bytes_within(text, width - mark_width))).append(mark);
}

std::string pad_right(std::string text, size_t width) {
  const size_t used = display_width(text);
  if (used < width) text.append(width - used, ' ');
  return text;
}

std::string pad_left(std::string text, size_t width) {
  const size_t used = display_width(text);
  return used < width ? std::string(width - used, ' ') + text : text;
}

std::vector<std::string> wrap(std::string_view text, size_t width, size_t max_lines, std::string_view mark) {
  std::vector<std::string> lines;
  text = trim(text);
  while (!text.empty() && lines.size() < max_lines) {
    if (display_width(text) <= width) {
      lines.emplace_back(text);
      break;
    }
    if (lines.size() + 1 == max_lines) {
      const size_t mark_width = display_width(mark);
      const size_t room = width > mark_width ? width - mark_width : 0;
      lines.push_back(std::string(trim(text.substr(0, bytes_within(text, room)))).append(mark));
      break;
    }
    size_t end = std::max<size_t>(bytes_within(text, width), 1);
    // Chinese has no blanks between words and may break anywhere, so a line without a blank is cut where it is full.
    if (text[end] != ' ') {
      if (const size_t blank = text.substr(0, end).rfind(' '); blank != std::string_view::npos && blank > 0)
        end = blank;
    }
    lines.emplace_back(trim(text.substr(0, end)));
    text = trim(text.substr(end));
  }
  return lines;
}

}  // namespace stepwise::cli
