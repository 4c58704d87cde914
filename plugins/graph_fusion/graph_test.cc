// Which graph is meant, and how large it is.
#include "graph.h"

#include "tests/catch.h"
#include "topology.h"

using namespace stepwise::graph_fusion;

namespace {

GraphInfo info(std::string_view name, std::string_view format, uint64_t operators) {
  return {0, name, format, operators + 1, operators};
}

std::string_view chosen(const std::vector<GraphInfo>& graphs, std::optional<std::string_view> wanted = {}) {
  const auto index = choose_graph(graphs, wanted);
  return index ? graphs[*index].name : "none";
}

Graph graph_of(size_t nodes, const std::vector<std::pair<uint32_t, uint32_t>>& edges, const std::string& roles = "") {
  Graph graph;
  std::vector<std::vector<uint32_t>> producers(nodes), consumers(nodes);
  for (const auto& [from, to] : edges) {
    producers[to].push_back(from);
    consumers[from].push_back(to);
  }
  const auto add = [&](Lists& lists, const std::vector<std::vector<uint32_t>>& of) {
    lists.begin.push_back(0);
    for (const auto& one : of) {
      lists.items.insert(lists.items.end(), one.begin(), one.end());
      lists.begin.push_back(static_cast<uint32_t>(lists.items.size()));
    }
  };
  add(graph.producers, producers);
  add(graph.consumers, consumers);
  for (size_t i = 0; i < nodes; ++i) {
    graph.rows.push_back(i);
    graph.is_operator.push_back(roles.empty() || roles[i] == 'o' ? 1 : 0);
  }
  return graph;
}

std::vector<std::optional<uint64_t>> figures(const Graph& graph, std::string_view format = "ge_proto") {
  const Topology t = measure(graph, topological_order(graph), info("g", format, 1));
  return {t.nodes, t.edges, t.depth, t.width, t.branching, t.roots, t.leaves, t.cycles};
}
using Figures = std::vector<std::optional<uint64_t>>;

}  // namespace

TEST_CASE("graphs: the last stage's largest, code before fx") {
  CHECK(chosen({info("a/ge_proto_00000003_graph_1_PreRunAfterBuild.txt", "ge_proto", 90),
                info("a/ge_proto_00000002_graph_1_Build.txt", "ge_proto", 10),
                info("a/ge_proto_00000002_graph_2_Build.txt", "ge_proto", 20),
                info("a/ge_proto_00000001_graph_1_BeforeBuild.txt", "ge_proto", 99)}) ==
        "a/ge_proto_00000002_graph_2_Build.txt");
  CHECK(chosen({info("ge_proto_00015_A.txt.gz", "ge_proto", 90), info("ge_proto_00046_B.txt", "ge_proto", 10),
                info("ge_onnx_00046_B.pbtxt", "ge_onnx", 10)}) == "ge_proto_00046_B.txt");
  CHECK(chosen({info("x/fx_graph_readable.py", "fx", 90), info("x/output_code.py", "inductor", 3),
                info("y/output_code.py", "inductor", 5)}) == "y/output_code.py");
  CHECK(chosen({info("x/fx_graph_readable.py", "fx", 9), info("y/fx_graph_readable.py", "fx", 9)}) ==
        "x/fx_graph_readable.py");
  CHECK(chosen({info("et.json", "execution_trace", 900), info("y/fx_graph_readable.py", "fx", 9)}) ==
        "y/fx_graph_readable.py");
  CHECK(chosen({info("a_et.json", "execution_trace", 8), info("b_et.json", "execution_trace", 9)}) == "b_et.json");
  CHECK(chosen({}) == "none");
}

TEST_CASE("graphs: by name, or a part of it in any case, which also reaches what is not preferred") {
  const std::vector<GraphInfo> graphs = {info("x/FX_graph.py", "fx", 90), info("x/output_code.py", "inductor", 3),
                                         info("x/FX_graph.py2", "fx", 95)};
  CHECK(chosen(graphs, "x/FX_graph.py") == "x/FX_graph.py");
  CHECK(chosen(graphs, "fx_") == "x/FX_graph.py2");
  CHECK(chosen(graphs, "x/") == "x/output_code.py");
  CHECK(chosen(graphs, "zzz") == "none");
}

TEST_CASE("topology: a diamond with a tail") {
  // 0 -> 1, 2 -> 3 -> 4, and 5 alone
  const Graph graph = graph_of(6, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}});
  CHECK(figures(graph) == Figures{6, 5, 4, 2, 2, 2, 2, 0});
  CHECK(topological_order(graph).nodes == std::vector<uint32_t>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("topology: file order decides ties, not the other way round") {
  const Graph graph = graph_of(4, {{3, 0}, {2, 1}});
  CHECK(topological_order(graph).nodes == std::vector<uint32_t>{2, 1, 3, 0});
}

TEST_CASE("topology: with a cycle depth, width and branching are unknown, and what is behind it comes last") {
  // 0 -> 1 -> 2 -> 1, 2 -> 3, 4 -> 4, 5
  const Graph graph = graph_of(6, {{0, 1}, {2, 1}, {1, 2}, {2, 3}, {4, 4}});
  CHECK(figures(graph) == Figures{6, 5, {}, {}, {}, 2, 2, 2});
  CHECK(topological_order(graph).nodes == std::vector<uint32_t>{0, 5, 1, 2, 3, 4});
}

TEST_CASE("topology: operators alone") {
  const Graph graph = graph_of(4, {{0, 1}, {1, 2}, {2, 3}}, "ioon");
  const Graph operators = operators_of(graph);
  CHECK(figures(operators) == Figures{2, 1, 2, 1, 1, 1, 1, 0});
  CHECK(operators.rows == std::vector<uint64_t>{1, 2});
}

TEST_CASE("topology: code without edges has no depth") {
  CHECK(figures(graph_of(3, {}), "fx") == Figures{3, 0, {}, {}, 0, 3, 3, 0});
  CHECK(figures(graph_of(3, {}), "inductor") == Figures{3, 0, {}, {}, {}, {}, {}, 0});
  CHECK(figures(graph_of(3, {})) == Figures{3, 0, 1, 3, 0, 3, 3, 0});
  CHECK(figures(graph_of(0, {})) == Figures{0, 0, 0, 0, 0, 0, 0, 0});
}
