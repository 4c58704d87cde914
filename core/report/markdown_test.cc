#include "core/report/markdown.h"

#include "core/report/markdown_table.h"
#include "core/report/sample_model_test.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::report;

TEST_CASE("names are escaped only where markup could begin") {
  CHECK(escape_markdown("aclnnAdd_1_2") == "aclnnAdd_1_2");
  CHECK(escape_markdown("_em_") == "\\_em\\_");
  CHECK(escape_markdown("a|b") == "a\\|b");
  CHECK(escape_markdown("<script>") == "\\<script>");
  CHECK(escape_markdown("*y* [z](u) \\ ~~ $") == "\\*y\\* \\[z](u) \\\\ \\~\\~ \\$");
  CHECK(escape_markdown("first is `a_*<b`, then") == "first is `a_*<b`, then");
  CHECK(escape_markdown("`a|b` `` `c") == "\\`a\\|b\\` \\`\\` \\`c");
  CHECK(escape_markdown("two\r\nlines\tand\x01 more") == "two lines and more");
  CHECK(escape_markdown("a & b &amp; &#1;") == "a & b \\&amp; \\&#1;");
  CHECK(escape_markdown("\xff") == "\xef\xbf\xbd");
}

TEST_CASE("a table has a rule, and a cell for every column") {
  MarkdownTable table;
  table.column("Name");
  table.column("Total | us", MarkdownTable::Align::right);
  table.row({"a|b", "1"});
  table.row({"c"});
  CHECK(table.text() ==
        "| Name | Total \\| us |\n"
        "| --- | ---: |\n"
        "| a\\|b | 1 |\n"
        "| c |  |\n\n");
}

TEST_CASE("the English report, whole") { CHECK(to_markdown(testing::sample_model(), Lang::en) == R"md(@@EN@@)md"); }

TEST_CASE("the Chinese report has the same figures under Chinese headings") {
  const std::string text = to_markdown(testing::sample_model(), Lang::zh);
  for (const char* part : {"# 性能分析报告\n", "## 1. Profiling 文件发现\n", "## 2. 核心指标\n", "### 单步耗时分解\n",
                           "## 3. 算子类型分布\n", "| 未掩盖通信 (Not Overlapped) | 101,963.203 | 74.65 % |",
                           "**场景**: 训练", "| H2D 耗时 (us) | – |  |",
                           "| ForeachAddList | AI_VECTOR_CORE | 3 | 1,959.079 | 22.05 % | 653.026 | 706.614 |"}) {
    INFO(part);
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK(text.find("{0}") == std::string::npos);
}

TEST_CASE("nothing in a report is HTML, and every table row has the columns of its head") {
  for (const Lang lang : {Lang::en, Lang::zh}) {
    Json model = testing::sample_model();
    model["chapters"][2]["results"][0]["answer"]["rows"][0]["op_type"] = "<b>|`x\n| y |";
    const std::string text = to_markdown(model, lang);
    CHECK(text.find("\\<b>\\|\\`x \\| y \\|") != std::string::npos);
    size_t columns = 0;
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at);
      const std::string line = text.substr(at, end - at);
      at = end + 1;
      if (!line.starts_with('|')) {
        columns = 0;
        continue;
      }
      size_t bars = 0;
      for (size_t i = 0; i < line.size(); ++i) bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
      if (columns == 0) columns = bars;
      INFO(line);
      CHECK(bars == columns);
    }
  }
}
