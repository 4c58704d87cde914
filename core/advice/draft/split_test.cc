#include "core/advice/draft/split.h"

#include <string>

#include "core/advice/draft/lacks.h"
#include "tests/catch.h"

namespace stepwise::advice {
namespace {

/// The items' first bytes, and a check that together they are the draft.
std::vector<std::string> items(const std::string& draft) {
  std::vector<std::string> out;
  std::string whole;
  for (const DraftItem& one : split_draft(draft)) {
    out.emplace_back(one.text);
    whole += one.text;
  }
  CHECK(whole == draft);
  return out;
}

std::string lacks(std::string_view text, std::string_view columns = {}) {
  std::string out;
  for (const Lack one : lacks_of(text, columns)) out += std::string(out.empty() ? "" : " ") + to_string(one);
  return out;
}

}  // namespace

TEST_CASE("entries of a list are items, code belongs to the one before it") {
  const auto found =
      items("# Advice\n\n1. Set a.\n   ```\n   # no heading\n   - no entry\n   ```\n2. Set b.\n\n- Set c.\n");
  REQUIRE(found.size() == 3);
  CHECK(found[0].find("# Advice") == 0);
  CHECK(found[0].find("no entry") != std::string::npos);
  CHECK(found[1] == "2. Set b.\n\n");
  CHECK(found[2] == "- Set c.\n");
}

TEST_CASE("fields of advice are no items of their own, in both languages") {
  CHECK(items("## Use the queue\n- **Trigger**: idle 18 %\n- Gain: measure it\n\n```\ncode\n```\n").size() == 1);
  CHECK(items("### 措施1：异步H2D\n- 触发条件：H2D占比大\n- 预期收益：需实测\n- 实施示例：见文档\n").size() == 1);
  CHECK(items("- 措施1:异步。预期收益：需实测\n- 措施2:绑核\n").size() == 2);
  CHECK(items("- 开启队列\n- 绑核\n- 来源：文档\n").size() == 2);
}

TEST_CASE("rows of a table are items with the names of their columns") {
  const std::string draft = "| Measure | Gain |\n|---|---|\n| queue | measure |\n| bind | measure |\n";
  const auto found = split_draft(draft);
  REQUIRE(found.size() == 2);
  CHECK(found[1].text == "| bind | measure |\n");
  CHECK(found[1].columns == "| Measure | Gain |");
  items(draft);
}

TEST_CASE("paragraphs are items, those of a heading belong to it; what is empty holds none") {
  CHECK(items("Set a.\n\nSet b\non two lines.\n").size() == 2);
  CHECK(items("## One\n\nText.\n\nMore.\n\n## Two\n\nText.\n").size() == 2);
  CHECK(split_draft("").empty());
  CHECK(split_draft(" \n\n").empty());
  CHECK(items("```\nunclosed\n# x\n- y\n").size() == 1);
}

TEST_CASE("where the first field of an item comes again, the next item begins") {
  CHECK(items("## Advice\n\n1. **Problem**: a.\n   - Measure: b\n   - Gain: c\n2. **Problem**: d.\n   - Measure: e\n")
            .size() == 2);
  CHECK(items("1. **问题**：甲\n- 措施：乙\n2. **问题**：丙\n- 措施：丁\n").size() == 2);
  CHECK(items("## One\n\n- Problem: a\n- Measure: b\n- Gain: c\n").size() == 1);
}

TEST_CASE("lacks: by words and structure") {
  CHECK(lacks("Use a queue.") == "trigger gain example source");
  CHECK(lacks("Because the device is idle, use a queue; it hides launches. See https://a.org.") == "example");
  CHECK(lacks("由于空闲占比高，可减少等待。示例：`f(1)`。来源：官方文档") == "");
  CHECK(lacks("| queue |", "| Trigger | Gain | Example | Source: |") == "");
  CHECK(lacks("```\nx\n```").find("example") == std::string::npos);
}

}  // namespace stepwise::advice
