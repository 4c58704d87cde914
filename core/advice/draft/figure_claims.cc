#include "core/advice/draft/figure_claims.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <span>
#include <utility>

#include "core/advice/draft/figure_words.h"
#include "core/advice/draft/sentence.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

/// What ends a clause. "and" does so only behind a figure: before one it joins subjects.
constexpr auto kSeparators =
    std::to_array<std::string_view>({", ", ": ", "; ", "，", "：", "；", " while ", " but ", " because ", " since ",
                                     " so ", " whereas ", " - ", "|", "因此", "因为", "而"});
constexpr auto kBehindFigures = std::to_array<std::string_view>({" and ", "(", "（", "、", "且"});
/// Elsewhere in the sentence they say that the figure is of another state, or of a part.
constexpr auto kConditions = std::to_array<std::string_view>(
    {"if ",    "would",  "could", "should", "after",    "before",  "without", "with ",    "when ", "once ",
     "expect", "target", "reduc", "save",   "baseline", "earlier", "instead", "compared", "than ", "only ",
     "except", "then",   "until", "若",     "如果",     "后",      "前",      "预期",     "预计",  "降",
     "减少",   "目标",   "优化",  "仅",     "其中",     "除",      "不含",    "另一"});

struct Piece {
  std::string_view text;
  bool is_before_colon = false;
};

std::vector<Piece> pieces_of(std::string_view text, bool is_behind_figure) {
  std::vector<Piece> pieces;
  size_t begin = 0;
  const auto separator_at = [&](size_t at) -> size_t {
    const auto fits = [&](std::string_view one) { return text.substr(at, one.size()) == one; };
    for (const std::string_view one : kSeparators) {
      if (fits(one)) return one.size();
    }
    if (!is_behind_figure) return 0;
    for (const std::string_view one : kBehindFigures) {
      if (fits(one)) return one.size();
    }
    return 0;
  };
  // "(TransData, Cast)" is one subject of two, "all but X" is what X is not.
  const auto is_joined = [&](size_t at) {
    const std::string_view before = text.substr(begin, at - begin);
    const size_t open = before.rfind('(');
    const bool is_in_brackets = text.substr(at, 2) == ", " && open != before.npos &&
                                before.find(')', open) == before.npos && text.find(')', at) != text.npos;
    return is_in_brackets || (text.substr(at, 5) == " but " && to_lower(before).ends_with("all"));
  };
  for (size_t at = 0; at < text.size();) {
    const size_t size = separator_at(at);
    if (size == 0 || is_joined(at)) {
      ++at;
      continue;
    }
    const bool is_colon = text[at] == ':' || text.substr(at, size) == "：";
    pieces.push_back({text.substr(begin, at - begin), is_colon});
    begin = at += size;
  }
  pieces.push_back({text.substr(begin), false});
  return pieces;
}

using Words = std::vector<FigureWord>;

bool is_known(const Words& words) {
  return std::none_of(words.begin(), words.end(), [](const FigureWord& one) { return one.says == Says::unknown; });
}

bool names_subject(const Words& words) {
  static constexpr auto kNone =
      std::to_array<Says>({Says::nothing, Says::taken, Says::mean, Says::about, Says::unknown});
  return std::any_of(words.begin(), words.end(), [](const FigureWord& one) {
    return std::find(kNone.begin(), kNone.end(), one.says) == kNone.end();
  });
}

/// "14.3 ms, 44 %", "14.3 ms in 195 calls": the second is of what the first is of. "14.3 of 32 ms" is of two things.
bool is_in_a_row(const std::vector<Piece>& between, const Words& head) {
  if (between.size() == 2) return is_known(head) && !names_subject(head);
  static constexpr auto kJoining =
      std::to_array<std::string_view>({"", "in", "over", "with", "in total over", "in total in"});
  return between.size() == 1 && std::find(kJoining.begin(), kJoining.end(), trim(between[0].text)) != kJoining.end();
}

/// "step 24" says it of one step.
bool is_of_one_step(std::string_view low) {
  for (const std::string_view one : {"step ", "step#", "iteration ", "步骤", "第"}) {
    for (size_t at = low.find(one); at != low.npos; at = low.find(one, at + 1)) {
      const size_t behind = at + one.size();
      if (behind < low.size() && std::isdigit(static_cast<unsigned char>(low[behind])) != 0) return true;
    }
  }
  return false;
}

/// A clause that holds no figure: what else stands in the sentence. False: the figures in it may be of another state.
bool leaves_as_is(std::string_view clause, const Quantities& quantities) {
  std::string low = to_lower(clause);
  // "Reduce idle time: free is 27.7 ms" tells what to do; what is free stays.
  for (const std::string_view told : {"reduce ", "- reduce "}) {
    const size_t first = std::min(low.find_first_not_of(' '), low.size());
    if (std::string_view(low).substr(first).starts_with(told)) low.erase(0, first + told.size());
  }
  const bool has_condition = std::any_of(kConditions.begin(), kConditions.end(),
                                         [&](std::string_view one) { return low.find(one) != low.npos; });
  if (has_condition || is_of_one_step(low)) return false;
  const Words words = figure_words(clause, quantities);
  return std::none_of(words.begin(), words.end(), [](const FigureWord& one) {
    return one.says == Says::rank || (one.says == Says::subject && one.text.starts_with("stage "));
  });
}

/// What words say of a figure: the subject that they name, how it is taken. Empty subject: none, or more than one.
class Reading {
 public:
  Reading(const Words& words, FigureUnit unit, const Quantities& quantities)
      : unit_(unit), quantities_(quantities), is_sure_(is_known(words)) {
    for (const FigureWord& one : words) add(one);
  }

  /// `before`: of the figure in front, for one of a row.
  FigureClaim claim(const std::string& before) {
    if (!is_sure_ || ranks_.size() > 1) return {};
    std::string subject = of_what();
    if (subject.empty() && names_none()) subject = before;
    if (subject.empty()) return {};
    if (!ranks_.empty()) {
      const bool is_this = quantities_.rank() && std::to_string(*quantities_.rank()) == *ranks_.begin();
      const std::string of_rank = "rank " + *ranks_.begin() + " " + subject;
      // The answers are of this rank; figures of ranks beside each other are over the steps that all of them have.
      if (!is_this || (!quantities_.has(subject) && quantities_.has(of_rank))) subject = of_rank;
    }
    FigureClaim claim{subject, std::nullopt, is_about_};
    if (is_mean_) {
      const bool is_called = subject.starts_with("op ") && taken_.count(Taken::per_step) == 0;
      taken_.insert(is_called ? Taken::per_call : Taken::per_step);
    }
    // A time "of the step" is one a step.
    if (unit_ != FigureUnit::share && taken_.erase(Taken::share_of_step) > 0) taken_.insert(Taken::per_step);
    // "takes 18 % of a step": how the share is taken is said by what it is of.
    if (unit_ == FigureUnit::share && taken_.size() > 1) taken_.erase(Taken::per_step);
    if (taken_.size() > 1) return {};
    if (!taken_.empty()) claim.taken = *taken_.begin();
    return claim;
  }

 private:
  void add(const FigureWord& word) {
    switch (word.says) {
      case Says::subject:
        subjects_.insert(word.text);
        break;
      case Says::rank:
        ranks_.insert(word.text);
        break;
      case Says::not_hidden:
        is_not_hidden_ = true;
        break;
      case Says::hidden:
        is_hidden_ = true;
        break;
      case Says::wait:
        waits_ = true;
        break;
      case Says::step:
        has_step_ = true;
        break;
      case Says::operators:
        has_operators_ = true;
        break;
      case Says::mean:
        is_mean_ = true;
        break;
      case Says::about:
        is_about_ = true;
        break;
      case Says::taken:
        taken_.insert(word.taken);
        break;
      case Says::nothing:
      case Says::unknown:
        break;
    }
  }

  bool names_none() const {
    return subjects_.empty() && !is_not_hidden_ && !is_hidden_ && !waits_ && !has_step_ && !has_operators_;
  }

  std::string of_what() {
    if (is_not_hidden_ || is_hidden_) {
      subjects_.erase("communication");
      subjects_.insert(is_not_hidden_ ? "not_overlapped" : "overlapped");
      if (is_not_hidden_ && is_hidden_) return "";
    }
    if (waits_) {  // a rank's; what else waits, and for what, says no member of the list
      if (!subjects_.empty() || ranks_.empty() || has_step_) return "";
      return "wait";
    }
    if (subjects_.size() > 1) return "";
    if (subjects_.size() == 1) {
      // "step is computing", "launches of Add": two things.
      return has_step_ && *subjects_.begin() != "step" ? "" : *subjects_.begin();
    }
    if (has_step_) return has_operators_ ? "" : "step";
    if (has_operators_) return "operators";
    const bool is_memory = taken_.count(Taken::allocated) + taken_.count(Taken::reserved) > 0;
    return is_memory ? "memory" : "";
  }

  const FigureUnit unit_;
  const Quantities& quantities_;
  const bool is_sure_;
  std::set<std::string> subjects_, ranks_;
  std::set<Taken> taken_;
  bool is_not_hidden_ = false, is_hidden_ = false, waits_ = false, has_step_ = false, has_operators_ = false;
  bool is_mean_ = false, is_about_ = false;
};

/// "a step takes 34.6 ms", 单步耗时: where nothing else is named, the step is what is meant.
bool is_step_alone(const Words& words) {
  const bool per_step = std::any_of(words.begin(), words.end(), [](const FigureWord& one) {
    return one.says == Says::taken && one.taken == Taken::per_step;
  });
  return per_step && !names_subject(words) && is_known(words);
}

}  // namespace

std::vector<FigureClaim> figure_claims(std::string_view text, const std::vector<QuotedFigure>& figures,
                                       const Quantities& quantities) {
  std::vector<FigureClaim> claims;
  const auto words_of = [&](std::string_view clause) { return figure_words(clause, quantities); };
  for (size_t i = 0; i < figures.size(); ++i) {
    const QuotedFigure& figure = figures[i];
    const std::string_view sentence = sentence_around(text, figure.offset, figure.length);
    const auto sentence_begin = static_cast<size_t>(sentence.data() - text.data());
    const size_t figure_end = figure.offset + figure.length, sentence_end = sentence_begin + sentence.size();
    const bool has_before = i > 0 && figures[i - 1].offset >= sentence_begin;
    const bool has_behind = i + 1 < figures.size() && figures[i + 1].offset < sentence_end;
    const size_t begin = has_before ? figures[i - 1].offset + figures[i - 1].length : sentence_begin;
    const size_t end = has_behind ? figures[i + 1].offset : sentence_end;
    const auto before = pieces_of(text.substr(begin, figure.offset - begin), has_before);
    const auto behind = pieces_of(text.substr(figure_end, end - figure_end), true);

    Words words = words_of(before.back().text);
    bool is_step = !has_before && figure.unit == FigureUnit::time_us && is_step_alone(words);
    const Words tail = words_of(behind.front().text);
    size_t others_end = before.size() - 1;
    // "MatMulV2: 14.3 ms": the subject stands before the colon.
    const bool is_colon = others_end > 0 && before[others_end - 1].is_before_colon && !names_subject(words) &&
                          !names_subject(tail) && !(has_before && others_end == 1);
    if (is_colon) {
      const Words subject = words_of(before[--others_end].text);
      is_step = false;
      words.insert(words.end(), subject.begin(), subject.end());
    }
    // Between two figures without a mark the words are of both.
    const bool is_row = has_before && !is_colon && is_in_a_row(before, words);
    words.insert(words.end(), tail.begin(), tail.end());
    bool is_as_is = true;
    for (size_t k = has_before ? 1 : 0; k < others_end; ++k) {
      is_as_is = is_as_is && leaves_as_is(before[k].text, quantities);
    }
    for (size_t k = 1; k + (has_behind ? 1 : 0) < behind.size(); ++k) {
      is_as_is = is_as_is && leaves_as_is(behind[k].text, quantities);
    }
    if (is_step) words.push_back({Says::subject, "step"});
    if (is_of_one_step(to_lower(before.back().text)) || is_of_one_step(to_lower(behind.front().text))) is_as_is = false;
    claims.push_back(is_as_is ? Reading(words, figure.unit, quantities).claim(is_row ? claims.back().subject : "")
                              : FigureClaim{});
  }
  return claims;
}

}  // namespace stepwise::advice
