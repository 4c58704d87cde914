#include "core/advice/call_arguments.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/base/characters.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

/// `name = value`; a comparison (==) is no name.
WrittenArgument argument_of(std::string_view text) {
  const size_t at = text.find('=');
  if (at == text.npos || at == 0 || (at + 1 < text.size() && text[at + 1] == '=')) return {{}, text};
  const std::string_view name = trim(text.substr(0, at));
  if (!std::all_of(name.begin(), name.end(), is_word)) return {{}, text};
  return {name, trim(text.substr(at + 1))};
}

}  // namespace

std::optional<std::vector<WrittenArgument>> split_arguments(std::string_view text) {
  std::vector<WrittenArgument> out;
  std::vector<char> open;
  char quote = 0;
  size_t begin = 0;
  const auto take = [&](size_t end) {
    const std::string_view piece = trim(text.substr(begin, end - begin));
    if (!piece.empty()) out.push_back(argument_of(piece));
    begin = end + 1;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\') {
        ++i;
      } else if (c == quote) {
        quote = 0;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      open.push_back(c == '(' ? ')' : static_cast<char>(c + 2));
    } else if (c == ')' || c == ']' || c == '}') {
      if (open.empty() || open.back() != c) return std::nullopt;
      open.pop_back();
    } else if (c == ',' && open.empty()) {
      take(i);
    }
  }
  if (quote != 0 || !open.empty()) return std::nullopt;
  take(text.size());
  return out;
}

bool sounds_like_value(std::string_view word) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"true",      "false",     "none",     "null",     "on",    "off",   "auto", "default", "enable",  "enabled",
       "disable",   "disabled",  "yes",      "no",       "all",   "any",   "max",  "maximum", "min",     "minimum",
       "unlimited", "unbounded", "infinite", "infinity", "inf",   "nan",   "huge", "big",     "large",   "small",
       "high",      "low",       "full",     "half",     "most",  "many",  "few",  "zero",    "one",     "two",
       "three",     "four",      "five",     "six",      "seven", "eight", "nine", "ten",     "highest", "lowest",
       "largest",   "smallest",  "forever",  "always",   "never"});
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view one) { return iequals(one, word); });
}

bool is_literal(std::string_view text) {
  if (text.empty()) return false;
  if (text == "True" || text == "False" || text == "None" || to_double(text) || sounds_like_value(text)) return true;
  if (unquoted(text).size() != text.size()) return true;
  return text.find('.') != text.npos && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_word(c) || c == '.'; });
}

std::string_view unquoted(std::string_view text) {
  const bool is_quoted =
      text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

}  // namespace stepwise::advice
