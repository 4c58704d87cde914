#include "core/advice/draft/claimed_gains.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "core/advice/draft/sentence.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

constexpr size_t kReachBefore = 40, kReachBehind = 28;  // bytes between the figure and the word of gain
constexpr size_t kNone = std::string_view::npos;
constexpr std::string_view kCompared = "the shorter one";

constexpr auto kWords = std::to_array<std::string_view>(
    {"improv", "speedup", "speed-up", "speed up", "speeds up", "faster", "reduc",    "gain", "save",
     "saving", "lower",   "shorten",  "shorter",  "cut",       "boost",  "increase", "提升", "收益",
     "降低",   "减少",    "加速",     "缩短",     "提高",      "节省",   "下降",     "提速", "增加"});

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

size_t number_end(std::string_view text, size_t at) {
  while (at < text.size() &&
         (is_digit(text[at]) || (text[at] == '.' && at + 1 < text.size() && is_digit(text[at + 1])))) {
    ++at;
  }
  return at;
}

/// Behind "%", " %", "x", "倍", "percent"; kNone: no share, no multiple.
size_t unit_end(std::string_view text, size_t at) {
  static constexpr auto kUnits =
      std::to_array<std::string_view>({"%", "％", "percent", "per cent", "x", "X", "×", "倍", "-fold", "times faster"});
  if (at < text.size() && text[at] == ' ') ++at;
  for (const std::string_view one : kUnits) {
    const size_t end = at + one.size();
    if (text.substr(at, one.size()) != one) continue;
    if (std::isalpha(static_cast<unsigned char>(one.back())) != 0 && end < text.size() && is_word(text[end])) continue;
    return end;
  }
  return kNone;
}

/// Behind "~", "-", "到" and the like between the ends of a range; `at`: none.
size_t range_mark_end(std::string_view text, size_t at) {
  static constexpr auto kMarks = std::to_array<std::string_view>({"~", "-", "–", "—", "～", "to", "至", "到", "..."});
  size_t i = at;
  while (i < text.size() && text[i] == ' ') ++i;
  for (const std::string_view one : kMarks) {
    if (text.substr(i, one.size()) != one) continue;
    i += one.size();
    while (i < text.size() && text[i] == ' ') ++i;
    return i < text.size() && is_digit(text[i]) ? i : at;
  }
  return at;
}

/// The end of a figure or range that begins with the digit at `at`; kNone: it is neither share nor multiple.
size_t claim_end(std::string_view text, size_t at) {
  const size_t number = number_end(text, at);
  size_t end = unit_end(text, number);
  const size_t next = range_mark_end(text, end == kNone ? number : end);
  if (next != (end == kNone ? number : end)) {
    const size_t other = unit_end(text, number_end(text, next));
    if (other != kNone) end = other;
  }
  if (end != kNone && end < text.size() && text[end] == '+') ++end;
  return end;
}

bool holds_gain_word(std::string_view text) {
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view one) { return text.find(one) != kNone; });
}

}  // namespace

std::vector<ClaimedGain> find_claimed_gains(std::string_view text) {
  std::string low = to_lower(text);
  // "3 % of the shorter one overlaps" compares two, it promises nothing.
  for (size_t at = low.find(kCompared); at != kNone; at = low.find(kCompared, at)) {
    low.replace(at, kCompared.size(), kCompared.size(), ' ');
  }
  std::vector<ClaimedGain> claims;
  for (size_t i = 0; i < text.size();) {
    if (!is_digit(text[i])) {
      ++i;
      continue;
    }
    const bool is_part = i > 0 && (is_word(text[i - 1]) || text[i - 1] == '.');
    const size_t end = claim_end(text, i);
    if (is_part || end == kNone) {
      i = std::max(number_end(text, i), i + 1);
      continue;
    }
    const std::string_view sentence = sentence_around(text, i, end - i);
    const auto sentence_begin = static_cast<size_t>(sentence.data() - text.data());
    const size_t from = std::max(sentence_begin, i < kReachBefore ? 0 : i - kReachBefore);
    const size_t to = std::min(sentence_begin + sentence.size(), end + kReachBehind);
    const std::string_view plain(low);
    if (holds_gain_word(plain.substr(from, i - from)) || holds_gain_word(plain.substr(end, to - end))) {
      size_t begin = i;
      if (begin > 0 && text[begin - 1] == '~') --begin;
      claims.push_back({begin, end - begin, sentence});
    }
    i = end;
  }
  return claims;
}

}  // namespace stepwise::advice
