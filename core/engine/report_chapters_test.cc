#include "core/engine/report_chapters.h"

#include <algorithm>

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
  const auto last = chapter_result(kReport, ChapterPart{.chapter = 2}).value();
  CHECK(last.body["markdown"] == "## 2. Last\n\nEnd.");
  CHECK(last.pieces == std::vector<std::string>{"## 2. Last\n", "\n", "End."});
  CHECK(last.warnings.empty());
  for (const size_t number : {size_t{0}, size_t{3}}) {
    CHECK(chapter_result(kReport, ChapterPart{.chapter = number}).error().code == "report.chapter");
  }
}

TEST_CASE("a long chapter comes in parts of whole lines, which are the chapter again") {
  std::string report = "## 1. Long\n";
  for (int i = 0; i < 2000; ++i) report += "| " + std::to_string(i) + " | 一 |\n";
  report += std::string(9'000, 'x') + "\nEnd.";  // a line longer than a part
  std::string whole;
  size_t parts = 0;
  for (std::optional<ChapterPart> part = ChapterPart{}; part; ++parts) {
    const ToolResult result = chapter_result(report, part).value();
    const auto text = result.body["markdown"].get<std::string>();
    CHECK((text.size() <= kChapterBytes || std::count(text.begin(), text.end(), '\n') == 1));
    whole += text;
    part.reset();
    if (result.next.empty()) continue;
    CHECK(text.back() == '\n');
    part =
        ChapterPart{result.next[0].arguments["chapter"].get<size_t>(), result.next[0].arguments["from"].get<size_t>()};
  }
  CHECK(whole == report);
  CHECK(parts > 5);
  // In the middle of a line, and behind the end.
  CHECK(
      chapter_result(kReport, ChapterPart{.from = 3}).value().body["markdown"].get<std::string>().starts_with("## 1."));
  CHECK(chapter_result(kReport, ChapterPart{.from = 99'999}).value().body["markdown"] == "");
}
