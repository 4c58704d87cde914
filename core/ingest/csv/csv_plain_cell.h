// Numbers as most cells of a profile have them: a few plain digits, eight of which are taken at once. Everything else
// is not plain and takes the general way, which says the same of these.
//
// Cells come from CsvBlock: kReadable bytes may be read from where one begins.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

namespace stepwise::ingest {

inline constexpr int64_t kNotPlain = -1;

/// Eight bytes of text, the first the lowest; each digit as its value.
inline uint64_t load_digits(const char* at) {
  static_assert(std::endian::native == std::endian::little);
  uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word ^ 0x3030303030303030;
}

/// How many of the first `size` bytes are digits before another comes, at most eight.
inline size_t count_digits(uint64_t word, size_t size) {
  // Above 9, adding 0x76 reaches the highest bit.
  const uint64_t others = (((word & 0x7F7F7F7F7F7F7F7F) + 0x7676767676767676) | word) & 0x8080808080808080;
  return std::min(static_cast<size_t>(std::countr_zero(others)) / 8, size);  // no others: 64 / 8
}

/// The first `count` bytes, digits all, as a number.
inline uint64_t join_digits(uint64_t word, size_t count) {
  if (count == 0) return 0;
  word <<= 64 - 8 * count;  // zeros before the first
  // Neighbours join: digits to pairs, pairs to fours, fours to eight.
  word = (word * 10 + (word >> 8)) & 0x00FF00FF00FF00FF;
  word = (word * 100 + (word >> 16)) & 0x0000FFFF0000FFFF;
  return (word * 10'000 + (word >> 32)) & 0x00000000FFFFFFFF;
}

inline constexpr std::array<uint64_t, 9> kPowersOf10{1,       10,        100,        1'000,      10'000,
                                                     100'000, 1'000'000, 10'000'000, 100'000'000};

/// One to 16 digits.
inline int64_t plain_whole(std::string_view cell) {
  const size_t size = cell.size();
  const uint64_t word = load_digits(cell.data());
  if (size - 1 < 8) return count_digits(word, size) == size ? static_cast<int64_t>(join_digits(word, size)) : kNotPlain;
  if (size - 1 >= 16) return kNotPlain;
  const uint64_t next = load_digits(cell.data() + 8);
  if (count_digits(word, 8) != 8 || count_digits(next, size - 8) != size - 8) return kNotPlain;
  return static_cast<int64_t>(join_digits(word, 8) * kPowersOf10[size - 8] + join_digits(next, size - 8));
}

/// One to 16 digits, perhaps a point and up to eight decimals of which those after the third are zeros, perhaps a tab:
/// us that are whole ns.
[[gnu::always_inline]] inline int64_t plain_us_to_ns(std::string_view cell) {
  const char* at = cell.data();
  const char* end = at + cell.size();
  if (at != end && end[-1] == '\t') --end;
  const auto left = [&] { return static_cast<size_t>(end - at); };
  uint64_t whole = 0, word = load_digits(at);
  size_t digits = count_digits(word, left());
  if (digits == 0) return kNotPlain;
  if (digits == 8) {
    whole = join_digits(word, 8);
    at += 8;
    word = load_digits(at);
    digits = count_digits(word, left());
  }
  whole = whole * kPowersOf10[digits] + join_digits(word, digits);
  at += digits;
  uint64_t decimals = 0;
  if (at != end) {
    if (*at++ != '.') return kNotPlain;
    decimals = load_digits(at);
    const size_t count = left();
    if (count_digits(decimals, count) != count) return kNotPlain;
    decimals = count == 0 ? 0 : decimals << (64 - 8 * count) >> (64 - 8 * count);
    if (decimals >> 24 != 0) return kNotPlain;  // parts of a ns
  }
  const uint64_t ns = whole * 1000 + (decimals & 0xFF) * 100 + (decimals >> 8 & 0xFF) * 10 + (decimals >> 16);
  return ns > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) ? kNotPlain : static_cast<int64_t>(ns);
}

/// Up to eight characters, digits and perhaps one point: exact in a double, as are these powers of ten, so that one
/// division of the two rounds right. Else below 0.
inline double plain_number(std::string_view cell) {
  const size_t size = cell.size();
  if (size - 1 >= 8) return -1;
  uint64_t word = load_digits(cell.data());
  const size_t whole = count_digits(word, size);
  if (whole == size) return static_cast<double>(join_digits(word, size));
  const uint64_t before = (uint64_t{1} << 8 * whole) - 1;
  if (size == 1 || (word >> 8 * whole & 0xFF) != ('.' ^ '0')) return -1;
  word = (word & before) | (word >> 8 & ~before);  // the point goes
  if (count_digits(word, size - 1) != size - 1) return -1;
  return static_cast<double>(join_digits(word, size - 1)) / static_cast<double>(kPowersOf10[size - 1 - whole]);
}

}  // namespace stepwise::ingest
