#include "core/report/markdown.h"

#include "core/report/markdown_table.h"
#include "core/report/parts.h"
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
  Table table;
  table.column("Name");
  table.column("Total | us", Align::right);
  table.row({"a|b", "1"});
  table.row({"c"});
  table.row({"d", "2", "too many"});
  CHECK(markdown_of(table) ==
        "| Name | Total \\| us |\n"
        "| --- | ---: |\n"
        "| a\\|b | 1 |\n"
        "| c |  |\n"
        "| d | 2 |\n\n");
}

TEST_CASE("a fence is longer than any run of backticks in what it holds, so that the text cannot end it") {
  Document document;
  document.code("a\n````\n# b\x01");
  CHECK(markdown_of(document) == "`````\na\n````\n# b\n`````\n");
}

TEST_CASE("a name of megabytes is cut, and says how long it was") {
  Table table;
  table.column("Name");
  table.row({std::string(5'000'000, 'x')});
  table.row({std::string(kMaxTextChars, 'y')});
  const std::string text = markdown_of(table);
  CHECK(text.find("xxx… (5000000 bytes) |\n| yyy") != std::string::npos);
  CHECK(text.find(std::string(kMaxTextChars, 'y') + " |\n") != std::string::npos);
  CHECK(text.size() < 3 * kMaxTextChars);
}

TEST_CASE("the English report, whole") {
  CHECK(to_markdown(testing::sample_model(), Lang::en) == R"md(# Performance report

Profile rank0_ascend_pt (torch_npu, pytorch), id p1a2b3c4d, read by Stepwise 0.1.0.

- A step takes 136.58 ms: communication not hidden 102 ms (74.7 %), free (idle) 25.7 ms (18.8 %), computing 8.87 ms (6.5 %).
- Scenario: training.
- The most expensive operator type is ForeachAddList: 1.96 ms, 22.1 % of the operators' time, 3 executions.
- 2 remarks on what is missing or doubtful stand at the end.

## 1. Profile files

| File | Kind | Size | Used |
| --- | --- | ---: | --- |
| OUT/step_trace_time.csv | step_trace_time | 269 B | yes |
| OUT/l2_cache.csv | not_understood | 9.4 KiB | no: no analysis reads it |

## 2. Core metrics

**Scenario**: training. Proof: gradient operators.

| Evidence | File | Place | What it says |
| --- | --- | ---: | --- |
| e1 | kernel_details.csv | all | 12 rows |

detect_execution_mode failed: The analyzer threw.

| Metric | Value | Share | Evidence |
| --- | ---: | ---: | --- |
| Iterations | 1 |  | e1 |
| Iteration, wall time, mean (us) | 136,581.000 |  | e1 |
| Iteration, device work, mean (us) | 8,873.756 |  | e1 |
| Iteration, median (us) | – |  |  |
| Iteration, 99th percentile (us) | – |  |  |
| First iteration with compilation, set apart (us) | – |  |  |
| H2D (us) | – |  |  |
| ModelExecute (us) | – |  |  |
| D2H (us) | – |  |  |
| Operators, sum of durations (us) | 8,883.084 |  | e2 |
| Operators, sum per iteration (us) | 8,873.756 | 100.00 % |  |
| Device busy (of the step's wall time) | – |  |  |
| Bound by host scheduling | yes |  |  |
| Kernels compiled for dynamic shapes | – |  |  |
| Shapes differ between steps | – |  |  |
| Automatic fusion | – |  |  |
| Throughput (samples/s) | – |  |  |
| Instances that fit | – |  |  |
| Vector work fused behind products | – |  |  |
| Step minus operators (us) | – |  |  |

A dash: these files can't tell.

Iterations are counted from step_trace_time.csv; confidence: high.

### Where the step's time goes

| Part | Time (us) | Of the step | Evidence |
| --- | ---: | ---: | --- |
| communication not hidden | 101,963.203 | 74.65 % | e1 |
| free (idle) | 25,744.050 | 18.85 % | e1 |
| computing | 8,873.756 | 6.50 % | e1 |
| rounding of the file | -0.009 | 0.00 % | e1 |
| sum | 136,581.000 | 100.00 % |  |

Other measures of the same step, which are not to be added to these:

| Part | Time (us) | Of the step | Evidence |
| --- | ---: | ---: | --- |
| communication in all | 105,991.878 | 77.60 % | e1 |
| communication hidden by computing | 4,028.675 | 2.95 % | e1 |
| stage | 136,581.000 | 100.00 % | e1 |

Window: step 50.

| Evidence | File | Place | What it says |
| --- | --- | ---: | --- |
| e1 | step_trace_time.csv | row 1 | step 50: computing as the profiler wrote it |
| e2 | kernel_details.csv | all | op_time_us: sum of 187 durations |

## 3. Operator types

| Operator type | Core | Count | Total (us) | Share | Mean (us) | Longest (us) |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
| ForeachAddList | AI_VECTOR_CORE | 3 | 1,959.079 | 22.05 % | 653.026 | 706.614 |
| Trans\|Data | AI_VECTOR_CORE | 1,257 | 1,423.208 | 16.02 % | 24.969 | 70.801 |
| other (28 rows) |  | 200 | 5,500.797 | 61.92 % |  |  |

In all 1,460 executions, 8,883.084 us; window: all rows of the file.

Communication is left out: 4 rows, 105,991.880 us.

## 4. A tool of later

| Metric | Value |
| --- | ---: |
| linger_us | 1.500 |
| nested: linger_ratio | 50.00 % |

| other_word | one_word |
| --- | ---: |
| x | 1 |

### parts

| Name | linger_us |
| --- | ---: |
| a | 2.000 |
| › b | 1.000 |
| c |  |

## 5. What is missing

Inputs that are not there:

| Input | What the reader loses |
| --- | --- |
| api_statistic.csv | no H2D and D2H times |

Analyses that could not answer:

| Analysis | Why |
| --- | --- |
| detect_execution_mode | The analyzer threw. |

## 6. Where to look next

| Analysis | Arguments | Why |
| --- | --- | --- |
| comm_overlap | {"step":50} | 74.7 % of the step is uncovered communication |

## 7. Advice

No advice: this program has no analysis that gives any.
)md");
}

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

TEST_CASE("of many steps the median is told beside the mean, which one long step moves") {
  Json model = testing::sample_model();
  model["profile"]["step_count"] = 5;
  model["chapters"][1]["results"][2]["answer"]["iterations"]["p50_us"] = 12058.292;
  CHECK(to_markdown(model, Lang::en).find("- A step takes 136.58 ms in the mean of 5, 12.1 ms in the median: comm") !=
        std::string::npos);
}

TEST_CASE("a run that nothing divides is not called a step") {
  Json model = testing::sample_model();
  model["chapters"][1]["results"][2]["answer"]["breakdown"]["window_of"] = "run";
  const std::string text = to_markdown(model, Lang::en);
  CHECK(text.find("- The whole run, which nothing divides into steps, takes 136.58 ms: communication not hidden") !=
        std::string::npos);
  CHECK(text.find("### Where the time of the whole run goes") != std::string::npos);
  CHECK(text.find("A step takes") == std::string::npos);
}

TEST_CASE("operators by core type stand once, beside the types") {
  Json model = testing::sample_model();
  model["chapters"][2]["results"][0]["answer"]["by_core"] = {
      {{"core_type", "AI_VECTOR_CORE"}, {"count", 1460}, {"total_us", 8883.084}, {"ratio", 1.0}}};
  const std::string text = to_markdown(model, Lang::en);
  CHECK(text.find("Operators by core type") != std::string::npos);
  CHECK(text.find("| AI_VECTOR_CORE | 1,460 | 8,883.084 | 100.00 % |") != std::string::npos);
  model["chapters"][2]["id"] = "operator_names";
  CHECK(to_markdown(model, Lang::en).find("Operators by core type") == std::string::npos);
}

TEST_CASE("a cell does not hold the shapes of a whole model") {
  Json model = testing::sample_model();
  Json& chapter = model["chapters"][2];
  chapter["id"] = "top_operators";
  Json& rows = chapter["results"][0]["answer"]["rows"];
  rows[0]["input_shapes"] = "1;2;3;4;5;6;7,8";
  rows[1]["input_shapes"] = "1;2;3;4;5;6,7";
  const std::string text = to_markdown(model, Lang::en);
  CHECK(text.find("| ForeachAddList | 1;2;3;4;5;6;… (7 tensors) |") != std::string::npos);
  CHECK(text.find("| 1;2;3;4;5;6,7 |") != std::string::npos);
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

TEST_CASE("operators without types are told by their names") {
  Json model = testing::sample_model();
  for (Json& row : model["chapters"][2]["results"][0]["answer"]["rows"]) {
    row["name"] = row["op_type"].get<std::string>() + "_kernel";
    row["op_type"] = nullptr;
  }
  const std::string text = to_markdown(model, Lang::en);
  CHECK(text.find("| Name | Core | Count |") != std::string::npos);
  CHECK(text.find("| ForeachAddList_kernel |") != std::string::npos);
}

TEST_CASE("the columns of a list stand in reading order, and what it cannot tell is a dash") {
  Json model = testing::sample_model();
  const Json tree = {{{"total_us", 2.0},
                      {"name", "step"},
                      {"count", 1},
                      {"bottleneck", false},
                      {"children", {{{"total_us", 1.5}, {"name", "call"}, {"count", nullptr}, {"bottleneck", true}}}}}};
  model["chapters"].push_back({{"id", "framework_calls"},
                               {"results", {{{"tool", "ir_tree"}, {"answer", {{"status", "ok"}, {"tree", tree}}}}}}});
  const std::string text = to_markdown(model, Lang::zh);
  CHECK(text.find("调用树（按总耗时）") != std::string::npos);
  CHECK(text.find("| 名称 | 次数 | 总耗时 (us) | ★ 瓶颈 |") != std::string::npos);
  CHECK(text.find("| › call | – | 1.500 | ★ |") != std::string::npos);
}

TEST_CASE("evidence says whether its number is a row or a byte of the file") {
  const Json answer = {{"evidence",
                        {{{"id", "e1"}, {"file", "a.csv"}, {"row", 7}, {"unit", "row"}, {"says", "x"}},
                         {{"id", "e2"}, {"file", "b.json.gz"}, {"row", 40960}, {"unit", "byte"}, {"says", "y"}},
                         {{"id", "e3"}, {"file", "b.json.gz"}, {"says", "z"}}}}};
  const auto places = [&](Lang lang) {
    std::string out;
    const Table table = evidence_table(lang, answer);
    for (const Table::Row& row : table.rows()) out += row.cells[2] + "; ";
    return out;
  };
  CHECK(places(Lang::en) == "row 7; byte 40960; all; ");
  CHECK(places(Lang::zh) == "第 7 行; 第 40960 字节; 全文件; ");
}
