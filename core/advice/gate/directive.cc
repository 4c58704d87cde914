#include "core/advice/gate/directive.h"
#include "core/base/characters.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

namespace stepwise::advice {
namespace {

constexpr size_t kLookAheadBytes = 40;

constexpr auto kCode = std::to_array<std::string_view>({"export ",      "setenv ",  "env ",           "-e ",
                                                        "-x ",          "unset ",   "$env:",          "environ[",
                                                        "environ.get(", "getenv(",  "putenv(",        "setenv(",
                                                        "setdefault(",  "env.pop(", "env{",           "environ.pop(",
                                                        "--env ",       "--env=",   "secure_getenv(", "addenv(",
                                                        "env_vars[",    "-env ",    "parameter_map[", "update_env("});
constexpr auto kVerbs = std::to_array<std::string_view>(
    {"set",      "setting",  "sets",     "enable",    "enabling",  "export",   "configure", "configuring", "turn on",
     "turn off", "add",      "adding",   "use",       "using",     "pass",     "passing",   "specify",     "via",
     "apply",    "try",      "unset",    "disable",   "disabling", "activate", "tune",      "raise",       "lower",
     "increase", "decrease", "variable", "variables", "option",    "options",  "parameter", "switch on",   "env var"});
constexpr auto kChineseVerbs = std::to_array<std::string_view>(
    {"设置", "设为", "开启", "配置",     "启用", "关闭", "打开", "使能", "添加", "增加", "使用", "通过",
     "指定", "采用", "改用", "环境变量", "参数", "变量", "开关", "选项", "导出", "调大", "调小", "加上"});
constexpr auto kAdjacent = std::to_array<std::string_view>(
    {"set", "enable", "enabling", "setting", "export", "configure", "variable", "variables", "disable", "unset",
     "option", "parameter", "flag", "activate", "turn on", "turn off"});
constexpr auto kChineseAdjacent = std::to_array<std::string_view>(
    {"设置", "开启", "配置", "启用", "关闭", "打开", "使能", "导出", "环境变量", "变量", "参数"});
constexpr auto kCall = std::to_array<std::string_view>(
    {"call", "calling", "calls", "invoke", "use", "using", "replace", "with", "via", "through", "insert"});
constexpr auto kChineseCall =
    std::to_array<std::string_view>({"调用", "使用", "改用", "替换为", "改为", "采用", "通过", "执行", "换成", "接口"});
constexpr auto kAfter = std::to_array<std::string_view>({"environment variable", "env var", "variable", "option",
                                                         "flag", "parameter", "switch", "环境变量", "变量", "参数",
                                                         "开关", "选项", "配置项", "设置", "设为", "开启"});

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool ends_with_any(std::string_view text, std::span<const std::string_view> ends, bool as_words) {
  return std::any_of(ends.begin(), ends.end(), [&](std::string_view one) {
    return ends_with(text, one) &&
           (!as_words || text.size() == one.size() || !is_word(text[text.size() - one.size() - 1]));
  });
}

bool holds_word(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

/// The sentence before `begin`, in lower case; blanks and line ends become one blank.
std::string sentence_before(std::string_view text, size_t begin) {
  const size_t from = begin < kLookBackBytes ? 0 : begin - kLookBackBytes;
  const std::string raw = to_lower(text.substr(from, begin - from));
  std::string out;
  for (size_t i = 0; i < raw.size(); ++i) {
    const char c = raw[i];
    const bool ends =
        (c == '.' || c == '!' || c == '?') && i + 1 < raw.size() && (raw[i + 1] == ' ' || raw[i + 1] == '\n');
    if (ends || (c == '\n' && i + 1 < raw.size() && raw[i + 1] == '\n')) {
      out.clear();
    } else if (raw.compare(i, 3, "。") == 0) {
      out.clear();
      i += 2;
    } else if (c == '\n' || c == '\t' || c == '\r' || c == ' ') {
      if (!out.empty() && out.back() != ' ') out += ' ';
    } else {
      out += c;
    }
  }
  return out;
}

/// Without quotes, brackets and words such as "the" at the end.
std::string_view without_tail(std::string_view text) {
  static constexpr auto kSmall = std::to_array<std::string_view>({" the", " its", " to", " both", " of"});
  for (bool changed = true; changed;) {
    changed = false;
    while (!text.empty() && std::string_view(" \"'`([{:<,").find(text.back()) != text.npos) {
      text.remove_suffix(1);
      changed = true;
    }
    for (const std::string_view one : kSmall) {
      if (ends_with(text, one)) {
        text.remove_suffix(one.size());
        changed = true;
      }
    }
  }
  return text;
}

}  // namespace

Told told_to_set(std::string_view text, size_t begin) {
  const std::string before = sentence_before(text, begin);
  if (is_told_in_code(text, begin)) return Told::code;
  const std::string_view tail = without_tail(before);
  if (ends_with_any(tail, kAdjacent, true) || ends_with_any(tail, kChineseAdjacent, false)) return Told::adjacent;
  const auto is_held = [&](std::string_view one) { return holds_word(before, one); };
  const auto is_held_chinese = [&](std::string_view one) { return before.find(one) != before.npos; };
  return std::any_of(kVerbs.begin(), kVerbs.end(), is_held) ||
                 std::any_of(kChineseVerbs.begin(), kChineseVerbs.end(), is_held_chinese)
             ? Told::near
             : Told::no;
}

bool is_told_in_code(std::string_view text, size_t begin) {
  constexpr size_t kLongest = 20;
  while (begin > 0 && (text[begin - 1] == '"' || text[begin - 1] == '\'')) --begin;
  const size_t from = begin < kLongest ? 0 : begin - kLongest;
  const std::string before = to_lower(text.substr(from, begin - from));
  return ends_with_any(before, kCode, true);
}

bool is_condition_in_code(std::string_view text, size_t begin) {
  constexpr size_t kLongest = 8;
  static constexpr auto kConditions =
      std::to_array<std::string_view>({"if ", "elif ", "while ", "not ", "and ", "or ", "assert ", "return "});
  const size_t from = begin < kLongest ? 0 : begin - kLongest;
  return ends_with_any(text.substr(from, begin - from), kConditions, true);
}

bool is_told_to_call(std::string_view text, size_t begin) {
  const std::string before = sentence_before(text, begin);
  const std::string_view tail = without_tail(before);
  return ends_with_any(tail, kCall, true) || ends_with_any(tail, kChineseCall, false);
}

bool is_called_setting(std::string_view text, size_t end) {
  const std::string after = to_lower(text.substr(end, kLookAheadBytes));
  const std::string_view rest =
      std::string_view(after).substr(std::min(after.find_first_not_of(" \"'`)]"), after.size()));
  return std::any_of(kAfter.begin(), kAfter.end(),
                     [&](std::string_view one) { return rest.substr(0, one.size()) == one; });
}

}  // namespace stepwise::advice
