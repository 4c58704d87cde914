#include "core/advice/gate/mention_value.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/advice/call_arguments.h"
#include "core/base/characters.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

constexpr size_t kMaxValueBytes = 1024;  // a longer one is cut, and then fits no grammar
constexpr size_t kNone = std::string_view::npos;

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

/// `NAME=` or `--name` follows: the value ends before it.
bool begins_assignment(std::string_view rest) {
  size_t i = 0;
  while (i < rest.size() && rest[i] == ' ') ++i;
  const size_t begin = i;
  while (i < rest.size() && i - begin < 64 && (is_word(rest[i]) || rest[i] == '.')) ++i;
  return i > begin && i + 1 < rest.size() && rest[i] == '=' && rest[i + 1] != '=';
}

/// What a value looks like where only words around it say that it is one.
bool looks_like_value(std::string_view word) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"true", "false", "on", "off", "none", "null", "enable", "disable", "yes", "no", "force", "default"});
  if (word.empty()) return false;
  if (std::any_of(word.begin(), word.end(), is_digit)) return true;
  return word.find('_') != word.npos ||
         std::any_of(kWords.begin(), kWords.end(), [&](std::string_view one) { return iequals(one, word); });
}

/// tf.compat.as_bytes("x") is how a text is written there.
std::string_view out_of_bytes(std::string_view value) {
  constexpr std::string_view kCall = "as_bytes(";
  const size_t call = value.find(kCall);
  if (call == value.npos || value.back() != ')') return value;
  return unquoted(trim(value.substr(call + kCall.size(), value.size() - 1 - call - kCall.size())));
}

/// "nine", 九: a number in a word, which stands alone.
GivenValue spelled_number(std::string_view text, size_t at) {
  static constexpr auto kNumbers = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"zero", "0"},     {"one", "1"},   {"two", "2"},   {"three", "3"}, {"four", "4"}, {"five", "5"},
       {"six", "6"},      {"seven", "7"}, {"eight", "8"}, {"nine", "9"},  {"ten", "10"}, {"twelve", "12"},
       {"sixteen", "16"}, {"零", "0"},    {"一", "1"},    {"二", "2"},    {"三", "3"},   {"四", "4"},
       {"五", "5"},       {"六", "6"},    {"七", "7"},    {"八", "8"},    {"九", "9"},   {"十", "10"}});
  static constexpr auto kBehind = std::to_array<std::string_view>({"，", "。", "；", "、", "）", "！"});
  for (const auto& [word, digits] : kNumbers) {
    const size_t end = at + word.size();
    if (!iequals(text.substr(std::min(at, text.size()), word.size()), word)) continue;
    const std::string_view rest = text.substr(end);
    const bool is_alone = rest.empty() || (is_ascii(rest[0]) && !is_word(rest[0]) && rest[0] != '-') ||
                          std::any_of(kBehind.begin(), kBehind.end(), [&](auto one) { return rest.starts_with(one); });
    if (is_alone) return {Giving::told, std::string(digits), end};
  }
  return {};
}

bool ends_with_option_name(std::string_view before) {
  static constexpr auto kNames = std::to_array<std::string_view>(
      {"options", "config", "configs", "option", "settings", "environ.update(", "environ |", "environ|", "env"});
  while (!before.empty() && (before.back() == ' ' || before.back() == '=' || before.back() == ':' ||
                             before.back() == '"' || before.back() == '\'')) {
    before.remove_suffix(1);
  }
  return std::any_of(kNames.begin(), kNames.end(), [&](std::string_view one) {
    return before.size() >= one.size() && before.substr(before.size() - one.size()) == one;
  });
}

}  // namespace

Surroundings::Surroundings(const Readable& readable)
    : readable_(readable),
      text_(readable.text),
      closes_(text_.size(), kNone),
      among_options_(text_.size(), false),
      in_brackets_(text_.size(), false) {
  struct Open {
    size_t at;
    char close;
    bool has_options;
  };
  std::vector<Open> open;
  for (size_t i = 0; i < text_.size(); ++i) {
    const char c = text_[i];
    if (c == '\n' && i + 1 < text_.size() && text_[i + 1] == '\n' && readable_.zones[i] != Zone::block) open.clear();
    if (c == '(' || c == '[' || c == '{') {
      const bool is_within = !open.empty() && open.back().has_options;
      const size_t from = i < 32 ? 0 : i - 32;
      const bool has_options = is_within || (c == '{' && ends_with_option_name(text_.substr(from, i - from)));
      open.push_back({i, c == '(' ? ')' : static_cast<char>(c + 2), has_options});
    } else if (c == ')' || c == ']' || c == '}') {
      if (!open.empty() && open.back().close == c) {
        closes_[open.back().at] = i;
        open.pop_back();
      }
    }
    among_options_[i] = !open.empty() && open.back().has_options;
    in_brackets_[i] = !open.empty();
  }
}

size_t Surroundings::blanks_end(size_t at) const {
  while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\t')) ++at;
  return at;
}

bool Surroundings::is_quoted(size_t begin, size_t end) const {
  return begin > 0 && end < text_.size() && (text_[begin - 1] == '"' || text_[begin - 1] == '\'') &&
         text_[end] == text_[begin - 1];
}

GivenValue Surroundings::call_at(size_t at) const {
  GivenValue given{Giving::called, std::nullopt, at};
  size_t close = closes_[at];
  if (close == kNone) close = at + std::min(text_.substr(at, kMaxValueBytes).find('\n'), text_.size() - at);
  const std::string_view inside = text_.substr(at + 1, std::min(close - at - 1, kMaxValueBytes));
  if (!trim(inside).empty()) {
    given.value = std::string(trim(inside));
    given.end = std::min(close + 1, text_.size());
  }
  return given;
}

GivenValue Surroundings::literal(size_t at, Giving how) const {
  at = blanks_end(at);
  if (at >= text_.size()) return {};
  const char first = text_[at];
  if (first == '"' || first == '\'') {
    const std::string_view rest = text_.substr(at + 1, kMaxValueBytes);
    const size_t end = std::min({rest.find(first), rest.find('\n'), rest.size()});
    return {how, std::string(rest.substr(0, end)), at + 1 + end + (end < rest.size() ? 1u : 0u)};
  }
  if ((first == '[' || first == '{' || first == '(') && closes_[at] != kNone) {
    const size_t end = closes_[at] + 1;
    return {how, std::string(text_.substr(at, std::min(end - at, kMaxValueBytes))), at + 1};
  }
  const Zone zone = readable_.zones[at];
  const bool is_list_of_flags = text_.substr(at, 2) == "--";
  size_t end = at, depth = 0;
  for (; end < text_.size() && end - at < kMaxValueBytes && readable_.zones[end] == zone; ++end) {
    const char c = text_[end];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '"' || c == '\'' || !is_ascii(c)) break;
    if (c == '(' && closes_[end] != kNone && closes_[end] - at < kMaxValueBytes && end > at) {
      end = closes_[end];
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && depth-- == 0) break;
    const std::string_view rest = text_.substr(end + 1, 96);
    if (c == ';' && !is_list_of_flags && (begins_assignment(rest) || rest.substr(0, 6) == "export")) break;
    if (c == ',' && begins_assignment(rest)) break;
    if (c == '|' && zone != Zone::inline_code &&
        (end == at || rest.empty() || is_word(text_[end - 1]) != is_word(rest[0]))) {
      break;
    }
  }
  while (end > at && std::string_view(".,;:!?").find(text_[end - 1]) != kNone) --end;
  if (end > at && text_[end - 1] == '`' && text_[at] != '`') --end;  // code of Markdown within code
  if (end == at) return {};
  return {how, std::string(out_of_bytes(text_.substr(at, end - at))), end};
}

GivenValue Surroundings::told_at(size_t at, bool is_directive) const {
  static constexpr auto kPhrases = std::to_array<std::string_view>(
      {"的值设置为", "的值设为", "的值改为", "设置为", "设为", "设成", "配置为", "配置成", "改为", "改成", "置为",
       "调整为", "调为", "调到", "值为", "is set to", "set to", "has the value", "must be"});
  static constexpr auto kAfterVerb = std::to_array<std::string_view>({"为", "成", "to", "as", "at", "with value"});
  const auto behind = [&](std::string_view phrase) -> size_t {
    if (text_.substr(at, phrase.size()) != phrase) return kNone;
    const size_t end = at + phrase.size();
    return is_ascii(phrase.back()) && end < text_.size() && is_word(text_[end]) ? kNone : end;
  };
  static constexpr auto kBefore =
      std::to_array<std::string_view>({"需要", "需", "应该", "应", "建议", "可以", "可", "请", "的值"});
  for (const std::string_view one : kBefore) {
    if (text_.substr(at, one.size()) == one) at += one.size();
  }
  size_t value = kNone;
  bool is_sure = false;
  for (const std::string_view one : kPhrases) {
    if (value == kNone) value = behind(one), is_sure = value != kNone;
  }
  for (const std::string_view one : kAfterVerb) {
    if (value == kNone && is_directive) value = behind(one);
  }
  if (value == kNone) return {};
  value = blanks_end(value);
  if (value < text_.size() && text_[value] == '\n') value = blanks_end(value + 1);
  GivenValue given = spelled_number(text_, value);
  if (given.how == Giving::none) given = literal(value, Giving::told);
  if (given.how == Giving::none || !given.value) return {};
  const bool is_marked = value < text_.size() && (text_[value] == '"' || readable_.zones[value] == Zone::inline_code);
  const bool is_spelled = given.end > value && given.value->size() != given.end - value;
  return is_sure || is_marked || is_spelled || looks_like_value(*given.value) ? given : GivenValue{};
}

GivenValue Surroundings::cell_at(size_t at) const {
  const size_t cell = blanks_end(at + 1);
  size_t end = cell;
  while (end < text_.size() && end - cell < kMaxValueBytes && is_ascii(text_[end]) && text_[end] != '|' &&
         text_[end] != ' ' && text_[end] != '\n') {
    ++end;
  }
  const size_t bar = blanks_end(end);
  const bool is_whole = bar < text_.size() && (text_[bar] == '|' || text_[bar] == '\n');
  const std::string_view word = text_.substr(cell, end - cell);
  if (!is_whole || !looks_like_value(word)) return {};
  return {Giving::beside, std::string(word), end};
}

GivenValue Surroundings::word_beside(size_t at) const {
  const size_t begin = blanks_end(at);
  if (begin == at || begin >= text_.size() || text_[begin] == '-') return {};
  GivenValue given = literal(begin, Giving::beside);
  if (given.how == Giving::none || !given.value) return {};
  const bool is_code = readable_.zones[begin] == Zone::block ||
                       (readable_.zones[begin] == Zone::inline_code && readable_.zones[at] == Zone::inline_code);
  return is_code || looks_like_value(*given.value) ? given : GivenValue{};
}

GivenValue Surroundings::value_of(size_t begin, size_t end, bool is_flag, bool is_directive) const {
  size_t at = end;
  const bool quoted = is_quoted(begin, end);
  if (quoted) ++at;
  const size_t next = blanks_end(at);
  if (next >= text_.size()) return {};
  const auto is_assignment = [&](size_t i) {
    return i < text_.size() && text_[i] == '=' && (i + 1 >= text_.size() || text_[i + 1] != '=');
  };
  if (is_assignment(next)) return literal(next + 1, next == at ? Giving::assigned : Giving::spaced);
  if (!quoted && text_[at] == '(') return call_at(at);
  if (quoted && text_[next] == ']') {
    size_t i = blanks_end(next + 1);
    if (text_.substr(i, 1) == "." && i + 2 < text_.size()) i = blanks_end(i + 2);  // .s, .i, .b of a protobuf value
    if (is_assignment(i)) return literal(i + 1, Giving::keyed);
    return {};
  }
  if (quoted && text_[next] == ',') {
    const GivenValue given = literal(next + 1, Giving::keyed);
    const size_t before = begin >= 2 ? begin - 2 : 0;
    return text_[before] == '(' ? given : GivenValue{};
  }
  if (text_[next] == ':' && (next + 1 >= text_.size() || text_[next + 1] != ':')) {
    const bool is_default = text_.substr(next + 1, 1) == "=" || text_.substr(next + 1, 1) == "-";  // ${NAME:=1}
    const GivenValue given = literal(next + (is_default ? 2 : 1), Giving::keyed);
    const bool is_code = readable_.zones[begin] != Zone::prose;
    return given.value && (is_code || looks_like_value(*given.value)) ? given : GivenValue{};
  }
  if (text_[next] == '|') return cell_at(next);
  if (const GivenValue told = told_at(next, is_directive); told.how != Giving::none) return told;
  return is_flag ? word_beside(at) : GivenValue{};
}

bool is_variable(const Readable& readable, const GivenValue& given, const Parameter& parameter, bool is_in_brackets) {
  if (!given.value || given.value->empty()) return false;
  const std::string_view value = *given.value;
  if (parameter.kind == ParameterKind::env || parameter.kind == ParameterKind::cli) return false;
  const bool is_in_code = given.how == Giving::assigned || given.how == Giving::spaced || given.how == Giving::keyed;
  if (!is_in_code || !parameter.value || !parameter.value->is_without_words()) return false;
  const size_t begin = given.end >= value.size() ? given.end - value.size() : 0;
  // "x = cores" is how programs are written; "x=cores" in prose is what a reader is told to write.
  const bool is_program = is_in_brackets || given.how == Giving::spaced || readable.zones[begin] == Zone::block;
  const std::string_view text = readable.text;
  const bool is_bare = text.substr(begin, value.size()) == value;  // else there are quotes behind it
  return is_program && is_bare && value.size() >= 3 && !sounds_like_value(value) &&
         parameter.value->check(value).fit == Fit::no &&
         std::all_of(value.begin(), value.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

}  // namespace stepwise::advice
