#include "core/base/decimal.h"

#include <bit>
#include <cstring>
#include <limits>

namespace stepwise {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr int kSafeDigits = 19;  // any 19 decimal digits fit uint64_t, not any 20
constexpr uint64_t kPowersOf10[] = {1ull,
                                    10ull,
                                    100ull,
                                    1'000ull,
                                    10'000ull,
                                    100'000ull,
                                    1'000'000ull,
                                    10'000'000ull,
                                    100'000'000ull,
                                    1'000'000'000ull,
                                    10'000'000'000ull,
                                    100'000'000'000ull,
                                    1'000'000'000'000ull,
                                    10'000'000'000'000ull,
                                    100'000'000'000'000ull,
                                    1'000'000'000'000'000ull,
                                    10'000'000'000'000'000ull,
                                    100'000'000'000'000'000ull,
                                    1'000'000'000'000'000'000ull,
                                    10'000'000'000'000'000'000ull};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_digit(char c) { return static_cast<unsigned char>(c - '0') <= 9; }

/// sign, digits [. digits] [e exponent]: the pieces, not yet their value.
struct Parts {
  bool negative = false;
  uint64_t digits = 0;  // all digits as one integer; meaningful up to kSafeDigits of them
  const char* digits_begin = nullptr;
  const char* digits_end = nullptr;
  int64_t digit_count = 0;
  int64_t decimal_count = 0;
  bool has_exponent = false, exponent_has_plus = false;
  int64_t exponent = 0;
};

bool read_exponent(const char*& at, const char* end, Parts& parts) {
  constexpr int64_t kBeyondAny = 1'000'000'000'000'000;  // more than any text has digits: saturates, never overflows
  parts.has_exponent = true;
  bool negative = false;
  if (at != end && (*at == '+' || *at == '-')) {
    negative = *at == '-';
    parts.exponent_has_plus = *at == '+';
    ++at;
  }
  if (at == end || !is_digit(*at)) return false;
  for (; at != end && is_digit(*at); ++at) {
    if (parts.exponent < kBeyondAny) parts.exponent = parts.exponent * 10 + (*at - '0');
  }
  if (negative) parts.exponent = -parts.exponent;
  return true;
}

/// Eight digits in one step, if the next eight characters are digits: the timestamps' 16 take two.
bool read_eight(const char* at, uint64_t& digits) {
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
  digits = digits * 100'000'000 + chunk;
  return true;
}

const char* read_digits(const char* at, const char* end, uint64_t& digits) {
  while (end - at >= 8 && read_eight(at, digits)) at += 8;
  for (; at != end && is_digit(*at); ++at) digits = digits * 10 + static_cast<uint64_t>(*at - '0');
  return at;
}

bool read_parts(std::string_view text, Parts& parts) {
  const char* at = text.data();
  const char* end = at + text.size();
  while (at != end && is_blank(*at)) ++at;
  while (at != end && is_blank(end[-1])) --end;
  if (at != end && (*at == '-' || *at == '+')) parts.negative = *at++ == '-';

  parts.digits_begin = at;
  at = read_digits(at, end, parts.digits);
  parts.digit_count = at - parts.digits_begin;
  if (at != end && *at == '.') {
    const char* decimals = ++at;
    at = read_digits(at, end, parts.digits);
    parts.decimal_count = at - decimals;
    parts.digit_count += parts.decimal_count;
  }
  parts.digits_end = at;
  if (parts.digit_count == 0) return false;
  if (at == end) return true;
  return (*at == 'e' || *at == 'E') && read_exponent(++at, end, parts) && at == end;
}

/// value = (mantissa + what was cut off, less than 1) * 10^exponent
struct Scaled {
  uint64_t mantissa = 0;
  int64_t exponent = 0;
  enum class Cut : uint8_t { nothing, below_half, half, above_half } cut = Cut::nothing;
};

/// More than 19 digits: keeps the first 19 that count, and how the rest compares with half of the last one kept.
Scaled cut_to_safe_digits(const Parts& parts, int64_t exponent) {
  Scaled scaled;
  int kept = 0;
  int64_t cut_count = 0;
  for (const char* at = parts.digits_begin; at != parts.digits_end; ++at) {
    if (*at == '.') continue;
    const auto digit = static_cast<uint64_t>(*at - '0');
    if (kept < kSafeDigits) {
      scaled.mantissa = scaled.mantissa * 10 + digit;
      if (scaled.mantissa != 0) ++kept;
      continue;
    }
    if (cut_count++ == 0) {
      scaled.cut = digit == 0   ? Scaled::Cut::nothing
                   : digit < 5  ? Scaled::Cut::below_half
                   : digit == 5 ? Scaled::Cut::half
                                : Scaled::Cut::above_half;
    } else if (digit != 0) {
      if (scaled.cut == Scaled::Cut::nothing) scaled.cut = Scaled::Cut::below_half;
      if (scaled.cut == Scaled::Cut::half) scaled.cut = Scaled::Cut::above_half;
    }
  }
  scaled.exponent = exponent + cut_count;
  return scaled;
}

std::optional<uint64_t> magnitude(const Scaled& scaled) {
  uint64_t value = scaled.mantissa;
  auto cut = scaled.cut;
  if (value == 0) return 0;
  if (scaled.exponent > 0) {
    // A cut mantissa has 19 digits already, so any further factor overflows below.
    if (scaled.exponent > kSafeDigits || __builtin_mul_overflow(value, kPowersOf10[scaled.exponent], &value)) {
      return std::nullopt;
    }
    return value;
  }
  if (scaled.exponent < 0) {
    if (scaled.exponent < -kSafeDigits) return 0;  // 19 digits over 10^20: below a tenth
    const uint64_t divisor = kPowersOf10[-scaled.exponent];
    const uint64_t rest = value % divisor, half = divisor / 2;
    value /= divisor;
    const bool more = cut != Scaled::Cut::nothing;
    if (rest == 0 && !more) return value;
    cut = rest < half ? Scaled::Cut::below_half : rest == half && !more ? Scaled::Cut::half : Scaled::Cut::above_half;
  }
  if (cut == Scaled::Cut::above_half || (cut == Scaled::Cut::half && (value & 1) != 0)) ++value;
  return value;
}

}  // namespace

std::optional<int64_t> scaled_integer(std::string_view text, int scale) {
  Parts parts;
  if (!read_parts(text, parts)) return std::nullopt;
  const int64_t exponent = parts.exponent - parts.decimal_count + scale;
  const Scaled scaled = parts.digit_count <= kSafeDigits ? Scaled{parts.digits, exponent, Scaled::Cut::nothing}
                                                         : cut_to_safe_digits(parts, exponent);
  const std::optional<uint64_t> value = magnitude(scaled);
  constexpr auto kMax = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  if (!value || *value > kMax + (parts.negative ? 1 : 0)) return std::nullopt;
  return static_cast<int64_t>(parts.negative ? 0 - *value : *value);
}

bool is_destroyed_timestamp(std::string_view text) {
  Parts parts;
  return read_parts(text, parts) && parts.exponent_has_plus && parts.exponent > parts.decimal_count;
}

}  // namespace stepwise
