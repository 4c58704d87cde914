#include "core/engine/report_chapters.h"

#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::engine;

namespace {

const std::string kReport = "# Report\n\nHead.\n\n## 1. First\n\n| a |\n\n### Not a chapter\n\n## 2. Last\n\nEnd.";

}  // namespace

TEST_CASE("chapters begin at their headings and lose nothing") {
  const auto chapters = report_chapters(kReport);
  REQUIRE(chapters.size() == 2);
  CHECK(chapters[0].title == "1. First");
  CHECK(chapters[0].text == "## 1. First\n\n| a |\n\n### Not a chapter\n\n");
  CHECK(chapters[1].text == "## 2. Last\n\nEnd.");
  CHECK(report_chapters("").empty());
}

TEST_CASE("without a number the chapters are listed, with one it is the chapter") {
  const auto list = chapter_result(kReport, std::nullopt).value();
  CHECK(list.body["chapters"][1] == Json{{"chapter", 2}, {"title", "2. Last"}, {"chars", 16}});
  const auto last = chapter_result(kReport, 2).value();
  CHECK(last.body["markdown"] == "## 2. Last\n\nEnd.");
  CHECK(last.pieces == std::vector<std::string>{"## 2. Last\n", "\n", "End."});
  CHECK(last.warnings.empty());
  for (const size_t number : {size_t{0}, size_t{3}}) {
    CHECK(chapter_result(kReport, number).error().code == "report.chapter");
  }
}

TEST_CASE("a chapter that no answer can hold is cut between lines and says so") {
  std::string report = "## 1. Long\n";
  for (int i = 0; i < 4000; ++i) report += "0123456789\n";
  const auto result = chapter_result(report, 1).value();
  const auto text = result.body["markdown"].get<std::string>();
  CHECK(text.size() <= 30'000);
  CHECK(text.back() == '\n');
  REQUIRE(result.warnings.size() == 1);
  CHECK(result.warnings[0].text.find(std::to_string(report.size() - text.size())) != std::string::npos);
}
