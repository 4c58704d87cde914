#include "core/ingest/discovery/separate_runs.h"

#include <chrono>

#include "core/ingest/discovery/directory_set.h"
#include "core/ingest/discovery/layout_test_tree.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

namespace fs = std::filesystem;

/// As if all that lies there had been written in that second.
void write_at(const fs::path& dir, int64_t unix_s) {
  const auto time = std::chrono::file_clock::from_sys(std::chrono::sys_seconds(std::chrono::seconds(unix_s)));
  for (const auto& entry : fs::recursive_directory_iterator(dir)) fs::last_write_time(entry.path(), time);
}

/// "a torch_npu 0,1; b msprof": those that stand beside what is opened there, and that.
std::string runs_in(const fs::path& path) {
  const auto layout = discover(path);
  REQUIRE(layout.ok());
  std::string out;
  for (const SeparateRun& run : layout.value().runs) {
    out += (out.empty() ? "" : "; ") + run.path.lexically_relative(path).string() + " " + to_string(run.kind);
    for (size_t i = 0; i < run.ranks.size(); ++i) out += (i == 0 ? " " : ",") + std::to_string(run.ranks[i]);
  }
  return out;
}

std::string opened_in(const fs::path& path) {
  const auto layout = discover(path);
  REQUIRE(layout.ok());
  CHECK(layout.value().opened == layout.value().root);
  return layout.value().root.lexically_relative(path).string();
}

/// What is remarked of several runs.
std::string remark_in(const fs::path& path) {
  const auto layout = discover(path);
  REQUIRE(layout.ok());
  for (const LayoutRemark& one : layout.value().remarks) {
    if (one.code == "profile.several_runs") return one.text;
  }
  return "";
}

bool warns_of_runs(const fs::path& path) { return !remark_in(path).empty(); }

constexpr const char* kTrace = R"({"traceEvents": [{}]})";

}  // namespace

TEST_CASE("separate runs: of directories that claim the same ranks the one written last is opened") {
  Tree tree;
  tree.run("demo", "0").run("llm/x_ascend_pt", "0").run("llm/y_ascend_pt", "1");
  write_at(tree.path(), 1'700'000'000);
  write_at(tree.path("demo"), 1'700'000'001);
  CHECK(runs_in(tree.path()) == "demo torch_npu 0; llm torch_npu 0,1");
  CHECK(opened_in(tree.path()) == "demo");
  CHECK(ranks_of(tree.path()) == "0 ");
  CHECK(warns_of_runs(tree.path()));
  write_at(tree.path("llm/y_ascend_pt"), 1'700'000'002);
  CHECK(runs_in(tree.path()) == "llm torch_npu 0,1; demo torch_npu 0");
  CHECK(ranks_of(tree.path()) == "0 x_ascend_pt; 1 y_ascend_pt");
  CHECK(runs_in(tree.path("llm")).empty());
  CHECK_FALSE(warns_of_runs(tree.path("llm")));
  CHECK_THAT(remark_in(tree.path()), !Catch::Contains("belong to none"));
  tree.file("graphs/fx_graph_readable.py", "def forward(self):\n    return ()\n");
  CHECK(opened_in(tree.path()) == "llm");
  CHECK_THAT(remark_in(tree.path()), Catch::Contains("belong to none of them are not read (1)"));
  Tree traces;
  traces.file("four/worker0.1.pt.trace.json", kTrace).file("none/worker0.2.pt.trace.json", kTrace);
  write_at(traces.path(), 1'700'000'000);
  CHECK(runs_in(traces.path()) == "none kineto 0; four kineto 0");  // in one second: the last by its name
  CHECK(opened_in(traces.path()) == "none");
}

TEST_CASE("separate runs: a run that was chosen may hold several itself") {
  Tree tree;
  tree.run("a/level0/x_ascend_pt", "0").run("a/level1/x_ascend_pt", "0").run("b", "0");
  write_at(tree.path(), 1'700'000'000);
  write_at(tree.path("a/level0"), 1'700'000'001);
  CHECK(runs_in(tree.path()) == "a/level0 torch_npu 0; a/level1 torch_npu 0; b torch_npu 0");
  CHECK(opened_in(tree.path()) == "a/level0");
}

TEST_CASE("separate runs: what lies in the directory itself goes before what lies below, however old it is") {
  Tree tree;
  tree.file("worker0.pt.trace.json", kTrace).file("old/worker0.pt.trace.json", kTrace);
  tree.file("old/fx_graph_readable.py", "def forward(self):\n    return ()\n");
  write_at(tree.path(), 1'700'000'000);
  write_at(tree.path("old"), 1'700'000'001);
  CHECK(runs_in(tree.path()) == ". kineto 0; old kineto 0");
  CHECK(opened_in(tree.path()) == ".");
  CHECK(ranks_of(tree.path()) == "0 worker0.pt.trace.json");
  CHECK(discover(tree.path()).value().ranks[0].files.size() == 1);  // without the dump of the other one
  CHECK_THAT(remark_in(tree.path()), Catch::Contains("what lies in the directory itself"));
  CHECK(opened_in(tree.path("old")) == ".");
  CHECK(runs_in(tree.path("old")).empty());

  Tree deep;
  deep.run("x/a_ascend_pt", "0").run("x/b_ascend_pt", "1").run("x/more/c_ascend_pt", "1").run("x/most", "0");
  write_at(deep.path(), 1'700'000'000);
  CHECK(runs_in(deep.path()) == "x torch_npu 0,1; x/most torch_npu 0; x/more torch_npu 1");
  CHECK(opened_in(deep.path()) == "x");
  CHECK(ranks_of(deep.path()) == "0 a_ascend_pt; 1 b_ascend_pt");
  Tree apart;
  apart.run("a_ascend_pt", "0").run("more/b_ascend_pt", "1").run("most/c_ascend_pt", "2");
  CHECK(runs_in(apart.path()).empty());
  CHECK(ranks_of(apart.path()) == "0 a_ascend_pt; 1 more/b_ascend_pt; 2 most/c_ascend_pt");
}

TEST_CASE("separate runs: profiles of other kinds are named beside the whole of the kind that is opened") {
  Tree tree;
  tree.run("a_ascend_pt", "0").run("more/b_ascend_pt", "1");
  tree.file("inf/PROF_1/mindstudio_profiler_output/op_summary_1.csv", "Op Name\n");
  tree.file("gpu/worker0.pt.trace.json", kTrace);
  write_at(tree.path(), 1'700'000'000);
  CHECK(runs_in(tree.path()) == "more torch_npu 1; inf msprof; gpu kineto");
  CHECK(opened_in(tree.path()) == ".");
  CHECK(ranks_of(tree.path()) == "0 a_ascend_pt; 1 more/b_ascend_pt");
  CHECK(warns_of_runs(tree.path()));
}

TEST_CASE("separate runs: a file opens its own run, whatever lies beside") {
  Tree tree;
  tree.run("a", "0").run("b", "0").run("c_ascend_pt", "3");
  CHECK_FALSE(warns_of_runs(tree.path("a/ASCEND_PROFILER_OUTPUT/step_trace_time.csv")));
  CHECK(runs_in(tree.path("a/ASCEND_PROFILER_OUTPUT")).empty());
}

TEST_CASE("separate runs: the ranks of one run are none, wherever they lie") {
  Tree tree;
  tree.run("near/a_ascend_pt", "0").run("near/b_ascend_pt", "0");  // two recordings of one worker
  tree.run("nodes/n0/a_ascend_pt", "0").run("nodes/n0/b_ascend_pt", "1").run("nodes/n1/a_ascend_pt", "2");
  for (const char* rank : {"rank_0", "rank_1"}) tree.file(std::string("each/") + rank + "/trace.json", kTrace);
  tree.file("loose/worker0.pt.trace.json", kTrace).file("loose/worker1.pt.trace.json", kTrace);
  tree.run("beside/a_ascend_pt", "0").file("beside/x.pt.trace.json", kTrace);
  for (const char* recording : {"PROF_a", "PROF_b"})
    tree.file(std::string("msprof/") + recording + "/mindstudio_profiler_output/op_summary_1.csv", "Op Name\n");
  for (const char* folder : {"near", "nodes", "each", "loose", "beside", "msprof"}) {
    INFO(folder);
    CHECK(runs_in(tree.path(folder)).empty());
    CHECK(opened_in(tree.path(folder)) == ".");
  }
}

TEST_CASE("a set of directories: what lies in one, at any depth") {
  DirectorySet set;
  CHECK_FALSE(set.holds("/a"));
  set.add("/a/run");
  set.add("/a/other");
  for (const char* inside : {"/a/run", "/a/run/x.csv", "/a/run/b/c/x.csv", "/a/run/", "/a/other/x"}) {
    INFO(inside);
    CHECK(set.holds(inside));
  }
  for (const char* outside : {"/a", "/a/", "/", "", "/a/run2/x.csv", "/a/ru", "a/run/x", "/b/a/run/x"}) {
    INFO(outside);
    CHECK_FALSE(set.holds(outside));
  }
  CHECK(set.has("/a/run"));
  CHECK_FALSE(set.has("/a/run/x.csv"));
}

}  // namespace stepwise::ingest
