// Small text helpers that several floors need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stepwise {

std::string_view trim(std::string_view text);  // blanks, TAB, CR, LF
bool iequals(std::string_view a, std::string_view b);
/// Whole text as a base-10 integer (blanks around it allowed); nullopt: not one.
std::optional<int64_t> to_integer(std::string_view text);
/// Whole text as a finite double; nullopt: not one ("nan" and "inf" are none).
std::optional<double> to_double(std::string_view text);

/// Valid UTF-8 out of anything: each bad byte becomes U+FFFD.
std::string to_valid_utf8(std::string_view text);
bool is_valid_utf8(std::string_view text);
/// At most max_columns code points; a longer text ends in "…".
std::string shorten(std::string_view text, size_t max_columns);

/// Up to three known names nearest to what was written, nearest first; empty when none is near.
std::vector<std::string> nearest_names(std::string_view written, std::span<const std::string> known);

/// Three significant digits for people: 0.00123, 1.23, 123, 12300 -> "12,300". Exponent form only
/// from 1e15 up and below 1e-9.
std::string three_digits(double value);
/// 1536 -> "1.5 KiB"
std::string human_bytes(uint64_t bytes);

std::string joined(std::span<const std::string> parts, std::string_view between = ", ");

/// A to Z as a to z; other bytes as they are.
std::string to_lower(std::string_view text);

}  // namespace stepwise
