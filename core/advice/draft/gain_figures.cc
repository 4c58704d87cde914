#include "core/advice/draft/gain_figures.h"

#include "core/base/characters.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <span>

namespace stepwise::advice {
namespace {

using Words = std::span<const std::string_view>;
constexpr size_t kNone = std::string_view::npos;
constexpr size_t kObjectBytes = 40;  // behind "doubles": of what

size_t number_end(std::string_view text, size_t at) {
  while (at < text.size() &&
         (is_digit(text[at]) || (text[at] == '.' && at + 1 < text.size() && is_digit(text[at + 1])))) {
    ++at;
  }
  return at;
}

/// Behind the first of the words that stands at `at`, whole if it ends in a letter of ours; kNone: none does.
size_t word_end(std::string_view text, size_t at, Words words) {
  for (const std::string_view one : words) {
    const size_t end = at + one.size();
    if (text.substr(std::min(at, text.size()), one.size()) != one) continue;
    if (is_word(one.back()) && end < text.size() && is_word(text[end])) continue;
    return end;
  }
  return kNone;
}

size_t blank_end(std::string_view text, size_t at) { return at < text.size() && text[at] == ' ' ? at + 1 : at; }

size_t share_unit_end(std::string_view text, size_t at) {
  static constexpr auto kUnits =
      std::to_array<std::string_view>({"%", "％", "percent", "per cent", "x", "×", "倍", "-fold", "fold",
                                       "times faster", "times as fast", "times the"});
  return word_end(text, text.substr(std::min(at, text.size()), 1) == "-" ? at : blank_end(text, at), kUnits);
}

size_t time_unit_end(std::string_view text, size_t at) {
  static constexpr auto kUnits = std::to_array<std::string_view>(
      {"ms", "us", "µs", "μs", "ns", "s", "毫秒", "微秒", "秒", "milliseconds", "microseconds", "seconds"});
  return word_end(text, blank_end(text, at), kUnits);
}

/// Where the other end of a range begins, behind "~", "-", "到" and the like; `at`: there is none.
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

/// The figure or range that begins with the digit at `at`.
GainFigure number_at(std::string_view text, size_t at) {
  const size_t number = number_end(text, at);
  for (const GainKind kind : {GainKind::share, GainKind::time}) {
    const auto unit_end = kind == GainKind::share ? share_unit_end : time_unit_end;
    size_t end = unit_end(text, number);
    const size_t next = range_mark_end(text, end == kNone ? number : end);
    if (next != (end == kNone ? number : end)) {
      const size_t other = unit_end(text, number_end(text, next));
      if (other != kNone) end = other;
    }
    if (end == kNone) continue;
    if (end < text.size() && text[end] == '+') ++end;
    return {at, end, kind};
  }
  return {at, number, GainKind::bare};
}

/// "from 34.6 ms to 30 ms", 从 34.6ms 降到 30ms: nullopt if `at` begins none.
std::optional<GainFigure> change_at(std::string_view text, size_t at) {
  static constexpr auto kFrom = std::to_array<std::string_view>({"from ", "从", "由"});
  static constexpr auto kTo = std::to_array<std::string_view>(
      {"to ",  "down to ", "up to ", "降到",   "降至",   "降低到", "降低至", "缩短到", "缩短至", "减少到", "减少至",
       "减到", "提升到",   "提升至", "提高到", "提高至", "升到",   "升至",   "增加到", "增至",   "到",     "至"});
  size_t number = word_end(text, at, kFrom);
  if (number == kNone) return std::nullopt;
  number = blank_end(text, number);
  if (number >= text.size() || !is_digit(text[number])) return std::nullopt;
  const size_t first_end = number_end(text, number);
  const size_t share = share_unit_end(text, first_end), time = time_unit_end(text, first_end);
  const size_t first = share != kNone ? share : time != kNone ? time : first_end;
  size_t next = word_end(text, blank_end(text, first), kTo);
  if (next == kNone) return std::nullopt;
  next = blank_end(text, next);
  if (next >= text.size() || !is_digit(text[next])) return std::nullopt;
  const GainFigure last = number_at(text, next);
  if (last.kind == GainKind::bare) return std::nullopt;
  return GainFigure{at, last.end, GainKind::change};
}

/// Ten percent, a third, 百分之十, 一成, 三分之一, 一半.
std::optional<GainFigure> words_at(std::string_view text, size_t at) {
  static constexpr auto kNumbers = std::to_array<std::string_view>(
      {"one",    "two",     "three",  "four",   "five",  "six",   "seven", "eight",   "nine",   "ten",   "eleven",
       "twelve", "fifteen", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"});
  static constexpr auto kFractions = std::to_array<std::string_view>(
      {"a third", "one third", "two thirds", "a quarter", "one quarter", "three quarters", "half", "one half", "a half",
       "a fifth", "one fifth", "a tenth", "one tenth", "one-third", "two-thirds", "one-half", "one-quarter", "一半"});
  static constexpr auto kDigits = std::to_array<std::string_view>(
      {"一", "二", "两", "三", "四", "五", "六", "七", "八", "九", "十", "百", "零", "半", "几"});
  static constexpr auto kNoShare = std::to_array<std::string_view>({"成不", "成员", "成为", "成立", "成本", "成品"});
  if (const size_t end = word_end(text, at, kFractions); end != kNone) return GainFigure{at, end, GainKind::fraction};
  if (const size_t end = word_end(text, at, kNumbers); end != kNone) {
    const size_t unit = share_unit_end(text, end);
    return unit == kNone ? std::nullopt : std::optional(GainFigure{at, unit, GainKind::share});
  }
  const auto digits_end = [&](size_t i) {
    for (size_t next = i; next != kNone;) {
      i = next;
      next = word_end(text, i, kDigits);
      if (next == kNone && i < text.size() && is_digit(text[i])) next = number_end(text, i);
    }
    return i;
  };
  constexpr std::string_view kPercent = "百分之", kOf = "分之", kTenths = "成", kTimes = "倍";
  if (text.substr(at, kPercent.size()) == kPercent) {
    const size_t end = digits_end(at + kPercent.size());
    return end > at + kPercent.size() ? std::optional(GainFigure{at, end, GainKind::share}) : std::nullopt;
  }
  const size_t end = digits_end(at);
  if (end == at || is_digit(text[at])) return std::nullopt;
  if (text.substr(end, kTenths.size()) == kTenths && word_end(text, end, kNoShare) == kNone) {
    return GainFigure{at, digits_end(end + kTenths.size()), GainKind::share};
  }
  if (text.substr(end, kTimes.size()) == kTimes) return GainFigure{at, end + kTimes.size(), GainKind::share};
  if (text.substr(end, kOf.size()) == kOf && digits_end(end + kOf.size()) > end + kOf.size()) {
    return GainFigure{at, digits_end(end + kOf.size()), GainKind::fraction};
  }
  return std::nullopt;
}

bool holds_any(std::string_view text, Words words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view one) { return text.find(one) != kNone; });
}

/// "doubles the throughput", "halves idle time", "twice as fast", 吞吐翻倍; not "doubles the batch".
std::optional<GainFigure> verb_at(std::string_view text, size_t at) {
  static constexpr auto kMore =
      std::to_array<std::string_view>({"doubles", "doubled", "doubling", "double", "triples", "tripled", "tripling",
                                       "triple", "quadruples", "quadrupled", "twice the", "twice as much"});
  static constexpr auto kMoreOf = std::to_array<std::string_view>(
      {"throughput", "speed", "performance", "bandwidth", "efficiency", "utiliz", "utilis", "qps", "samples"});
  static constexpr auto kLess = std::to_array<std::string_view>({"halves", "halved", "halving", "halve", "half the"});
  static constexpr auto kLessOf = std::to_array<std::string_view>(
      {"time", "step", "latency", "idle", "wait", "cost", "duration", "overhead", "gap", "communication", "free"});
  static constexpr auto kWhole = std::to_array<std::string_view>(
      {"twice as fast", "twice faster", "翻倍", "翻番", "翻一番", "翻了一番", "倍增", "减半", "翻了一倍"});
  if (const size_t end = word_end(text, at, kWhole); end != kNone) return GainFigure{at, end, GainKind::verb};
  for (const auto& [verbs, objects] :
       {std::pair<Words, Words>{kMore, kMoreOf}, std::pair<Words, Words>{kLess, kLessOf}}) {
    const size_t end = word_end(text, at, verbs);
    if (end == kNone) continue;
    std::string_view object = text.substr(end, kObjectBytes);
    object = object.substr(0, object.find_first_of(".,;\n"));
    if (holds_any(object, objects)) return GainFigure{at, end, GainKind::verb};
  }
  return std::nullopt;
}

}  // namespace

std::vector<GainFigure> find_gain_figures(std::string_view low) {
  std::vector<GainFigure> found;
  for (size_t i = 0; i < low.size();) {
    const bool is_part = i > 0 && is_word(low[i]) && (is_word(low[i - 1]) || low[i - 1] == '.');
    if (is_digit(low[i])) {
      const GainFigure figure = number_at(low, i);
      if (!is_part) found.push_back(figure);
      i = is_part ? number_end(low, i) : std::max(figure.end, i + 1);
      continue;
    }
    const bool may_begin = !is_part && (static_cast<unsigned char>(low[i]) >= 0x80 || std::isalpha(low[i]) != 0);
    std::optional<GainFigure> figure;
    if (may_begin) {
      figure = change_at(low, i);
      if (!figure) figure = verb_at(low, i);
      if (!figure) figure = words_at(low, i);
    }
    if (figure) found.push_back(*figure);
    i = figure ? figure->end : i + 1;
  }
  return found;
}

}  // namespace stepwise::advice
