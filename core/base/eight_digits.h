// Eight decimal digits in one step: the timestamps' 16 take two.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace stepwise {

static_assert(std::endian::native == std::endian::little);

/// If the eight characters at `at` are digits: appends them to the number. False: they are not; it stays as it was.
inline bool read_eight_digits(const char* at, uint64_t& number) {
  uint64_t chunk;
  std::memcpy(&chunk, at, sizeof chunk);
  // A digit's high half is 3, also after adding 6.
  const uint64_t high = (chunk & 0xF0F0F0F0F0F0F0F0) | (((chunk + 0x0606060606060606) & 0xF0F0F0F0F0F0F0F0) >> 4);
  if (high != 0x3333333333333333) return false;
  // Neighbours join: digits to pairs, pairs to fours, fours to eight (the first character is the lowest byte).
  chunk -= 0x3030303030303030;
  chunk = (chunk * 10 + (chunk >> 8)) & 0x00FF00FF00FF00FF;
  chunk = (chunk * 100 + (chunk >> 16)) & 0x0000FFFF0000FFFF;
  chunk = (chunk * 10'000 + (chunk >> 32)) & 0x00000000FFFFFFFF;
  number = number * 100'000'000 + chunk;
  return true;
}

}  // namespace stepwise
