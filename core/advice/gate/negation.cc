#include "core/advice/gate/negation.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "core/base/text.h"

namespace stepwise::advice {
namespace {

constexpr size_t kReachBytes = 160;

constexpr auto kWords =
    std::to_array<std::string_view>({"not", "never", "without", "cannot", "no", "nor", "avoid", "unless", "neither",
                                     "isn't", "don't", "doesn't", "can't", "won't", "aren't"});
constexpr auto kChinese =
    std::to_array<std::string_view>({"不要", "不用", "不能", "不使用", "不需",   "不必",   "不再",   "不是", "不宜",
                                     "不应", "不可", "不得", "不适用", "不支持", "不建议", "不推荐", "不会", "而不",
                                     "无需", "无法", "并非", "未",     "切勿",   "请勿",   "避免",   "禁止", "没有"});
constexpr auto kAtOnce = std::to_array<std::string_view>(
    {"never",      "do not",      "don't",  "must not", "should not", "shall not", "not to", "avoid",  "without",
     "instead of", "rather than", "而不是", "而非",     "不要",       "切勿",      "请勿",   "勿",     "禁止",
     "避免",       "不应",        "不能",   "不可",     "无需",       "不必",      "不建议", "不推荐", "不得"});
// Between those and the name.
constexpr auto kVerbs = std::to_array<std::string_view>(
    {"set",  "setting", "use",  "using", "export", "enable", "enabling", "add",  "adding", "turn on", "设置",
     "使用", "开启",    "启用", "配置",  "添加",   "打开",   "设",       "ever", "the",    "to"});

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '\''; }

bool ends_sentence(std::string_view text, size_t at) {
  const char c = text[at];
  if (c == '\n' || c == ';') return true;
  if ((c == '.' || c == '!' || c == '?') && (at + 1 >= text.size() || text[at + 1] == ' ' || text[at + 1] == '\n')) {
    return true;
  }
  for (const std::string_view one : {"。", "；", "！", "？"}) {
    if (text.substr(at, one.size()) == one) return true;
  }
  return false;
}

template <size_t N>
bool takes_end(std::string_view& text, const std::array<std::string_view, N>& words) {
  for (const std::string_view one : words) {
    if (!text.ends_with(one)) continue;
    const bool is_part =
        is_letter(one.front()) && text.size() > one.size() && is_letter(text[text.size() - one.size() - 1]);
    if (is_part) continue;
    text.remove_suffix(one.size());
    return true;
  }
  return false;
}

void drop_marks(std::string_view& text) {
  while (!text.empty() && std::string_view(" \t\r\"'`([{*:").find(text.back()) != text.npos) text.remove_suffix(1);
}

}  // namespace

std::string_view sentence_at(std::string_view text, size_t begin, size_t end) {
  size_t from = begin < kReachBytes ? 0 : begin - kReachBytes;
  for (size_t i = from; i < begin; ++i) {
    if (ends_sentence(text, i)) from = i + 1;
  }
  size_t to = end;
  const size_t last = std::min(text.size(), end + kReachBytes);
  while (to < last && !ends_sentence(text, to)) ++to;
  return text.substr(from, to - from);
}

bool holds_negation(std::string_view low) {
  for (const std::string_view one : kChinese) {
    if (low.find(one) != low.npos) return true;
  }
  for (size_t i = 0; i < low.size();) {
    if (!is_letter(low[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < low.size() && is_letter(low[end])) ++end;
    if (std::find(kWords.begin(), kWords.end(), low.substr(i, end - i)) != kWords.end()) return true;
    i = end;
  }
  return false;
}

Negation negation_of(std::string_view text, size_t begin, size_t end) {
  const std::string_view sentence = sentence_at(text, begin, end);
  const std::string low = to_lower(sentence);
  std::string_view before(low);
  before = before.substr(0, begin - static_cast<size_t>(sentence.data() - text.data()));
  drop_marks(before);
  while (takes_end(before, kVerbs)) drop_marks(before);
  if (takes_end(before, kAtOnce)) return Negation::at_once;
  return holds_negation(low) ? Negation::in_sentence : Negation::none;
}

}  // namespace stepwise::advice
