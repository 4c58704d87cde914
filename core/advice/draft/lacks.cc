#include "core/advice/draft/lacks.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <string>

namespace stepwise::advice {
namespace {

using Words = std::span<const std::string_view>;

constexpr auto kTrigger = std::to_array<std::string_view>(
    {"trigger", "because", "since ",   "due to", "when ",       "if the", "condition", "as long as", "evidence",
     "finding", "problem", "observed", "shows ", "the profile", "触发",   "适用场景",  "条件",       "由于",
     "因为",    "占比",    "当前",     "问题",   "发现",        "时，",   "依据",      "串行执行"});
constexpr auto kGain = std::to_array<std::string_view>(
    {"gain",   "improve", "speed",   "faster", "reduce",   "reducing", "shorten", "save",     "hide ", "hides",
     "lower ", "benefit", "shorter", "less ",  "expected", "收益",     "提升",    "降低",     "减少",  "缩短",
     "掩盖",   "加速",    "提高",    "消除",   "节省",     "隐藏",     "避免",    "improving"});
constexpr auto kExample = std::to_array<std::string_view>(
    {"```", "~~~", "export ", "example", "e.g.", "for instance", "示例", "例如", "代码："});
constexpr auto kSource = std::to_array<std::string_view>(
    {"http://", "https://", "source:", "source is", "sources:", "according to", "documentation", "document ", "docs",
     "see [", "manual", "reference", "code repository", "来源", "参考", "文档", "代码仓", "官方", "链接"});

bool holds_any(std::string_view text, Words words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view one) { return text.find(one) != text.npos; });
}

/// `X=1`, `f(x)`: code within a line.
bool has_inline_code(std::string_view text) {
  size_t open = text.find('`');
  while (open != text.npos) {
    const size_t close = text.find('`', open + 1);
    if (close == text.npos) return false;
    const std::string_view code = text.substr(open + 1, close - open - 1);
    if (code.find_first_of("=(") != code.npos) return true;
    open = text.find('`', close + 1);
  }
  return false;
}

}  // namespace

const char* to_string(Lack lack) {
  constexpr const char* kNames[] = {"trigger", "gain", "example", "source"};
  return kNames[static_cast<size_t>(lack)];
}

std::vector<Lack> lacks_of(std::string_view text, std::string_view columns) {
  const std::string low = to_lower(std::string(columns) + "\n" + std::string(text));
  std::vector<Lack> lacks;
  if (!holds_any(low, kTrigger)) lacks.push_back(Lack::trigger);
  if (!holds_any(low, kGain)) lacks.push_back(Lack::gain);
  if (!holds_any(low, kExample) && !has_inline_code(text)) lacks.push_back(Lack::example);
  if (!holds_any(low, kSource)) lacks.push_back(Lack::source);
  return lacks;
}

}  // namespace stepwise::advice
