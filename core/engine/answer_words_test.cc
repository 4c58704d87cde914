// What the engine's own answers tell in words: runs apart, tables, the catalogue, where evidence stands.
#include <chrono>
#include <fstream>

#include "core/engine/engine.h"
#include "core/engine/render.h"
#include "core/engine/test_provider.h"
#include "core/engine/text_table.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::engine;
using namespace stepwise::engine::testing;

namespace {

namespace fs = std::filesystem;

/// A run of one step, and a type of operators without one, that says its rank.
void make_run(const fs::path& run, int rank) {
  const fs::path output = run / "ASCEND_PROFILER_OUTPUT";
  fs::create_directories(output);
  std::ofstream(run / ("profiler_info_" + std::to_string(rank) + ".json")) << "{}";
  std::ofstream(output / "step_trace_time.csv")
      << "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
         "Communication(Not Overlapped and Exclude Receive),Preparing\n1,6,3,1,4,1,10,0,3,2\n";
  std::ofstream(output / "trace_view.json") << "[]";
}

class WordyProvider : public ToolProvider {
 public:
  static constexpr const char* kAnswers =
      "Whether a table lookup that takes long runs beside what it could run beside, and how much of the step that is.";
  std::vector<ToolDecl> tools() const override {
    const Json tool = {{"name", "wordy"},
                       {"title", "Wordy"},
                       {"description", kAnswers},
                       {"needs", {{"step"}}},
                       {"per", "rank"},
                       {"input", {{"type", "object"}, {"properties", Json::object()}}},
                       {"output", {{"type", "object"}}}};
    return {tool_from_json(tool, "").value()};
  }
  Result<ToolResult> call(const std::string&, const Json&, CallHost&) override { return ToolResult{}; }
};

/// The text's line that begins so; "": there is none.
std::string line_with(const std::string& text, const std::string& start) {
  const size_t at = text.find("\n" + start);
  return at == std::string::npos ? "" : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
}

/// As if all that lies there had been written in that second.
void write_at(const fs::path& dir, int64_t unix_s) {
  const auto time = std::chrono::file_clock::from_sys(std::chrono::sys_seconds(std::chrono::seconds(unix_s)));
  for (const auto& entry : fs::recursive_directory_iterator(dir)) fs::last_write_time(entry.path(), time);
}

bool warns_of_runs(const Answer& answer) {
  REQUIRE_FALSE(answer.error.has_value());
  return dump_json(answer.structured).find("profile.several_runs") != std::string::npos;
}

}  // namespace

TEST_CASE(
    "of a directory of different runs the one written last is opened, and the others are named with their calls") {
  TestEngine t;
  make_run(t.dir / "all" / "before", 0);
  make_run(t.dir / "all" / "after" / "a_ascend_pt", 0);
  make_run(t.dir / "all" / "after" / "b_ascend_pt", 1);
  const std::string root = fs::canonical(t.dir / "all").string();
  write_at(t.dir / "all" / "before", 1'700'000'000);
  write_at(t.dir / "all" / "after", 1'700'000'001);
  const Answer answer = t.submit("open_profile", {{"path", root}})->wait();
  REQUIRE_FALSE(answer.error.has_value());
  CHECK(answer.structured["ranks"] == Json({0, 1}));
  CHECK(answer.structured["runs"] ==
        Json({{{"path", root + "/after"}, {"kind", "torch_npu"}, {"ranks", {0, 1}}, {"opened", true}},
              {{"path", root + "/before"}, {"kind", "torch_npu"}, {"ranks", {0}}, {"opened", false}}}));
  const Json next = answer.structured["next"].back();
  CHECK(next["tool"] == "open_profile");
  CHECK(next["arguments"] == Json({{"path", root + "/before"}}));
  CHECK(warns_of_runs(answer));
  CHECK_THAT(answer.text, Catch::Contains("\n  " + root + "/after torch_npu, ranks 0, 1 (opened)\n"));

  const Answer one = t.submit("open_profile", {{"path", root + "/after"}})->wait();
  REQUIRE_FALSE(one.error.has_value());
  CHECK(one.structured["id"] == answer.structured["id"]);  // the directory's is the run's
  CHECK_FALSE(one.structured.contains("runs"));
  const Answer other = t.submit("open_profile", next["arguments"])->wait();
  REQUIRE_FALSE(other.error.has_value());
  CHECK(other.structured["ranks"] == Json({0}));
  CHECK(other.structured["id"] != answer.structured["id"]);

  write_at(t.dir / "all" / "before", 1'700'000'002);
  const Answer newer = t.submit("open_profile", {{"path", root}})->wait();
  REQUIRE_FALSE(newer.error.has_value());
  CHECK(newer.structured["id"] == other.structured["id"]);
}

TEST_CASE("whoever names a profile by a directory of different runs is told which one answers, as often as he does") {
  TestEngine t;
  make_run(t.dir / "all" / "a", 0);
  make_run(t.dir / "all" / "b", 0);
  const std::string all = (t.dir / "all").string();
  const Answer first = t.submit("describe_tables", {{"profile", all}})->wait();
  CHECK(warns_of_runs(first));
  CHECK_THAT(first.text, Catch::Contains("warning: The directory holds 2 runs"));
  CHECK(warns_of_runs(t.submit("describe_tables", {{"profile", all}})->wait()));  // out of what is kept, too
  CHECK(t.engine->counters().result_cache_hits == 1);
  CHECK_FALSE(warns_of_runs(t.submit("describe_tables", {{"profile", first.structured["profile"]}})->wait()));
}

TEST_CASE("opening says whose rows are counted, and which tables are yet to be read") {
  TestEngine t;
  make_run(t.dir / "runs" / "a_ascend_pt", 2);
  make_run(t.dir / "runs" / "b_ascend_pt", 3);
  const Answer answer = t.submit("open_profile", {{"path", (t.dir / "runs").string()}})->wait();
  REQUIRE_FALSE(answer.error.has_value());
  CHECK(answer.structured["tables_rank"] == 2);
  CHECK(answer.structured["tables"]["host_op"].is_null());
  CHECK_THAT(answer.text, Catch::Contains("\nranks: 2 (2, 3)\n"));
  CHECK_THAT(line_with(answer.text, "tables of rank 2, rows:"), Catch::Contains(" step=1"));
  CHECK_THAT(line_with(answer.text, "tables of rank 2 that are not read yet"), Catch::Contains(" host_op"));
}

TEST_CASE("the catalogue and the list of tables keep whole what each line is for") {
  EngineOptions options;
  options.providers.push_back(std::make_shared<WordyProvider>());
  TestEngine t(std::move(options));
  const Answer analyses = t.submit("list_analyses")->wait();
  REQUIRE_FALSE(analyses.error.has_value());
  CHECK_THAT(analyses.text, Catch::Contains(std::string("\nwordy: ") + WordyProvider::kAnswers + " Needs step.\n"));

  make_run(t.dir / "run", 0);
  const Answer tables = t.submit("describe_tables", {{"profile", (t.dir / "run").string()}})->wait();
  REQUIRE_FALSE(tables.error.has_value());
  bool was_empty = false;
  for (const Json& row : tables.structured["rows"]) {
    const bool is_empty = row["rows"].is_null() || row["rows"] == 0;
    const bool tells = tables.text.find(row["says"].get<std::string>()) != std::string::npos;
    INFO(row["table"].get<std::string>());
    CHECK(tells == !is_empty);
    CHECK_FALSE((was_empty && !is_empty));  // those with rows come first
    was_empty = is_empty;
  }
  CHECK_THAT(tables.text, Catch::Contains("\nkernel: no file fills it\n"));
}

TEST_CASE("evidence tells a byte of a JSON file from a row of a table") {
  RegisteredTool tool;
  tool.decl.name = "top_things";
  CallPlan plan;
  plan.tool = &tool;
  plan.host.limit = 2;
  ToolResult result;
  result.evidence = {{"e1", "a/trace_view.json", 169738, "it"},
                     {"e2", "worker0.pt.trace.json.gz", 5, "it"},
                     {"e3", "kernel_details.csv", 407, "it"},
                     {"e4", "step.csv", 0, "it"}};
  const auto page = render(plan, result, Reader::client);
  REQUIRE(page.ok());
  for (const char* line : {"a/trace_view.json at byte 169738: it", "worker0.pt.trace.json.gz at byte 5: it",
                           "kernel_details.csv row 407: it", "step.csv: it"}) {
    CHECK_THAT(page.value().text, Catch::Contains(std::string("evidence: ") + line + "\n"));
  }
  const Json& evidence = page.value().structured["evidence"];
  CHECK(evidence[0]["unit"] == "byte");
  CHECK(evidence[1]["unit"] == "byte");
  CHECK(evidence[2]["unit"] == "row");
  CHECK_FALSE(evidence[3].contains("unit"));
}

TEST_CASE("an answer's lines follow what the tool's schema requires; what is nothing is left out") {
  const Json schema = {
      {"required", {"verdict", "parts"}},
      {"properties",
       {{"verdict", {{"required", {"value", "proof"}}}}, {"parts", {{"items", {{"required", {"part", "us"}}}}}}}}};
  const Json object = {
      {"alone", 1},
      {"empty", {{"count", 0}, {"is_it", false}, {"names", Json::array()}}},
      {"parts", {{{"part", "free"}, {"us", 1.5}, {"more", 2}}, {{"part", "rounding"}, {"us", -1.4e-7}}}},
      {"verdict", {{"proof", "id"}, {"value", "eager"}}}};
  CHECK(text_lines(object, schema) ==
        "verdict: value=eager proof=id\n"
        "parts:\n"
        "part    us  more\n"
        "free  1.50     2\n"
        "alone: 1\n");
}
