#include "core/base/decimal.h"

#include <algorithm>
#include <limits>

#include "core/base/characters.h"
#include "core/base/eight_digits.h"

namespace stepwise {
namespace {

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

const char* read_digits(const char* at, const char* end, uint64_t& digits) {
  while (end - at >= 8 && read_eight_digits(at, digits)) at += 8;
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

Scaled to_scaled(const Parts& parts, int scale) {
  const int64_t exponent = parts.exponent - parts.decimal_count + scale;
  return parts.digit_count <= kSafeDigits ? Scaled{parts.digits, exponent, Scaled::Cut::nothing}
                                          : cut_to_safe_digits(parts, exponent);
}

std::optional<uint64_t> shifted(std::optional<uint64_t> value, int power) {
  if (!value || *value > std::numeric_limits<uint64_t>::max() >> power) return std::nullopt;
  return *value << power;
}

/// Times 2^power before it is divided, so that no binary fraction is lost. The exponent is below 0.
std::optional<uint64_t> shifted(const Scaled& number, int power) {
  using Wide = unsigned __int128;
  if (number.exponent < -2 * kSafeDigits) return 0;  // 2^128 over 10^39: below a half
  Wide divisor = kPowersOf10[std::min<int64_t>(-number.exponent, kSafeDigits)];
  if (number.exponent < -kSafeDigits) divisor *= kPowersOf10[-number.exponent - kSafeDigits];
  const Wide numerator = Wide{number.mantissa} << power;
  const Wide rest = numerator % divisor, half = divisor / 2;
  Wide value = numerator / divisor;
  const bool more = number.cut != Scaled::Cut::nothing;
  if (rest > half || (rest == half && (more || (value & 1) != 0))) ++value;
  if (value > std::numeric_limits<uint64_t>::max()) return std::nullopt;
  return static_cast<uint64_t>(value);
}

std::optional<int64_t> with_sign(std::optional<uint64_t> value, const Parts& parts) {
  constexpr auto kMax = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  if (!value || *value > kMax + (parts.negative ? 1 : 0)) return std::nullopt;
  return static_cast<int64_t>(parts.negative ? 0 - *value : *value);
}

/// Digits, decimals of which the scale cuts only zeros, and nothing else but blanks behind: what profilers write nearly
/// always. nullopt: it is not so simple.
std::optional<int64_t> plain_scaled_integer(std::string_view text, int scale) {
  constexpr ptrdiff_t kPlainDigits = 18;  // fit int64_t
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  uint64_t digits = 0;
  const char* at = read_digits(begin, end, digits);
  ptrdiff_t count = at - begin, decimals = 0;
  if (at != end && *at == '.') {
    const char* const first = ++at;
    at = read_digits(first, end, digits);
    decimals = at - first;
    count += decimals;
  }
  while (at != end && is_blank(*at)) ++at;
  if (at != end || count == 0 || count > kPlainDigits) return std::nullopt;
  if (decimals > scale) {
    const uint64_t divisor = kPowersOf10[decimals - scale];
    return digits % divisor == 0 ? std::optional(static_cast<int64_t>(digits / divisor)) : std::nullopt;
  }
  int64_t value = 0;
  const auto factor = static_cast<int64_t>(kPowersOf10[scale - decimals]);
  return __builtin_mul_overflow(static_cast<int64_t>(digits), factor, &value) ? std::nullopt : std::optional(value);
}

}  // namespace

std::optional<int64_t> scaled_integer(std::string_view text, int scale) {
  if (const auto plain = plain_scaled_integer(text, scale)) return plain;
  Parts parts;
  if (!read_parts(text, parts)) return std::nullopt;
  return with_sign(magnitude(to_scaled(parts, scale)), parts);
}

std::optional<int64_t> binary_scaled_integer(std::string_view text, int power) {
  Parts parts;
  if (!read_parts(text, parts)) return std::nullopt;
  const Scaled number = to_scaled(parts, 0);
  return with_sign(number.exponent < 0 ? shifted(number, power) : shifted(magnitude(number), power), parts);
}

bool is_destroyed_timestamp(std::string_view text) {
  Parts parts;
  return read_parts(text, parts) && parts.exponent_has_plus && parts.exponent > parts.decimal_count;
}

}  // namespace stepwise
