#include "core/ingest/discovery/separate_runs.h"

#include "core/ingest/discovery/layout_test_tree.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

/// "a torch_npu 0,1; b msprof"
std::string separate_in(const std::filesystem::path& path) {
  const auto layout = discover(path);
  REQUIRE(layout.ok());
  std::string out;
  for (const SeparateRun& run : separate_runs(layout.value())) {
    out += (out.empty() ? "" : "; ") + run.dir + " " + to_string(run.kind);
    for (size_t i = 0; i < run.ranks.size(); ++i) out += (i == 0 ? " " : ",") + std::to_string(run.ranks[i]);
  }
  return out;
}

constexpr const char* kTrace = R"({"traceEvents": [{}]})";

}  // namespace

TEST_CASE("separate runs: directories that claim the same ranks, or hold other kinds of profiles") {
  Tree tree;
  tree.run("all/demo", "0").run("all/llm/x_ascend_pt", "0").run("all/llm/y_ascend_pt", "1");
  CHECK(separate_in(tree.path()) == "all/demo torch_npu 0; all/llm torch_npu 0,1");
  tree.file("all/inf/PROF_1/mindstudio_profiler_output/op_summary_1.csv", "Op Name\n")
      .file("all/gpu/worker0.pt.trace.json", kTrace);
  CHECK(separate_in(tree.path("all")) == "demo torch_npu 0; gpu kineto; inf msprof; llm torch_npu 0,1");
  CHECK(separate_in(tree.path("all/llm")).empty());
  Tree traces;
  traces.file("four/worker0.1.pt.trace.json", kTrace).file("none/worker0.2.pt.trace.json", kTrace);
  CHECK(separate_in(traces.path()) == "four kineto 0; none kineto 0");
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
    CHECK(separate_in(tree.path(folder)).empty());
  }
}

}  // namespace stepwise::ingest
