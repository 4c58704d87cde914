#include <string>

#include "core/advice/draft/figure_checker.h"
#include "core/advice/draft/validate.h"
#include "core/advice/gate/own_knowledge_test.h"
#include "tests/catch.h"

namespace stepwise::advice {
namespace {

const Answers& answers() {
  static const Answers kAnswers = {{"advise", parse_json(R"({"rows": [
    {"rule": "comm_not_hidden", "share_ratio": 0.519,
     "finding": "70.3 % of communication is not hidden by computation: 51.9 % of the step.",
     "measure": "Call collectives asynchronously, and wait for them only where their result is needed.",
     "gain": {"bound_us": 51900.0, "how": "Measure it."},
     "trigger": {"metric": "comm.not_overlapped_ratio", "value": 0.703, "threshold": 0.3}},
    {"rule": "comm_not_hidden", "share_ratio": 0.12,
     "finding": "70.3 % of communication is not hidden by computation: 51.9 % of the step.",
     "measure": "Reduce gradients in buckets while the backward still computes.",
     "gain": {"bound_us": 12000.0, "how": "Measure it."},
     "trigger": {"metric": "comm.not_overlapped_ratio", "value": 0.703, "threshold": 0.3}},
    {"rule": "h2d_pieces", "share_ratio": 0.2,
     "finding": "A step makes 7 copies between host and device, and inputs take 20 % of it.",
     "measure": "Hand over all inputs of a step in one batch of copies instead of one by one.",
     "gain": {"bound_us": 20000.0, "how": "Measure it."},
     "trigger": {"metric": "host.memory_copies_per_step", "value": 7, "threshold": 2}},
    {"rule": "comm_not_hidden", "share_ratio": 0.519,
     "finding": "70.3 % 的通信未被计算掩盖，占单步的 51.9 %。",
     "measure": "集合通信改为异步调用，仅在真正依赖结果时等待。",
     "gain": {"bound_us": 51900.0, "how": "需实测。"},
     "trigger": {"metric": "comm.not_overlapped_ratio", "value": 0.703, "threshold": 0.3}}]})")
                                                  .value()}};
  return kAnswers;
}

/// + right, - wrong, ? open, of each figure.
std::string says(std::string_view text) {
  std::string out;
  for (const CheckedFigure& one : check_figures(text, answers())) out += !one.ok ? "?" : *one.ok ? "+" : "-";
  return out;
}

std::string gains(std::string_view text) {
  std::string out;
  for (const ClaimedGain& one : FigureChecker(answers()).unmeasured_gains(text)) {
    out += (out.empty() ? "" : "; ") + std::string(text.substr(one.offset, one.length));
  }
  return out;
}

constexpr const char* kFinding = "70.3 % of communication is not hidden by computation: 51.9 % of the step.";

}  // namespace

TEST_CASE("own rows: a finding is known again by its words, and each of its figures is held against it") {
  CHECK(says(kFinding) == "++");
  CHECK(says("70.3 % of *communication* is not hidden\n  by computation: **51.9 %** of the step.") == "++");
  CHECK(says("80 % of communication is not hidden by computation: 51.9 % of the step.") == "-+");
  CHECK(says("70.3 % 的通信未被计算掩盖，占单步的 51.9 %。") == "++");
  CHECK(says("70.3 % 的通信未被计算掩盖，占单步的 61.9 %。") == "+-");
  CHECK(check_figures(kFinding, answers())[0].where == "advise#/rows/0/finding");
  CHECK(says("A step makes 7 copies between host and device, and inputs take 20 % of it.") == "+");
  // Another number without a unit is another sentence, of which nothing is known.
  CHECK(says("A step makes 9 copies between host and device, and inputs take 20 % of it.") == "?");
}

TEST_CASE("own rows: a bound is that of the row which the text names, and called one") {
  const std::string finding = kFinding;
  CHECK(says("1. [high, 51.9 % of the step at most] " + finding) == "+++");
  CHECK(says(finding + "\n   gain: at most 51,900 us; measure it") == "+++");
  CHECK(says(finding + "\n   收益：至多 51.9 ms") == "+++");
  CHECK(says(finding + " Reduce gradients in buckets while the backward still computes. At most 12 ms.") == "+++");
  // That measure gives back less.
  CHECK(says(finding + " Reduce gradients in buckets while the backward still computes. At most 51.9 ms.") == "++?");
  CHECK(says(finding + " It may take 51.9 ms.") == "++?");  // not called a bound
  CHECK(says(finding + " At most 40 ms.") == "++?");
  CHECK(says(finding + " Gain: at most 40 ms.") == "++-");
  CHECK(says(finding + " 预期收益：上限 40 ms") == "++-");
  CHECK(says("Gain: at most 51.9 ms.") == "");  // of no row: a claimed gain
  CHECK(says("Hand over all inputs of a step in one batch of copies instead of one by one: at most 51.9 ms.") == "?");
  CHECK(says("Hand over all inputs of a step in one batch of copies instead of one by one: at most 20 ms.") == "+");
}

TEST_CASE("own rows: rows as JSON") {
  const std::string row = R"({"finding": "70.3 % of communication is not hidden by computation: 51.9 % of the step.",)";
  CHECK(says(row + R"("share_ratio": 0.519})") == "+++");
  CHECK(says(row + R"("share_ratio": 0.9})") == "++-");
  CHECK(says(row + R"("trigger": {"metric": "comm.not_overlapped_ratio", "threshold": 0.3, "value": 0.703}})") ==
        "+++");  // the value is no figure there: its key says no unit
}

TEST_CASE("own rows: thresholds are those of the metric that stands before") {
  CHECK(says("comm.not_overlapped_ratio = 70.30 % (threshold 30.00 %)") == "?+");  // no answer gives the metric here
  CHECK(says("comm.not_overlapped_ratio = 70.30 %（阈值 30.00 %）") == "?+");
  CHECK(says("comm.not_overlapped_ratio = 70.30 % (threshold 40.00 %)") == "??");
  CHECK(says("The slow link threshold is 30 %.") == "?");
}

TEST_CASE("own rows: the bound of the row that is named is no unmeasured gain") {
  const std::string finding = kFinding;
  CHECK(gains(finding + " Gain: at most 51.9 ms.") == "");
  CHECK(gains(finding + " Gain: 51.9 ms.") == "51.9 ms");
  CHECK(gains(finding + " Gain: at most 60 ms.") == "60 ms");
  CHECK(gains("Set X: the gain is at most 51.9 ms.") == "51.9 ms");
  CHECK(gains(finding + " It saves at most 51.9 ms, and is 2x faster.") == "2x");
}

TEST_CASE("own rows: a row of a table below its finding keeps its bound; what is checked again is accepted") {
  const Gate gate(own_knowledge(), Context{.mode = "eager", .scenario = "training", .framework = "pytorch"});
  const std::string draft = "### 1. [high] " + std::string(kFinding) +
                            "\n\n| What | Value |\n| --- | --- |\n| Gain | at most 51.9 ms |\n\nOther text.\n\n"
                            "| What | Value |\n| --- | --- |\n| Gain | at most 51.9 ms |\n";
  const Json checked = validate(gate, answers(), draft, "en");
  std::string says;
  for (const Json& one : checked["figures"]) says += one["ok"].is_null() ? "?" : one["ok"] == Json(true) ? "+" : "-";
  CHECK(says == "+++?");  // the second table stands below nothing that names a row
  for (const Json& one : checked["items"]) CHECK(one["rule"] != "R5");
  const std::string quoted = std::string(kFinding) + " Gain: at most 51.9 ms.";
  CHECK(validate(gate, answers(), quoted, "en")["items"].size() == 1);
  CHECK(validate(gate, answers(), "Set it. Gain: at most 51.9 ms.", "en")["items"].size() == 2);
  const Json wrong = validate(gate, answers(), std::string(kFinding) + " Gain: at most 90 ms.", "en");
  CHECK(wrong["items"][0]["rewrite"].get<std::string>().find("at most 51.9") != std::string::npos);
}

}  // namespace stepwise::advice
