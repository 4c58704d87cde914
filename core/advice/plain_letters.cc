#include "core/advice/plain_letters.h"

#include <algorithm>
#include <array>

#include "core/advice/look_alike.h"

namespace stepwise::advice {
namespace {

struct Range {
  uint32_t first, last;
};

/// What has no width of its own, in rising order.
constexpr std::array<Range, 16> kNoWidth{{{0xAD, 0xAD},
                                          {0x300, 0x36F},
                                          {0x61C, 0x61C},
                                          {0x115F, 0x1160},
                                          {0x17B4, 0x17B5},
                                          {0x180B, 0x180F},
                                          {0x1AB0, 0x1AFF},
                                          {0x1DC0, 0x1DFF},
                                          {0x200B, 0x200F},
                                          {0x202A, 0x202E},
                                          {0x2060, 0x206F},
                                          {0x20D0, 0x20FF},
                                          {0xFE00, 0xFE0F},
                                          {0xFE20, 0xFE2F},
                                          {0xFEFF, 0xFEFF},
                                          {0xE0000, 0xE01EF}}};

/// A run of code points that stand for a run of ASCII, `alphabets` times in turn.
struct Run {
  uint32_t first;
  char to;
  uint32_t length, alphabets;
};

constexpr std::array<Run, 14> kRuns{{
    {0x2460, '1', 9, 1},    // circled digits
    {0x24B6, 'A', 26, 1},   // circled letters
    {0x24D0, 'a', 26, 1},   //
    {0xFF01, '!', 94, 1},   // full width
    {0x1D7CE, '0', 10, 5},  // mathematical digits
    {0x1F130, 'A', 26, 1},  // squared
    {0x1F150, 'A', 26, 1},  // on black circles
    {0x1F170, 'A', 26, 1},  // on black squares
    {0x1F1E6, 'A', 26, 1},  // of flags
    {0x1FBF0, '0', 10, 1},  // of seven segments
    {0x2474, '1', 9, 1},    // in brackets
    {0x249C, 'a', 26, 1},   //
    {0x2776, '1', 9, 1},    // on black circles
    {0x2780, '1', 9, 1},    //
}};

// Mathematical letters: thirteen alphabets, capitals before small ones.
constexpr uint32_t kMathFirst = 0x1D400, kMathLast = 0x1D6A3, kLetters = 26;

struct CodePoint {
  uint32_t value;
  size_t bytes;
};

/// A byte that begins no whole sequence is taken for itself.
CodePoint code_point_at(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  const size_t bytes = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 1;
  if (bytes == 1 || at + bytes > text.size()) return {0, 1};
  uint32_t value = lead & (0x7Fu >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return {0, 1};
    value = value << 6 | (byte(at + i) & 0x3Fu);
  }
  return {value, bytes};
}

bool has_no_width(uint32_t value) {
  const auto* const it = std::lower_bound(kNoWidth.begin(), kNoWidth.end(), value,
                                          [](const Range& range, uint32_t one) { return range.last < one; });
  return it != kNoWidth.end() && it->first <= value;
}

/// '\0': it stands for itself.
char ascii_of(uint32_t value) {
  if (value >= kMathFirst && value <= kMathLast) {
    const uint32_t letter = (value - kMathFirst) % (2 * kLetters);
    return static_cast<char>(letter < kLetters ? 'A' + letter : 'a' + (letter - kLetters));
  }
  for (const Run& run : kRuns) {
    if (value < run.first || value >= run.first + run.length * run.alphabets) continue;
    return static_cast<char>(static_cast<uint32_t>(run.to) + (value - run.first) % run.length);
  }
  const auto* const it = std::lower_bound(kAlike.begin(), kAlike.end(), value,
                                          [](const auto& one, uint32_t wanted) { return one.first < wanted; });
  return it != kAlike.end() && it->first == value ? it->second : '\0';
}

/// put(bytes to append, offset of the first in the text).
template <class Put>
void each(std::string_view text, const Put& put) {
  for (size_t at = 0; at < text.size();) {
    const CodePoint one = code_point_at(text, at);
    if (one.value == 0) {
      put(text.substr(at, one.bytes), at);
    } else if (const char ascii = ascii_of(one.value); ascii != '\0') {
      put(std::string_view(&ascii, 1), at);
    } else if (!has_no_width(one.value)) {
      put(text.substr(at, one.bytes), at);
    }
    at += one.bytes;
  }
}

}  // namespace

std::string plain_letters(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  each(text, [&](std::string_view bytes, size_t) { out += bytes; });
  return out;
}

PlainText plain_letters_with_offsets(std::string_view text) {
  PlainText out;
  out.text.reserve(text.size());
  out.offsets.reserve(text.size() + 1);
  each(text, [&](std::string_view bytes, size_t at) {
    out.text += bytes;
    for (size_t i = 0; i < bytes.size(); ++i) out.offsets.push_back(static_cast<uint32_t>(at + i));
  });
  out.offsets.push_back(static_cast<uint32_t>(text.size()));
  return out;
}

}  // namespace stepwise::advice
