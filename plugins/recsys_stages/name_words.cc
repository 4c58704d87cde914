#include "name_words.h"

#include <cctype>

namespace stepwise::recsys_stages {
namespace {

enum class Kind { other, lower, upper, digit };

// ASCII only: other bytes are part of no keyword.
Kind kind_of(char c) {
  const auto u = static_cast<unsigned char>(c);
  if (u >= 'a' && u <= 'z') return Kind::lower;
  if (u >= 'A' && u <= 'Z') return Kind::upper;
  if (u >= '0' && u <= '9') return Kind::digit;
  return Kind::other;
}

}  // namespace

NameWords::NameWords(std::string_view name) {
  text.reserve(name.size());
  Kind before = Kind::other;
  for (size_t i = 0; i < name.size(); ++i) {
    const Kind kind = kind_of(name[i]);
    if (kind != Kind::other) {
      const Kind after = i + 1 < name.size() ? kind_of(name[i + 1]) : Kind::other;
      const bool is_digit = kind == Kind::digit, was_digit = before == Kind::digit;
      const bool camel = kind == Kind::upper && (before == Kind::lower || after == Kind::lower);
      const bool begin = before == Kind::other || is_digit != was_digit || camel;
      if (begin && !ends.empty()) ends.back() = true;
      text.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(name[i]))));
      begins.push_back(begin);
      ends.push_back(false);
    }
    before = kind;
  }
  if (!ends.empty()) ends.back() = true;
}

}  // namespace stepwise::recsys_stages
