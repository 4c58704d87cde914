// What one byte of text is, in ASCII whatever the locale.
#pragma once

namespace stepwise {

constexpr bool is_digit(char c) { return static_cast<unsigned char>(c - '0') <= 9; }
/// Of a name in code: a letter, a digit or an underscore.
constexpr bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
/// Between the values of a JSON text.
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace stepwise
