#include "clients/cli/summary.h"

#include <algorithm>

#include "clients/cli/terminal_text.h"
#include "core/report/sample_model_test.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::cli;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace

TEST_CASE("the summary in a pipe, whole") {
  const report::Digest facts = report::digest(report::testing::sample_model());
  const SummaryPlace place{{"report/report.md", "report/report.json"}, ""};
  CHECK(summary_screen(facts, place, Terminal{}, report::Lang::en) ==
        R"(rank0_ascend_pt  torch_npu, pytorch, rank 0 of 1

Step 50: 136.58 ms
  =========================================================..............#####
  = communication not hidden     102 ms   74.7 %
  . free (idle)                 25.7 ms   18.8 %
  # computing                   8.87 ms    6.5 %

Top operators, of 8.88 ms in the whole run
  ForeachAddList  ########################    1.96 ms   22.1 %      3 x
  Trans|Data      #################           1.42 ms   16.0 %  1,257 x

Scenario   training, proof: gradient operators
Failed     detect_execution_mode: The analyzer threw.
Missing    api_statistic.csv: no H2D and D2H times
Look next  74.7 % of the step is uncovered communication
           stepwise call comm_overlap --profile p1a2b3c4d --args '{"step":50}'
Look next  asked already
           in the report: Operator types
Report     report/report.md, report/report.json
)");
}

TEST_CASE("where the report is stands there whole, however long its path and narrow the screen") {
  const std::string far = "/a" + std::string(150, 'x') + "/report";
  const SummaryPlace place{{far + ".md", far + ".json"}, far + " cannot be written."};
  const std::string screen =
      summary_screen(report::digest(report::testing::sample_model()), place, Terminal{}, report::Lang::en);
  CHECK(screen.find("\nReport     " + far + ".md, " + far + ".json\nReport     " + far + " cannot be written.\n") !=
        std::string::npos);
}

TEST_CASE("a GPU trace is summed as a whole: its parts are not called a step's") {
  Json model = report::testing::sample_model();
  model["profile"]["kind"] = "kineto";
  const auto screen = [&] { return summary_screen(report::digest(model), {}, Terminal{}, report::Lang::en); };
  CHECK(screen().find("\nWhole trace: 136.58 ms\n") != std::string::npos);
  model["chapters"][1]["results"][2]["answer"]["iterations"]["p50_us"] = 1500.0;
  CHECK(screen().find("\nWhole trace: 136.58 ms, median step 1.50 ms\n") != std::string::npos);
  model["chapters"][1]["results"][2]["answer"]["per_step"] = {{"count", 4}};
  model["chapters"][1]["results"][2]["answer"]["where_time_goes"][0]["us_per_step"] = 25490.8;
  CHECK(screen().find("\nWhole trace, 4 steps: 136.58 ms, median step 1.50 ms\n") != std::string::npos);
  CHECK(screen().find("communication not hidden     102 ms   74.7 %  25.5 ms a step\n") != std::string::npos);
}

TEST_CASE("a run that nothing divides is not called a step") {
  Json model = report::testing::sample_model();
  model["chapters"][1]["results"][2]["answer"]["breakdown"]["window_of"] = "run";
  CHECK(summary_screen(report::digest(model), {}, Terminal{}, report::Lang::en)
            .find("\nWhole run, not divided into steps: 136.58 ms\n") != std::string::npos);
}

TEST_CASE("the first pieces of advice stand on the screen, a line each, and the report has the others") {
  Json model = report::testing::sample_model();
  Json answer = report::testing::sample_advice();
  answer["rows"][0]["share_ratio"] = 0.7465;
  for (int i = 0; i < 3; ++i) answer["rows"].push_back({{"measure", "More " + std::to_string(i)}});
  report::testing::add_advice_chapter(model, answer);
  const std::string screen = summary_screen(report::digest(model), {}, Terminal{}, report::Lang::en);
  CHECK(screen.find("Advice     74.7 %  async_op=True: Issue collectives asynchronously.\n"
                    "Advice     Queue operators.\n"
                    "Advice     More 0\n"
                    "           and 2 more pieces of advice in the report\n") != std::string::npos);
}

TEST_CASE("the summary fits one screen, however much there is to say") {
  Json model = report::testing::sample_model();
  Json advice = report::testing::sample_advice();
  for (int i = 0; i < 50; ++i) advice["rows"].push_back({{"measure", std::string(300, 'm')}, {"share_ratio", 0.5}});
  report::testing::add_advice_chapter(model, advice);
  Json& results = model["chapters"][1]["results"];
  results[0]["answer"]["proof"] = std::string(300, 'p');
  results[0]["answer"]["supply"] = {std::string(300, 's')};
  results[1] = results[0];
  results[1]["tool"] = "detect_execution_mode";
  for (int i = 0; i < 50; ++i) {
    Json& summary = results[2]["answer"];
    summary["missing"].push_back({{"input", "file" + std::to_string(i)}, {"costs", std::string(200, 'c')}});
    summary["next"].push_back({{"tool", "tool" + std::to_string(i)}, {"why", std::string(200, 'w')}});
    model["chapters"][2]["results"][0]["answer"]["rows"].push_back(
        {{"op_type", std::string(100, 'o')}, {"total_us", 1.0}, {"count", 1234567}, {"ratio", 0.001}});
  }
  const report::Digest facts = report::digest(model);
  const SummaryPlace place{{std::string(90, 'd') + "/report.md", std::string(90, 'd') + "/report.json"},
                           std::string(150, 'n')};
  for (const int columns : {40, 80, 100, 120}) {
    for (const auto lang : {report::Lang::en, report::Lang::zh}) {
      for (const bool unicode : {false, true}) {
        Terminal terminal;
        terminal.is_terminal = true;
        terminal.columns = columns;
        terminal.unicode = unicode;
        const auto lines = lines_of(summary_screen(facts, place, terminal, lang));
        CHECK(lines.size() <= kSummaryLines);
        for (const std::string& line : lines) {
          INFO(line);
          const bool is_place = line.find("ddd") != std::string::npos || line.find("nnn") != std::string::npos;
          if (columns >= 80 && !is_place) CHECK(display_width(line) <= static_cast<size_t>(std::min(columns, 100)));
        }
      }
    }
  }
}

TEST_CASE("an undetermined mode says what would settle it") {
  Json model = report::testing::sample_model();
  Json& mode = model["chapters"][1]["results"][1];
  mode.erase("error");
  mode["answer"] = {
      {"status", "ok"}, {"value", "undetermined"}, {"proof", "none"}, {"supply", {"Declare execution_mode."}}};
  const auto lines = lines_of(summary_screen(report::digest(model), {}, Terminal{}, report::Lang::en));
  CHECK(std::ranges::count(lines, "Mode       undetermined: Declare execution_mode.") == 1);
}

TEST_CASE("the summary says so when there is no step") {
  const auto lines = lines_of(summary_screen(report::Digest{}, {}, Terminal{}, report::Lang::en));
  CHECK(std::ranges::count(lines, "No step time: these files do not tell where the step's time goes.") == 1);
}

TEST_CASE("the summary in Chinese, in colour") {
  Terminal terminal;
  terminal.is_terminal = terminal.colour = terminal.unicode = true;
  const report::Digest facts = report::digest(report::testing::sample_model());
  const std::string text = summary_screen(facts, {{"r.md"}, ""}, terminal, report::Lang::zh);
  for (const char* part : {"第 50 步：136.58 ms", "未掩盖通信", "场景", "训练", "\x1b[35m█", "1,257 次"}) {
    INFO(part);
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("names from the profile cannot drive the terminal") {
  Json model = report::testing::sample_model();
  model["profile"]["name"] = "x\x1b]0;title\x07";
  model["chapters"][2]["results"][0]["answer"]["rows"][0]["op_type"] = "\x1b[2J";
  const std::string text = summary_screen(report::digest(model), {}, Terminal{}, report::Lang::en);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find('\x07') == std::string::npos);
}
