#include "core/report/advice_chapter.h"

#include "core/report/checks.h"
#include "core/report/compose.h"
#include "core/report/markdown.h"
#include "core/report/sample_model_test.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::report;

namespace {

std::string markdown(const Json& answer, Lang lang = Lang::en) {
  Document document;
  add_advice(lang, answer, document);
  return markdown_of(document);
}

}  // namespace

TEST_CASE("a piece of advice says why, what it may gain, what it risks and where its parameters come from") {
  const std::string text = markdown(testing::sample_advice());
  for (const char* part :
       {"| 1 | high | Communication is not hidden. | Issue collectives asynchronously. | "
        "comm.not_overlapped_ratio = 96.20 % (threshold 30.00 %) | at most 102 ms |",
        "### 1. \\[high] Communication is not hidden.\n", "#### 1.1. \\[high] Issue collectives asynchronously.\n",
        "| Gain | the uncovered time itself |", "| Certainty | confirmed by the profile |",
        "| Conditions | PyTorch, HCCL |", "| Constraint | Wait for the result before it is used. |",
        "| Risk | the order of communication must stay the same: Ranks must keep one order. |",
        "| Where | train.py:12 (python frame) |", "| Documents | \\[PyTorch distributed] |",
        "| async_op | True | verified | official documentation: torch.distributed |",
        "````\nwork = dist.all_reduce(x, async_op=True)\n```\nwork.wait()\n````\n",
        "| 2 | low | Free time. | \\[possible] Queue operators. |  | to be measured |",
        "Downgraded by the gate: (parameters to be looked up in the official documentation)",
        "### Links\n\n| Name | Address |\n| --- | --- |\n| \\[PyTorch distributed] | https://example.com/a_b?x=1"}) {
    INFO(part);
    CHECK(text.find(part) != std::string::npos);
  }
  // Addresses stand in the table at the end only.
  CHECK(text.find("https://") > text.find("### Links"));
  CHECK(markdown(testing::sample_advice(), Lang::zh).find("[可能的优化措施] Queue operators.") != std::string::npos);
}

TEST_CASE("no advice is said in so many words, whether there is none or nobody to give it") {
  CHECK(markdown({{"status", "ok"}, {"rows", Json::array()}}).find("No advice: nothing that was measured") == 0);
  const std::string absent = to_markdown(testing::sample_model(), Lang::en);
  CHECK(absent.find("## 7. Advice\n\nNo advice: this program has no analysis that gives any.\n") != std::string::npos);
  Json model = testing::sample_model();
  testing::add_advice_chapter(model, {{"status", "not_applicable"}, {"why", "Nothing is measured."}});
  CHECK(to_markdown(model, Lang::en).find("Not applicable to this profile (advise): Nothing is measured.") !=
        std::string::npos);
}

TEST_CASE("measures that answer one finding stand below it, its trigger and bound told once") {
  Json answer = testing::sample_advice();
  answer["rows"][0]["rule"] = "comm_not_hidden";
  Json second = answer["rows"][0];
  second["measure"] = "Overlap by buckets.";
  answer["rows"].push_back(second);  // behind a row of another finding
  const std::string text = markdown(answer);
  CHECK(text.find("| Issue collectives asynchronously. / Overlap by buckets. |") != std::string::npos);
  const size_t first = text.find("#### 1.1. "), other = text.find("#### 1.2. \\[high] Overlap by buckets.");
  CHECK(first < other);
  CHECK(other < text.find("### 2. \\[low] Free time."));
  CHECK(text.find("\n| Triggered by |") != std::string::npos);
  CHECK(text.find("\n| Triggered by |") == text.rfind("\n| Triggered by |"));
}

TEST_CASE("advice stands behind what was measured and before the report's check of itself") {
  Json model = testing::sample_model();
  testing::add_advice_chapter(model, testing::sample_advice());
  const std::string text = to_markdown(model, Lang::en);
  CHECK(text.find("## 7. Advice") != std::string::npos);
  CHECK(text.find("## 8.") == std::string::npos);
  add_checks(model);
  const std::string checked = to_markdown(model, Lang::en);
  CHECK(checked.find("## 7. Advice") < checked.find("## 8. Self-check of this report"));
  CHECK(checked.find("## 9.") == std::string::npos);
}

TEST_CASE("a risk that says its kind itself says it once; yes and no have no threshold") {
  Json answer = testing::sample_advice();
  Json& row = answer["rows"][0];
  row["risk"] = "需确保通信顺序正确性不变，且数据在使用前已就绪。";
  row["trigger"] = {{"metric", "prefetch.found"}, {"value", false}, {"threshold", false}};
  const std::string text = markdown(answer, Lang::zh);
  CHECK(text.find("| 需确保通信顺序正确性不变，且数据在使用前已就绪。 |") != std::string::npos);
  CHECK(text.find("| prefetch.found = 否 |") != std::string::npos);
}

TEST_CASE("rows of any shape are shown as far as they go") {
  const std::string text =
      markdown({{"rows", {{{"priority", 3}, {"parameters", "x"}, {"trigger", 1}}, "no row", nullptr}}, {"links", "x"}});
  CHECK(text.find("| 3 |  |  |  |  | to be measured |") != std::string::npos);
}
