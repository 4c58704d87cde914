#include "core/advice/draft/claimed_gains.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <string>

#include "core/advice/draft/gain_figures.h"
#include "core/advice/draft/sentence.h"
#include "core/base/characters.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

using Words = std::span<const std::string_view>;
constexpr size_t kReachBefore = 40, kReachBehind = 28;  // bytes between the figure and the word of gain
constexpr size_t kReachOfChange = 80;
constexpr size_t kNone = std::string_view::npos;
constexpr std::string_view kCompared = "the shorter one";

// Stems: of English words, from where they begin.
constexpr auto kVerbs = std::to_array<std::string_view>(
    {"improv",  "speed up", "speeds up", "speeding up", "faster",    "reduc",   "save", "lower", "shorten",
     "shorter", "cut",      "boost",     "increas",     "accelerat", "decreas", "提升", "降低",  "减少",
     "加速",    "缩短",     "提高",      "节省",        "下降",      "提速",    "增加", "增益"});
// What is said of them is the gain: "the gain is 10 %".
constexpr auto kNouns =
    std::to_array<std::string_view>({"speedup", "speed-up", "gain", "saving", "improvement", "benefit", "reduction",
                                     "acceleration", "收益", "加速比", "提升幅度"});
constexpr auto kRatios = std::to_array<std::string_view>({"speedup", "speed-up", "speed up", "acceleration", "加速比"});
// They promise only what follows at once: "gives 5 %".
constexpr auto kGivers = std::to_array<std::string_view>(
    {"gives", "give",     "giving",   "gave",    "brings",   "bring",   "bringing", "yields",
     "yield", "yielding", "delivers", "deliver", "provides", "provide", "wins",     "win",
     "gets",  "buys",     "带来",     "可达",    "获得",     "取得",    "有望达"});
// Between such a word and its figure.
constexpr auto kAdverbs = std::to_array<std::string_view>(
    {"by",        "up",      "to",    "about", "around", "roughly", "some",   "an",     "a",
     "of",        "at",      "least", "over",  "more",   "than",    "nearly", "almost", "approximately",
     "typically", "another", "is",    "be",    "can",    "约",      "大约",   "近",     "至少",
     "超过",      "了",      "可",    "达",    "到",     "将近",    "左右",   "：",     "另外",
     "还",        "为",      "~",     "～",    ":",      "=",       "(",      "+",      "（",
     "≈",         "-",       "most",  "上限",  "至多",   "最多",    "不超过"});
// What a part is, or takes.
constexpr auto kStates = std::to_array<std::string_view>(
    {" is ",     " are ",   " was ",          " were ",        " takes ",    " take ",    " took ",
     " spends ", " spend ", " accounts for ", " account for ", " makes up ", " make up ", " waits ",
     " wait ",   " uses ",  " use ",          " has ",         "占",         "耗时",      "用时",
     "等待"});
// Behind them another clause begins.
constexpr auto kClauseEnds = std::to_array<std::string_view>(
    {", ", "，", ";", "；", " so ", " which ", " because ", " since ", "(", "（", "因此", "所以"});

/// Behind the last of the words in `text` that is no part of another; kNone: there is none.
size_t last_end(std::string_view text, Words words) {
  size_t last = kNone;
  for (const std::string_view one : words) {
    size_t at = text.rfind(one);
    while (at != kNone && at > 0 && is_word(text[at]) && is_word(text[at - 1])) at = text.rfind(one, at - 1);
    if (at != kNone && (last == kNone || at + one.size() > last)) last = at + one.size();
  }
  return last;
}

bool holds(std::string_view text, Words words) { return last_end(text, words) != kNone; }

/// Only small words stand between.
bool is_adjacent(std::string_view between) {
  while (!between.empty()) {
    if (between[0] == ' ') {
      between.remove_prefix(1);
      continue;
    }
    const auto* const it = std::find_if(kAdverbs.begin(), kAdverbs.end(), [&](std::string_view one) {
      if (!between.starts_with(one)) return false;
      return !is_word(one.back()) || between.size() == one.size() || !is_word(between[one.size()]);
    });
    if (it == kAdverbs.end()) return false;
    between.remove_prefix(it->size());
  }
  return true;
}

/// The rest of the word whose stem ends at the beginning: "es throughput" of "improves throughput".
std::string_view behind_word(std::string_view text) {
  while (!text.empty() && is_word(text[0])) text.remove_prefix(1);
  return text;
}

std::string_view first_clause(std::string_view text) {
  size_t end = text.size();
  for (const std::string_view one : kClauseEnds) end = std::min(end, text.find(one));
  return text.substr(0, end);
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && text[0] == ' ') text.remove_prefix(1);
  return text;
}

/// Of a figure: whether the words around it, all of its sentence, promise it.
class Around {
 public:
  Around(std::string_view before, std::string_view behind) : before_(before), behind_(behind) {}

  bool promise(GainKind kind) const {
    switch (kind) {
      case GainKind::verb:
        return true;
      case GainKind::change:
        return holds(before_, kVerbs) || holds(before_, kNouns) || holds(behind_, kVerbs);
      case GainKind::bare: {
        const size_t ratio = last_end(near_before(), kRatios);
        return ratio != kNone && is_adjacent(near_before().substr(ratio));
      }
      case GainKind::fraction:
        return is_promised_before(true) || begins_with_gain();
      case GainKind::time:
        return is_promised_before(true) || begins_with_gain();
      case GainKind::share:
        break;
    }
    if (has_sign()) return true;
    if (is_promised_before(is_share_of())) return true;
    const size_t giver = last_end(near_before(), kGivers);
    if (giver != kNone && is_adjacent(near_before().substr(giver))) return true;
    const std::string_view clause = first_clause(behind_.substr(0, kReachBehind));
    if (!is_share_of()) return begins_with_gain() || holds(clause, kVerbs) || holds(clause, kNouns);
    return clause.find("saved") != kNone || clause.find("gained") != kNone;
  }

 private:
  std::string_view near_before() const {
    return before_.substr(before_.size() < kReachBefore ? 0 : before_.size() - kReachBefore);
  }

  /// "+10 %", not "5 + 10 %".
  bool has_sign() const {
    std::string_view text = before_;
    for (const std::string_view sign : {"+", "＋"}) {
      if (!text.ends_with(sign)) continue;
      text.remove_suffix(sign.size());
      while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
      return text.empty() || (text.back() != '%' && std::isdigit(static_cast<unsigned char>(text.back())) == 0);
    }
    return false;
  }

  /// "18 % of the step"
  bool is_share_of() const { return without_blanks(behind_).starts_with("of "); }

  /// "3 ms faster", "a third less time"
  bool begins_with_gain() const {
    static constexpr auto kLess =
        std::to_array<std::string_view>({"faster", "shorter", "less", "lower", "saved", "sooner", "quicker",
                                         "improvement", "reduction", "speedup", "的提升", "的收益", "的下降"});
    const std::string_view next = without_blanks(behind_);
    return std::any_of(kLess.begin(), kLess.end(), [&](std::string_view one) { return next.starts_with(one); });
  }

  /// `at_once`: a word of gain somewhere in front is not enough, it must govern the figure.
  bool is_promised_before(bool at_once) const {
    const std::string_view near = near_before();
    const size_t noun = last_end(near, kNouns), verb = last_end(near, kVerbs);
    const bool is_noun = noun != kNone && (verb == kNone || noun >= verb);
    if (noun == kNone && verb == kNone) return false;
    const std::string_view between = behind_word(near.substr(is_noun ? noun : verb));
    if (is_adjacent(between)) return true;
    static constexpr auto kBy = std::to_array<std::string_view>({"by"});
    const size_t by = last_end(between, kBy);
    if (by != kNone && is_adjacent(between.substr(by))) return true;
    if (at_once) return false;
    return is_noun || !holds_state(between);
  }

  static bool holds_state(std::string_view text) {
    return std::any_of(kStates.begin(), kStates.end(), [&](std::string_view one) { return text.find(one) != kNone; });
  }

  std::string_view before_, behind_;
};

}  // namespace

std::vector<ClaimedGain> find_claimed_gains(std::string_view text) {
  std::string low = to_lower(text);
  // "3 % of the shorter one overlaps" compares two, it promises nothing.
  for (size_t at = low.find(kCompared); at != kNone; at = low.find(kCompared, at)) {
    low.replace(at, kCompared.size(), kCompared.size(), ' ');
  }
  const std::string_view plain(low);
  std::vector<ClaimedGain> claims;
  for (const GainFigure& one : find_gain_figures(low)) {
    const std::string_view sentence = sentence_around(text, one.begin, one.end - one.begin);
    const auto sentence_begin = static_cast<size_t>(sentence.data() - text.data());
    const size_t reach = kReachOfChange;
    const size_t from = std::max(sentence_begin, one.begin < reach ? 0 : one.begin - reach);
    const size_t to = std::min(sentence_begin + sentence.size(), one.end + reach);
    const Around around(plain.substr(from, one.begin - from), plain.substr(one.end, to - one.end));
    if (!around.promise(one.kind)) continue;
    size_t begin = one.begin;
    if (begin > 0 && (text[begin - 1] == '~' || text[begin - 1] == '+')) --begin;
    claims.push_back({begin, one.end - begin, sentence, one.kind == GainKind::verb});
  }
  return claims;
}

}  // namespace stepwise::advice
