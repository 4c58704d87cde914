// Decimal text to integer nanoseconds, exactly. Timestamps never pass through a double: 16 integer digits and three
// decimals of a microsecond do not fit one.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace stepwise {

/// A decimal number ("-12.3456", "1e-3", surrounding blanks and TABs allowed) times 10^scale, as an integer, half to
/// even. scale 3: us to ns. scale 6: ms to ns, or MB to bytes. nullopt: empty, not a number, or out of int64.
std::optional<int64_t> scaled_integer(std::string_view text, int scale);

/// A decimal number times 2^power (10: KB to bytes, 20: MB to bytes; power < 64), as an integer, half to even. Of more
/// than 19 digits the first 19 count, leading zeros apart. nullopt: as above.
std::optional<int64_t> binary_scaled_integer(std::string_view text, int power);

inline std::optional<int64_t> us_to_ns(std::string_view text) { return scaled_integer(text, 3); }
inline std::optional<int64_t> ms_to_ns(std::string_view text) { return scaled_integer(text, 6); }

/// A spreadsheet that re-saved a profile leaves "1.69512E+15": the digits that told instants apart are gone.
bool is_destroyed_timestamp(std::string_view text);

inline double ns_to_us(int64_t ns) { return static_cast<double>(ns) / 1000.0; }

}  // namespace stepwise
