#include "core/report/checks.h"

#include <algorithm>

#include "core/report/digest.h"
#include "core/report/html.h"
#include "core/report/markdown.h"
#include "core/report/sample_model_test.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::report;

namespace {

Json stages() {
  return {{"status", "ok"},
          {"step_us", 100.0},
          {"unclassified_us", 10.0},
          {"rows", {{{"stage", "forward"}, {"wall_us", 30.0}}, {{"stage", "backward"}, {"wall_us", 60.0}}}}};
}

/// The sample with a breakdown, stages and advice: every check has something to look at.
Json whole_model() {
  Json model = testing::sample_model();
  model["chapters"].push_back(
      {{"id", "stages"},
       {"results", {{{"tool", "stage_breakdown"}, {"arguments", Json::object()}, {"answer", stages()}}}}});
  testing::add_advice_chapter(model, testing::sample_advice());
  return model;
}

Json& answer_at(Json& model, const char* pointer) { return model[Json::json_pointer(pointer)]; }

std::vector<std::string> failed(Json model) {
  add_checks(model);
  std::vector<std::string> ids;
  for (const Json& check : model["checks"]) {
    if (check["ok"] != true) ids.push_back(check["id"]);
  }
  return ids;
}

using Ids = std::vector<std::string>;
constexpr const char* kSummary = "/chapters/1/results/2/answer";
constexpr const char* kTypes = "/chapters/2/results/0/answer";
constexpr const char* kStages = "/chapters/4/results/0/answer";
constexpr const char* kAdvice = "/chapters/5/results/0/answer";

}  // namespace

TEST_CASE("a report whose figures add up passes every check") {
  Json model = whole_model();
  add_checks(model);
  CHECK(failed(model).empty());
  std::vector<std::string> ids;
  for (const Json& check : model["checks"]) ids.push_back(check["id"]);
  CHECK(ids == Ids{"step_parts", "step_shares", "step_communication", "operators", "operator_counts", "stages", "gate",
                   "sources", "tables"});
  // 101963.203 + 25744.05 + 8873.756 - 0.009
  CHECK(model["checks"][0]["expected"] == 136581.0);
  CHECK(model["checks"][0]["found"].get<double>() == Approx(136581.0));
  // 1959.079 + 1423.208 + 5500.797
  CHECK(model["checks"][3]["of"] == "top_operators type");
  CHECK(model["checks"][3]["found"].get<double>() == Approx(8883.084));
  CHECK(digest(model).failed_checks == 0);
}

TEST_CASE("each figure that does not add up fails its own check") {
  Json model = whole_model();
  SECTION("a part of the step is missing") {
    answer_at(model, kSummary)["where_time_goes"].erase(1);
    CHECK(failed(model) == Ids{"step_parts"});
  }
  SECTION("a share is not its time over the step's") {
    answer_at(model, kSummary)["where_time_goes"][2]["ratio"] = 0.0660;
    CHECK(failed(model) == Ids{"step_shares"});
  }
  SECTION("communication is more than what is hidden and what is not") {
    answer_at(model, kSummary)["breakdown"]["communication_us"] = 106000.0;
    CHECK(failed(model) == Ids{"step_communication"});
  }
  SECTION("operators left out without a row for them") {
    answer_at(model, kTypes).erase("other");
    CHECK(failed(model) == Ids{"operators", "operator_counts"});
  }
  SECTION("executions lost") {
    answer_at(model, kTypes)["rows"][0]["count"] = 2;
    CHECK(failed(model) == Ids{"operator_counts"});
  }
  SECTION("a stage counted twice") {
    answer_at(model, kStages)["rows"].push_back({{"stage", "forward"}, {"wall_us", 0.1}});
    CHECK(failed(model) == Ids{"stages"});
  }
  SECTION("advice that was refused, or that nobody judged") {
    answer_at(model, kAdvice)["rows"][0]["verdict"] = "refused";
    answer_at(model, kAdvice)["rows"][1].erase("verdict");
    CHECK(failed(model) == Ids{"gate"});
  }
  SECTION("a parameter without a source") {
    answer_at(model, kAdvice)["rows"][0]["parameters"][0].erase("source");
    CHECK(failed(model) == Ids{"sources"});
  }
}

TEST_CASE("rounding is no failure, and what is absent is not checked") {
  Json model = whole_model();
  answer_at(model, kStages)["unclassified_us"] = 10.04;
  CHECK(failed(model).empty());
  answer_at(model, kStages)["unclassified_us"] = nullptr;
  answer_at(model, kSummary)["breakdown"] = nullptr;
  CHECK(failed(model).empty());
}

TEST_CASE("a table whose rows have too few or too many cells is found, as a renderer would see it") {
  CHECK(uneven_rows("| a | b |\n| --- | --- |\n| 1 | 2 |\n\n| a |\n| --- |\n| 1 |\n") == 0);
  CHECK(uneven_rows("| a | b |\n| --- | --- |\n| 1\\|2 | x\\\\ |\n") == 0);
  CHECK(uneven_rows("| a | b |\n| --- | --- |\n| 1|2 | x |\n") == 1);
  CHECK(uneven_rows("| a | b |\n| --- | --- |\n| 1 |\n") == 1);
  CHECK(uneven_rows("| a | b |\n| --- | --- |\n| 1 | x\ny |\n") == 2);  // the row, and the rest of it
  CHECK(uneven_rows("````\n| a |\n| b | c |\n````\n") == 0);
}

TEST_CASE("a failed check stands in red at the top and in its chapter, in both languages") {
  Json model = whole_model();
  answer_at(model, kTypes)["rows"][0]["count"] = 2;
  add_checks(model);
  CHECK(digest(model).failed_checks == 1);
  const std::string html = to_html(model, Lang::en);
  CHECK(html.find("<p class=\"bad\">1 of this report&#39;s own checks failed") != std::string::npos);
  CHECK(html.find("<tr class=\"bad\"><td>executions shown and others, against all</td>") != std::string::npos);
  const std::string text = to_markdown(model, Lang::zh);
  CHECK(text.find("**本报告自校验有 1 项未通过") != std::string::npos);
  CHECK(text.find("| top_operators type | 1,460 | 1,459 | 未通过 |") != std::string::npos);
}
