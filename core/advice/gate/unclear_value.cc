#include "core/advice/gate/unclear_value.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/base/characters.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

constexpr size_t kBeforeBytes = 100, kBehindBytes = 160;
// Numbers that measure something, or count it, are no values of a setting.
constexpr auto kUnits = std::to_array<std::string_view>({"%",
                                                         "percent",
                                                         "ms",
                                                         "us",
                                                         "ns",
                                                         "s ",
                                                         "gb",
                                                         "mb",
                                                         "kb",
                                                         "gib",
                                                         "mib",
                                                         "kib",
                                                         "次",
                                                         "步",
                                                         "倍",
                                                         "张",
                                                         "卡",
                                                         "毫秒",
                                                         "微秒",
                                                         "秒",
                                                         "times",
                                                         "step",
                                                         "rank",
                                                         "call",
                                                         "kern",
                                                         "iter",
                                                         "oper",
                                                         "layer",
                                                         "second",
                                                         "x ",
                                                         "×",
                                                         "device",
                                                         "machin",
                                                         "of ",
                                                         "stages",
                                                         "occur",
                                                         "is the default",
                                                         "已是默认"});
constexpr auto kLabels = std::to_array<std::string_view>(
    {"step ",   "rank ",  "version ", "pytorch ", "cann ",   "python ", "torch ", "torchnpu ",
     "第",      "top ",   "top",      "since ",   "ascend ", "item ",   "rule ",  "chapter ",
     "figure ", "table ", "steps ",   "ranks ",   ">= ",     "> ",      "stage "});
// Right behind the name, blanks and marks passed over.
constexpr auto kGiving = std::to_array<std::string_view>(
    {"=",      ":=",     "?=",    "->",   "=>",    "→",      "⇒",    "should be", "shall be", "must be", "equal to",
     "equals", "set to", "to be", "off.", "from ", "的取值", "设为", "设置为",    "设成",     "改成",    "改为",
     "调到",   "调成",   "调为",  "等于", "取",    "置",     "赋值", "配置为",    "从",       "打开",    "关闭"});

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }

template <size_t N>
bool begins_with_one(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view one) { return text.starts_with(one); });
}
template <size_t N>
bool ends_with_one(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view one) { return text.ends_with(one); });
}

/// Where a sentence or an item ends: a full stop before a blank, its Chinese kin, an empty line, a new item.
bool ends_sentence(std::string_view text) {
  if (text.starts_with("。") || text.starts_with("！") || text.starts_with("？") || text.starts_with("；")) return true;
  if (text.starts_with("\n\n") || text.starts_with("\n- ") || text.starts_with("\n* ") || text.starts_with("\n#")) {
    return true;
  }
  // The next key of a dictionary.
  if (text.starts_with(", \"") || text.starts_with(", '")) return true;
  return text.size() > 1 && (text[0] == '.' || text[0] == '!' || text[0] == '?' || text[0] == ';') &&
         (text[1] == ' ' || text[1] == '\n');
}

/// Numerals that are no digits: Roman ones as single letters, Arabic-Indic ones.
bool has_other_numeral(std::string_view text) {
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    const auto a = static_cast<unsigned char>(text[i]), b = static_cast<unsigned char>(text[i + 1]);
    if (a == 0xD9 && b >= 0xA0 && b <= 0xA9) return true;
    if (a == 0xE2 && b == 0x85) return true;
  }
  return false;
}

bool has_bare_number(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (!is_digit(text[i])) continue;
    size_t end = i;
    while (end < text.size() && (is_digit(text[end]) || ((text[end] == '.' || text[end] == ',') &&
                                                         end + 1 < text.size() && is_digit(text[end + 1])))) {
      ++end;
    }
    const bool is_part =
        (i > 0 && (is_letter(text[i - 1]) || text[i - 1] == '.')) || (end < text.size() && is_letter(text[end]));
    const bool is_item = (i == 0 || text[i - 1] == '\n') && end < text.size() && (text[end] == '.' || text[end] == ')');
    std::string_view behind = text.substr(end);
    while (!behind.empty() && behind[0] == ' ') behind.remove_prefix(1);
    const std::string low_behind = to_lower(behind.substr(0, 16)) + " ", low_before = to_lower(text.substr(0, i));
    if (!is_part && !is_item && !begins_with_one(low_behind, kUnits) && !ends_with_one(low_before, kLabels))
      return true;
    i = end;
  }
  return false;
}

}  // namespace

bool has_unclear_value(std::string_view text, size_t begin, size_t end) {
  size_t from = begin < kBeforeBytes ? 0 : begin - kBeforeBytes;
  for (size_t i = from; i < begin; ++i) {
    if (ends_sentence(text.substr(i))) from = i + 1;
  }
  size_t to = end;
  const size_t last = std::min(text.size(), end + kBehindBytes);
  while (to < last && !ends_sentence(text.substr(to))) ++to;
  const std::string_view before = text.substr(from, begin - from);
  std::string_view behind = text.substr(end, to - end);
  if (has_bare_number(before) || has_bare_number(behind)) return true;
  if (has_other_numeral(before) || has_other_numeral(behind)) return true;
  while (!behind.empty() && std::string_view(" \t\n\r`'\"*)").find(behind[0]) != std::string_view::npos) {
    behind.remove_prefix(1);
  }
  const std::string low = to_lower(behind.substr(0, 16));
  // "Turn X on." but not "X on copies": the word ends the clause.
  for (const std::string_view one : {"on", "off"}) {
    if (low == one || (low.starts_with(one) && std::string_view(".,;)\n").find(low[one.size()]) != low.npos))
      return true;
  }
  return begins_with_one(low, kGiving);
}

}  // namespace stepwise::advice
