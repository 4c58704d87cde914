// The engine over a profile on disk: tables, freshness, damage of the cache.
#include <fstream>
#include <set>

#include "core/engine/engine.h"
#include "core/engine/test_provider.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::engine;
using namespace stepwise::engine::testing;

namespace {

namespace fs = std::filesystem;

constexpr const char* kHeader =
    "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
    "Communication(Not Overlapped and Exclude Receive),Preparing\n";

/// A run with a step_trace_time.csv of that many steps.
fs::path make_run(const fs::path& dir, int steps) {
  fs::create_directories(dir / "run_ascend_pt" / "ASCEND_PROFILER_OUTPUT");
  std::ofstream out(dir / "run_ascend_pt" / "ASCEND_PROFILER_OUTPUT" / "step_trace_time.csv");
  out << kHeader;
  for (int step = 1; step <= steps; ++step) out << step << ",6,3,1,4,1,10,0,3,2\n";
  return dir / "run_ascend_pt";
}

Json rows_of(const Answer& answer, const std::string& table) {
  REQUIRE_FALSE(answer.error.has_value());
  for (const Json& row : answer.structured["rows"]) {
    if (row["table"] == table) return row["rows"];
  }
  return "no such table";
}

/// Counts the steps of every rank, whichever it is asked about, and tries a table that only GPU traces are asked for.
class PeerProvider : public ToolProvider {
 public:
  std::vector<ToolDecl> tools() const override {
    const Json steps = {{"table", "step"}, {"ranks", "all"}, {"costs", "no steps of its peers"}};
    const Json types = {{"table", "op_stat"}, {"profiles", {"kineto"}}, {"costs", "nothing here"}};
    return {tool_from_json({{"name", "count_steps"},
                            {"description", "A tool for tests."},
                            {"per", "rank"},
                            {"uses", {steps, types, "api_stat"}},
                            {"input", {{"type", "object"}, {"properties", Json::object()}}},
                            {"output", {{"type", "object"}}}},
                           "")
                .value()};
  }
  Result<ToolResult> call(const std::string&, const Json& arguments, CallHost& host) override {
    ToolResult result;
    Json counts = Json::array();
    for (const Json& rank : arguments["all_ranks"]) {
      SW_ASSIGN_OR_RETURN(const sw_table* steps, host.table(rank.get<uint32_t>(), "step"));
      counts.push_back(steps == nullptr ? Json() : Json(steps->rows));
      SW_ASSIGN_OR_RETURN(const sw_table* types, host.table(rank.get<uint32_t>(), "op_stat"));
      SW_ASSIGN_OR_RETURN(const sw_table* calls, host.table(rank.get<uint32_t>(), "api_stat"));
      if (types != nullptr || calls != nullptr) counts.push_back("a table that it must not get");
    }
    result.body["counts"] = std::move(counts);
    return result;
  }
};

/// A tool about the steps, with suggestions of which the second needs what no file of a run fills.
class GuideProvider : public ToolProvider {
 public:
  std::vector<ToolDecl> tools() const override {
    return {declare("guide", "step"), declare("needs_kernels", "kernel")};
  }
  Result<ToolResult> call(const std::string&, const Json&, CallHost&) override {
    ToolResult result;
    result.next = {{"describe_tables", Json::object(), ""}, {"needs_kernels", Json::object(), ""}, {"none", {}, ""}};
    return result;
  }

 private:
  static ToolDecl declare(const char* name, const char* table) {
    const Json tool = {{"name", name},
                       {"title", name},
                       {"description", "Suggests."},
                       {"needs", {{table}}},
                       {"per", "rank"},
                       {"input", {{"type", "object"}, {"properties", Json::object()}}},
                       {"output", {{"type", "object"}}}};
    return tool_from_json(tool, "").value();
  }
};

/// A trace with two device slices that overlap without nesting, or two of a host thread; and a kernel file beside it.
fs::path make_traced_run(const fs::path& dir, bool host_overlaps) {
  const fs::path run = make_run(dir, 1);
  const auto slice = [](int pid, int ts, int dur, const char* cat) {
    return Json{{"ph", "X"},
                {"name", "s" + std::to_string(ts)},
                {"pid", pid},
                {"tid", 1},
                {"ts", std::to_string(ts)},
                {"dur", dur},
                {"cat", cat},
                {"args", Json::object()}};
  };
  const auto process = [](int pid, const char* name) {
    return Json{{"ph", "M"}, {"name", "process_name"}, {"pid", pid}, {"tid", 0}, {"args", {{"name", name}}}};
  };
  Json events = {process(1, "Python"), process(2, "Ascend Hardware"), slice(1, 100, 50, "cpu_op")};
  const int pid = host_overlaps ? 1 : 2;
  events.push_back(slice(pid, 200, 50, host_overlaps ? "cpu_op" : ""));
  events.push_back(slice(pid, 220, 50, host_overlaps ? "cpu_op" : ""));
  std::ofstream(run / "ASCEND_PROFILER_OUTPUT" / "trace_view.json") << dump_json(events);
  return run;
}

class HostProvider : public ToolProvider {
 public:
  std::vector<ToolDecl> tools() const override {
    const Json tool = {{"name", "host_reader"},
                       {"title", "Reads host ranges"},
                       {"description", "Reads them."},
                       {"needs", {{"host_op"}}},
                       {"uses", {"device_task"}},
                       {"per", "rank"},
                       {"input", {{"type", "object"}, {"properties", Json::object()}}},
                       {"output", {{"type", "object"}}}};
    return {tool_from_json(tool, "").value()};
  }
  Result<ToolResult> call(const std::string&, const Json&, CallHost&) override { return ToolResult{}; }
};

bool warns(const Answer& answer, const char* code) {
  REQUIRE_FALSE(answer.error.has_value());
  for (const Json& one : answer.structured.value("warnings", Json::array())) {
    if (one["code"] == code) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("what cannot apply is not suggested, and who does not apply suggests what is there") {
  EngineOptions options;
  options.providers.push_back(std::make_shared<GuideProvider>());
  TestEngine t(std::move(options));
  const Json arguments = {{"profile", make_run(t.dir, 1).string()}};
  const Answer answer = t.submit("guide", arguments)->wait();
  REQUIRE_FALSE(answer.error.has_value());
  REQUIRE(answer.structured["next"].size() == 1);
  CHECK(answer.structured["next"][0]["arguments"]["analysis"] == "describe_tables");
  const Answer other = t.submit("needs_kernels", arguments)->wait();
  REQUIRE_FALSE(other.error.has_value());
  CHECK(other.structured["status"] == "not_applicable");
  CHECK(other.structured["next"][0]["arguments"]["analysis"] == "describe_tables");
}

TEST_CASE("slices that overlap on the device alone change no answer, and opening the profile tells of them") {
  for (const bool host_overlaps : {false, true}) {
    EngineOptions options;
    options.providers.push_back(std::make_shared<HostProvider>());
    TestEngine t(std::move(options));
    const std::string run = make_traced_run(t.dir, host_overlaps).string();
    const Answer answer = t.submit("host_reader", {{"profile", run}})->wait();
    CHECK(warns(answer, "event.overlapping") == host_overlaps);
    CHECK(warns(t.submit("describe_tables", {{"profile", run}})->wait(), "event.overlapping"));
    CHECK(warns(t.submit("open_profile", {{"path", run}})->wait(), "event.overlapping"));
  }
}

TEST_CASE("a tool about one rank gets of the others what it declared for all ranks, and nothing else") {
  EngineOptions options;
  options.providers.push_back(std::make_shared<PeerProvider>());
  TestEngine t(std::move(options));
  const char* types =
      "OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)\n"
      "Add,AI_VECTOR_CORE,1,2,2,2,2,100\n";
  const char* calls = "Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance\nacl,a,1,1,1,1,1,0\n";
  for (const int rank : {0, 1, 2}) {
    const fs::path run = make_run(t.dir / "runs" / std::to_string(rank), rank + 1);
    std::ofstream(run / ("profiler_info_" + std::to_string(rank) + ".json")) << "{}";
    std::ofstream(run / "ASCEND_PROFILER_OUTPUT" / "op_statistic.csv") << types;
    if (rank != 1) std::ofstream(run / "ASCEND_PROFILER_OUTPUT" / "api_statistic.csv") << calls;
  }
  const Json arguments = {{"profile", (t.dir / "runs").string()}, {"rank", 1}};
  const Answer answer = t.submit("count_steps", arguments)->wait();
  REQUIRE_FALSE(answer.error.has_value());
  CHECK(answer.structured["rank"] == 1);
  CHECK(answer.structured["counts"] == Json({1, 2, 3}));
  CHECK_FALSE(answer.structured.contains("missing"));  // op_stat is looked for in other kinds of profiles only

  fs::remove_all(t.dir / "runs" / "2" / "run_ascend_pt" / "ASCEND_PROFILER_OUTPUT" / "step_trace_time.csv");
  const Answer less = t.submit("count_steps", arguments)->wait();
  REQUIRE_FALSE(less.error.has_value());
  CHECK(less.structured["counts"] == Json({1, 2, nullptr}));
  CHECK(less.structured["status"] == "partial");
  CHECK(less.structured["missing"][0]["costs"] == "no steps of its peers");
}

TEST_CASE("tables are described with their rows; null where no file fills them") {
  TestEngine t;
  const Answer answer = t.submit("describe_tables", {{"profile", make_run(t.dir, 3).string()}})->wait();
  CHECK(rows_of(answer, "step") == 3);
  CHECK(rows_of(answer, "kernel").is_null());
  CHECK(t.engine->counters().ingests == 1);
}

TEST_CASE("an opened profile that measures nothing is to be asked for its tables") {
  TestEngine t;
  const fs::path dir = t.dir / "cluster_analysis_output";
  fs::create_directories(dir);
  std::ofstream(dir / "communication_group.json") << R"({"collective": [[0, 1]], "p2p": []})";
  const Answer answer = t.submit("open_profile", {{"path", dir.string()}})->wait();
  REQUIRE_FALSE(answer.error.has_value());
  REQUIRE(answer.structured["next"].size() == 1);
  CHECK(answer.structured["next"][0]["tool"] == "run_analysis");
  CHECK(answer.structured["next"][0]["arguments"] ==
        Json({{"analysis", "describe_tables"}, {"profile", answer.structured["id"]}}));
}

TEST_CASE("the text of a table has every column") {
  TestEngine t;
  const std::string run = make_run(t.dir, 3).string();
  const Answer answer = t.submit("describe_tables", {{"profile", run}, {"table", "kernel"}})->wait();
  REQUIRE_FALSE(answer.error.has_value());
  REQUIRE(answer.structured["columns"].size() > 12);
  for (const Json& column : answer.structured["columns"]) {
    CHECK_THAT(answer.text, Catch::Contains("\n  " + column["column"].get<std::string>() + " "));
  }
}

TEST_CASE("a file that changed is read again, by the same id") {
  TestEngine t;
  const fs::path run = make_run(t.dir, 3);
  const Answer opened = t.submit("open_profile", {{"path", run.string()}})->wait();
  REQUIRE_FALSE(opened.error.has_value());
  CHECK(opened.structured["step_count"] == 3);
  make_run(t.dir, 5);
  CHECK(rows_of(t.submit("describe_tables", {{"profile", opened.structured["id"]}})->wait(), "step") == 5);
}

TEST_CASE("who names none of several open profiles is told some, with their paths, and how many more there are") {
  TestEngine t;
  const Answer none = t.submit("describe_tables")->wait();
  REQUIRE(none.error.has_value());
  CHECK(none.error->message == "No profile is open.");
  constexpr int kOpen = 12;
  for (int i = 0; i < kOpen; ++i) {
    const fs::path run = make_run(t.dir / std::to_string(i), 1);
    REQUIRE_FALSE(t.submit("open_profile", {{"path", run.string()}})->wait().error.has_value());
  }
  const Answer which = t.submit("describe_tables")->wait();
  REQUIRE(which.error.has_value());
  CHECK(which.error->code == "profile.which");
  CHECK(which.error->message.find("run_ascend_pt), p") != std::string::npos);
  CHECK(which.error->message.ends_with(", 7 more."));
  CHECK(which.error->hint.find("list_profiles") != std::string::npos);
}

TEST_CASE("a damaged cache costs a second reading, not the answer") {
  TestEngine t;
  const fs::path run = make_run(t.dir, 3);
  REQUIRE_FALSE(t.submit("describe_tables", {{"profile", run.string()}})->wait().error.has_value());
  t.engine.reset();
  int damaged = 0;
  for (const auto& entry : fs::recursive_directory_iterator(t.dir / "cache")) {
    if (entry.path().extension() != ".seg") continue;
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(64);  // the first buffer, after the header
    const int old = file.peek();
    file.seekp(64);
    file.put(static_cast<char>(old ^ 1));
    ++damaged;
  }
  REQUIRE(damaged == 1);
  EngineOptions options;
  options.cache_root = t.dir / "cache";
  t.engine = Engine::start(std::move(options)).value();
  CHECK(rows_of(t.submit("describe_tables", {{"profile", run.string()}})->wait(), "step") == 3);
  CHECK(t.engine->counters().ingests == 1);
  CHECK(rows_of(t.submit("describe_tables", {{"profile", run.string()}, {"table", "step"}})->wait(), "step") == 3);
  CHECK(t.engine->counters().ingests == 1);
}

TEST_CASE("graph dumps elsewhere stay with a profile until others are named") {
  TestEngine t;
  const fs::path run = make_run(t.dir, 1);
  const fs::path dump = t.dir / "dumps" / "ge_proto_00001_Build.txt";
  fs::create_directories(dump.parent_path());
  std::ofstream(dump) << "graph {\n}\n";
  const auto has_graph = [&](Json arguments) {
    arguments["path"] = run.string();
    const Answer answer = t.submit("open_profile", std::move(arguments))->wait();
    REQUIRE_FALSE(answer.error.has_value());
    return answer.structured["tables"].contains("graph_node");
  };
  CHECK_FALSE(has_graph({}));
  CHECK(has_graph({{"graphs", {dump.parent_path().string()}}}));
  CHECK(has_graph({}));
  fs::remove(dump);
  const Answer without = t.submit("open_profile", {{"path", run.string()}})->wait();
  REQUIRE_FALSE(without.error.has_value());
  CHECK(without.structured["warnings"][0]["code"] == "graph.gone");
  CHECK_FALSE(has_graph({{"graphs", Json::array()}}));
  const Answer none = t.submit("open_profile", {{"path", run.string()}, {"graphs", {run.string()}}})->wait();
  REQUIRE(none.error.has_value());
  CHECK(none.error->code == "graph.none");
}

TEST_CASE("a slice that is not there is told by the tools that read the table") {
  TestEngine t;
  const fs::path out = t.dir / "PROF_1" / "mindstudio_profiler_output";
  fs::create_directories(out);
  for (const int slice : {0, 2}) {
    std::ofstream(out / ("op_summary_slice_" + std::to_string(slice) + "_20260101000000.csv"))
        << "Op Name,OP Type,Task Type,Task Start Time(us),Task Duration(us)\na,Add,AI_CORE,1700000000000001.000,2.0\n";
  }
  const Answer answer = t.submit("describe_tables", {{"profile", (t.dir / "PROF_1").string()}})->wait();
  REQUIRE_FALSE(answer.error.has_value());
  CHECK(answer.structured["status"] == "partial");
  CHECK(dump_json(answer.structured["missing"]).find("Missing: 1.") != std::string::npos);
}

TEST_CASE("two traces in one directory are two profiles; the directory is a third") {
  TestEngine t;
  std::set<std::string> ids;
  for (const char* name : {"a.pt.trace.json", "b.pt.trace.json", ""}) {
    if (*name != '\0') std::ofstream(t.dir / name) << R"({"traceEvents": [{}]})";
    const Answer answer = t.submit("open_profile", {{"path", (t.dir / name).string()}})->wait();
    REQUIRE_FALSE(answer.error.has_value());
    CHECK(answer.structured["rank_count"] == (*name != '\0' ? 1 : 2));
    ids.insert(answer.structured["id"].get<std::string>());
  }
  CHECK(ids.size() == 3);
}

TEST_CASE("a path with a NUL is not the path before it") {
  TestEngine t;
  const std::string path = make_run(t.dir, 1).string() + std::string("\0x", 2);
  const Answer answer = t.submit("open_profile", {{"path", path}})->wait();
  REQUIRE(answer.error.has_value());
  CHECK(answer.error->kind == ErrorKind::not_found);
}

TEST_CASE("run_analysis runs analyses, and says what is none") {
  TestEngine t;
  const fs::path run = make_run(t.dir, 2);
  const Json arguments = {{"analysis", "describe_tables"}, {"profile", run.string()}, {"limit", 1}};
  const Answer page = t.submit("run_analysis", arguments)->wait();
  REQUIRE_FALSE(page.error.has_value());
  CHECK(page.structured["rows"].size() == 1);
  CHECK(page.structured.contains("next_cursor"));
  CHECK(t.submit("run_analysis", {{"analysis", "open_profile"}})->wait().error->code == "analysis.none");
  CHECK(t.submit("run_analysis", {{"analysis", "describe_table"}})->wait().error->code == "tool.unknown");
}
