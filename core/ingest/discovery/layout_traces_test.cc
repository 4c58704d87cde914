// What discover() makes of single traces and graph dumps, and of those that lie beside ranks.
#include "core/ingest/discovery/layout.h"

#include <string>

#include "core/ingest/discovery/layout_test_tree.h"
#include "tests/catch.h"

namespace stepwise::ingest {

namespace fs = std::filesystem;

TEST_CASE("layout: a Kineto trace is a rank, by distributedInfo, else by its name, else 0") {
  Tree tree;
  tree.file("w/worker3_step.pt.trace.json", R"({"distributedInfo": {"rank": 1}, "traceEvents": []})")
      .file("w/worker2_step.pt.trace.json", R"({"traceEvents": []})")
      .file("w/other.json",
            R"({"traceEvents": [], "distributedInfo": {"backend": "x", "rank": 7, "pg": [{"rank": 9}]}})")
      .file("w/rank-5.json.gz", gzip(R"({"schemaVersion": 1, "deviceProperties": [], "traceEvents": []})"))
      .file("w/sub/any.json", R"({"traceEvents": [{}]})")
      .file("w/sub/empty.json", R"({"traceEvents" : [ ]})")
      .file("w/notes.json", R"({"a": 1})");
  // One without events that does not say its rank is none: it would stand for rank 0.
  const auto layout = discover(tree.path("w"));
  REQUIRE(layout.ok());
  CHECK(layout.value().remarks.at(0).code == "trace.no_events");
  CHECK(contains(layout.value().remarks.at(0).text, "sub/empty.json"));
  CHECK(ranks_of(tree.path("w")) ==
        "0 sub/any.json; 1 worker3_step.pt.trace.json; 2 worker2_step.pt.trace.json; 5 rank-5.json.gz; 7 other.json");
}

TEST_CASE("layout: an execution trace belongs to the rank that its name tells, else to the lowest") {
  Tree tree;
  const std::string et = R"({"schema": "1.0.1", "pid": 1, "nodes": []})";
  tree.file("w/worker0.pt.trace.json", R"({"traceEvents": []})")
      .file("w/worker2.pt.trace.json", R"({"traceEvents": []})")
      .file("w/et/dlrm_eg_2.json.gz", gzip(et))
      .file("w/et/rank0_2.json", et)
      .file("w/et/pt2_et.json", et)
      .file("w/et/dlrm_7.json", et)
      .file("w/et/trace.json", R"({"schema": "1", "nodes": [], "traceEvents": []})")
      .file("w/et/other.json", R"({"schema": "1", "edges": []})");
  const auto found = discover(tree.path("w"));
  REQUIRE(found.ok());
  std::string listed;
  for (const RankLayout& rank : found.value().ranks) {
    for (const SourceFile& file : rank.files) {
      if (file.kind == FileKind::execution_trace) listed += std::to_string(rank.rank) + " " + file.path + "; ";
    }
  }
  CHECK(listed == "0 et/dlrm_7.json; 0 et/pt2_et.json; 0 et/rank0_2.json; 2 et/dlrm_eg_2.json.gz; ");
  CHECK(discover(tree.path("w/et/pt2_et.json")).value().kind == ProfileKind::graph_only);
}

TEST_CASE("layout: of several files of one compilation the generated code is read") {
  Tree tree;
  for (const char* file : {"a/output_code.py", "a/1_output_code.py", "b/2_output_code.py"}) tree.file(file, "x = 1\n");
  for (const char* file : {"a/fx_graph_readable.py", "a/1_fx_graph_runnable.py", "a/2_fx_graph_runnable.py",
                           "b/fx_graph_readable.py", "c/dynamo_output_graph.py"}) {
    tree.file(file, "class M(torch.nn.Module):\n");
  }
  tree.file("c/output_code.py", "");
  const auto found = discover(tree.path());
  REQUIRE(found.ok());
  std::string read, left;
  for (const SourceFile& file : found.value().ranks.front().files) {
    if (file.state == FileState::usable) read += file.path + " ";
    if (file.state == FileState::not_used) left += file.path + ": " + file.why_not + "\n";
  }
  CHECK(read ==
        "a/1_output_code.py a/2_fx_graph_runnable.py a/output_code.py b/2_output_code.py b/fx_graph_readable.py "
        "c/dynamo_output_graph.py ");
  CHECK(left ==
        "a/1_fx_graph_runnable.py: a/1_output_code.py, the code that it became, is read instead: open it by its path\n"
        "a/fx_graph_readable.py: a/output_code.py, the code that it became, is read instead: open it by its path\n");
  CHECK(discover(tree.path("a/fx_graph_readable.py")).value().ranks.front().files[0].state == FileState::usable);
}

TEST_CASE("layout: a single trace or graph dump is a profile by itself") {
  Tree tree;
  tree.file("a.pt.trace.json", R"({"traceEvents": [{}]})")
      .file("b.pt.trace.json", R"({"traceEvents": [{}]})")
      .file("g/ge_proto_00001_Build.txt", "graph {\n}\n")
      .file("broken.pt.trace.json", "no json");
  const auto one = discover(tree.path("b.pt.trace.json"));
  REQUIRE(one.ok());
  CHECK(one.value().kind == ProfileKind::kineto);
  CHECK(one.value().opened == tree.path("b.pt.trace.json"));
  CHECK(one.value().ranks.size() == 1);
  CHECK(discover(tree.path()).value().ranks.size() == 2);
  const auto graph = discover(tree.path("g/ge_proto_00001_Build.txt"));
  REQUIRE(graph.ok());
  CHECK(graph.value().kind == ProfileKind::graph_only);
  CHECK(graph.value().framework == "ge");
  CHECK(contains(error_of(tree.path("broken.pt.trace.json")), "does not begin like JSON"));
}

TEST_CASE("layout: graph dumps anywhere below belong to the lowest rank; others are added by path") {
  Tree tree, other;
  tree.run("a_ascend_pt", "3")
      .run("b_ascend_pt", "1")
      .file("dump/ge_onnx_00000001_graph_1_Build.pbtxt", "graph {\n}\n");
  tree.file("a_ascend_pt/code/output_code.py", "# AOT ID: ['0_inference']\n");
  other.file("x/fx_graph_readable.py", "class <lambda>(torch.nn.Module):\n");
  auto layout = discover(tree.path());
  REQUIRE(layout.ok());
  const auto graphs = [&] {
    std::string out;
    for (const SourceFile& file : layout.value().ranks[0].files) {
      if (is_input(ProfileKind::torch_npu, "graph_node", file.kind)) out += file.path + " ";
    }
    return out;
  };
  CHECK(layout.value().ranks[0].rank == 1);
  CHECK(graphs() == "a_ascend_pt/code/output_code.py dump/ge_onnx_00000001_graph_1_Build.pbtxt ");
  REQUIRE(add_graphs(layout.value(), {other.path("x")}).ok());
  CHECK(contains(graphs(), other.path("x/fx_graph_readable.py").string()));
  CHECK(add_graphs(layout.value(), {tree.path("a_ascend_pt/profiler_info_3.json")}).error().code == "graph.none");
  CHECK(add_graphs(layout.value(), {tree.path("absent")}).error().code == "profile.missing");
  CHECK(ranks_of(tree.path("dump")) == "0 ");
}

}  // namespace stepwise::ingest
