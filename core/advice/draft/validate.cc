#include "core/advice/draft/validate.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/advice/draft/false_claims.h"
#include "core/advice/draft/figure_checker.h"
#include "core/advice/draft/lacks.h"
#include "core/advice/draft/rewrite.h"
#include "core/advice/draft/split.h"
#include "core/advice/gate/text_rules.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

constexpr size_t kMaxParameters = 20;  // of an item that are told one by one

Json lacks_json(std::string_view text, std::string_view columns, bool has_trigger) {
  Json out = Json::array();
  for (const Lack one : lacks_of(text, columns)) {
    if (one != Lack::trigger || !has_trigger) out.push_back(to_string(one));
  }
  return out;
}

/// A figure that the profile bears out, or would with the right number, says why the item is there.
bool has_figure_of_profile(const std::vector<CheckedFigure>& figures) {
  return std::any_of(figures.begin(), figures.end(), [](const CheckedFigure& one) { return one.ok.has_value(); });
}

/// With what was measured in place of each figure that is wrong.
std::string with_measured(std::string_view text, const std::vector<CheckedFigure>& figures) {
  std::string out;
  size_t taken = 0;
  for (const CheckedFigure& one : figures) {
    if (one.ok != false) continue;
    out.append(text, taken, one.figure.offset - taken).append(one.measured_as_written());
    taken = one.figure.offset + one.figure.length;
  }
  return out.append(text, taken);
}

/// A letter of U+4E00 to U+9FFF.
bool has_han(std::string_view text) {
  for (size_t i = 0; i + 2 < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]), next = static_cast<unsigned char>(text[i + 1]);
    if ((lead > 0xE4 && lead < 0xEA) || (lead == 0xE4 && next >= 0xB8)) return true;
  }
  return false;
}

/// The worst; of equals the first.
const Verdict* worst_of(const std::vector<Verdict>& verdicts) {
  const auto it = std::max_element(verdicts.begin(), verdicts.end(),
                                   [](const Verdict& a, const Verdict& b) { return a.decision < b.decision; });
  return it == verdicts.end() || it->decision == Decision::accepted ? nullptr : &*it;
}

/// Each parameter that was not accepted, once; at most kMaxParameters of them.
Json parameters_json(const std::vector<Mention>& mentions, const std::vector<Verdict>& verdicts) {
  Json list = Json::array();
  std::set<std::pair<std::string, std::optional<std::string>>> told;
  for (size_t i = 0; i < mentions.size() && list.size() < kMaxParameters; ++i) {
    const Verdict& verdict = verdicts[i];
    if (verdict.decision == Decision::accepted || !told.emplace(mentions[i].name, mentions[i].value).second) continue;
    list.push_back({{"name", mentions[i].name},
                    {"value", mentions[i].value ? Json(*mentions[i].value) : Json()},
                    {"verdict", to_string(verdict.decision)},
                    {"rule", to_string(verdict.rule)},
                    {"reason", verdict.reason},
                    {"nearest", verdict.nearest}});
  }
  return list;
}

/// What the accepted ones depend on, each once.
Json conditions_json(const std::vector<Verdict>& verdicts) {
  Json list = Json::array();
  for (const Verdict& one : verdicts) {
    if (one.decision != Decision::accepted) continue;
    for (const std::string& condition : one.conditions) {
      if (std::find(list.begin(), list.end(), Json(condition)) == list.end()) list.push_back(condition);
    }
  }
  return list;
}

/// `above`: the rows of advise that what stands before names, for a row of a table below its finding.
Json item_json(const Judge& judge, const Rewriter& rewriter, const DraftItem& draft, const FigureChecker& checker,
               const std::vector<CheckedFigure>& figures, const RowNumbers& above) {
  const std::string_view text = draft.text;
  const auto mentions = judge.gate().finder().find(text);
  const auto of_mentions = judge.judge(mentions);
  auto verdicts = of_mentions;
  for (Verdict& one : judge_text(judge.gate(), text, mentions)) verdicts.push_back(std::move(one));
  Json item = {{"text", text},
               {"verdict", to_string(Decision::accepted)},
               {"rule", ""},
               {"reason", ""},
               {"nearest", Json::array()},
               {"lacks", lacks_json(text, draft.columns, has_figure_of_profile(figures))}};
  if (const Verdict* worst = worst_of(verdicts)) {
    item["verdict"] = to_string(worst->decision);
    item["rule"] = to_string(worst->rule);
    item["reason"] = worst->reason;
    item["nearest"] = worst->nearest;
    item["parameters"] = parameters_json(mentions, of_mentions);
  }
  if (Json conditions = conditions_json(verdicts); !conditions.empty()) item["conditions"] = std::move(conditions);
  const std::string measured = with_measured(text, figures);
  // What was measured instead may be open where it stands: then it says nothing of why the item is there.
  const bool has_trigger = has_figure_of_profile(measured == text ? figures : checker.check(measured, above));
  item["rewrite"] = rewriter.rewrite(measured, has_trigger, above);
  return item;
}

Json false_claim_json(const Rewriter& rewriter, const FalseClaim& found, const Knowledge& knowledge) {
  Json nearest = Json::array();
  for (const std::string& id : found.claim->instead) nearest.push_back(knowledge.find(id)->name);
  return {{"text", found.sentence},
          {"verdict", to_string(Decision::refused)},
          {"rule", to_string(GateRule::r1)},
          {"reason", found.claim->claim->truth},
          {"nearest", std::move(nearest)},
          {"lacks", Json::array()},
          {"rewrite", rewriter.rewrite(found.sentence)}};
}

Json claim_json(const Rewriter& rewriter, std::string_view sentence, std::string_view claim, bool is_chinese) {
  const std::string reason = is_chinese ? "收益 " + std::string(claim) + " 没有实测依据。"
                                        : "Nothing measured says that the gain is " + std::string(claim) + ".";
  return {{"text", sentence},
          {"verdict", to_string(Decision::downgraded)},
          {"rule", to_string(GateRule::r5)},
          {"reason", reason},
          {"nearest", Json::array()},
          {"lacks", lacks_json(sentence, {}, false)},
          {"rewrite", rewriter.rewrite(sentence)}};
}

class Validation {
 public:
  Validation(const Gate& gate, const Answers& answers, std::string_view lang)
      : judge_(gate),
        checker_(answers),
        lang_(lang),
        english_(judge_, checker_, "en"),
        chinese_(judge_, checker_, "zh") {}

  /// In the order of the draft.
  void add(const DraftItem& item) {
    const std::string_view text = item.text;
    if (!is_table_row(item)) above_.clear();
    const auto figures = checker_.check(text, above_);
    const bool is_chinese = lang_.empty() ? has_han(text) : lang_ == "zh";
    const Rewriter& rewriter = is_chinese ? chinese_ : english_;
    items_.push_back(item_json(judge_, rewriter, item, checker_, figures, above_));
    for (const FalseClaim& one : find_false_claims(text, judge_.gate().knowledge())) {
      items_.push_back(false_claim_json(rewriter, one, judge_.gate().knowledge()));
    }
    std::string_view last;
    for (const ClaimedGain& one : checker_.unmeasured_gains(text, above_)) {
      if (one.sentence.data() == last.data()) continue;  // one item a sentence
      last = one.sentence;
      items_.push_back(claim_json(rewriter, one.sentence, text.substr(one.offset, one.length), is_chinese));
    }
    for (const CheckedFigure& one : figures) figures_.push_back(one.to_json());
    if (!is_table_row(item)) above_ = checker_.rows_named_last(text);
  }

  Json finish() { return {{"items", std::move(items_)}, {"figures", std::move(figures_)}}; }

 private:
  static bool is_table_row(const DraftItem& item) { return trim(item.text).starts_with('|'); }

  const Judge judge_;
  const FigureChecker checker_;
  std::string lang_;
  Rewriter english_, chinese_;
  RowNumbers above_;
  Json items_ = Json::array(), figures_ = Json::array();
};

}  // namespace

Json validate(const Gate& gate, const Answers& answers, std::string_view markdown, std::string_view lang) {
  Validation validation(gate, answers, lang);
  for (const DraftItem& item : split_draft(markdown)) validation.add(item);
  return validation.finish();
}

Json validate(const Gate& gate, const Answers& answers, std::span<const std::string> items, std::string_view lang) {
  Validation validation(gate, answers, lang);
  for (const std::string& item : items) validation.add({0, item.size(), item, {}});
  return validation.finish();
}

}  // namespace stepwise::advice
