#include "graph_fusion.h"
#include "stepwise/testing.hpp"
#include "tests/catch.h"

using namespace stepwise;
using graph_fusion::repeated_subgraphs;
using sdk::testing::Host;
using sdk::testing::Table;
namespace node = stepwise::table::graph_node;
namespace edge = stepwise::table::graph_edge;
namespace kernel = stepwise::table::kernel;

namespace {

struct Node {
  const char *name, *op_type;
  const char* role = "operator";
  const char* fused = nullptr;
};

Table nodes(const std::vector<Node>& all, const char* graph = "g/ge_proto_1.txt", const char* format = "ge_proto") {
  Table table(node::kTable);
  int64_t line = 0;
  for (const Node& one : all) {
    auto row = table.row();
    row.set(node::graph, graph).set(node::format, format).set(node::name, one.name).set(node::op_type, one.op_type);
    row.set(node::role, one.role).set(node::line, line += 10);
    if (one.fused != nullptr) row.set(node::fused, one.fused);
  }
  return table;
}

struct Edge {
  int64_t from, to;
  const char* kind = "data";
};
Table edges(const std::vector<Edge>& all) {
  Table table(edge::kTable);
  for (const Edge& one : all)
    table.row().set(edge::src_id, one.from).set(edge::dst_id, one.to).set(edge::kind, one.kind);
  return table;
}

struct Kernel {
  const char *name, *op_type;
  int64_t dur_ns;
};
Table kernels(const std::vector<Kernel>& all) {
  Table table(kernel::kTable, "kernel_details.csv");
  for (const Kernel& one : all) {
    table.row().set(kernel::name, one.name).set(kernel::op_type, one.op_type).set(kernel::dur_ns, one.dur_ns);
  }
  return table;
}

/// data -> mm1 -> add1 -> mm2 -> add2 -> out, with weights; mm2 waits for add1 by control, too.
Table two_layers() {
  return nodes({{"data", "Data", "input"},
                {"w1", "Const", "constant"},
                {"mm1", "MatMul"},
                {"add1", "Add"},
                {"w2", "Const", "constant"},
                {"mm2", "MatMul"},
                {"add2", "Add"},
                {"out", "NetOutput", "output"}});
}
Table edges_of_two_layers() {
  return edges({{0, 2}, {1, 2}, {2, 3}, {2, 3}, {3, 5}, {4, 5}, {5, 6}, {6, 7}, {3, 5, "control"}, {99, 5}, {5, -1}});
}

}  // namespace

TEST_CASE("repeated subgraphs: rows, topology of all nodes and of the operators") {
  Host host;
  host.add(0, two_layers());
  host.add(0, edges_of_two_layers());
  const auto r = host.run(repeated_subgraphs, R"({"instances": 3})");
  CHECK(r["graph"].text() == "g/ge_proto_1.txt");
  REQUIRE(r["total_rows"].integer() == 1);
  const auto row = r["rows"].at(0);
  CHECK(row["signature"].to_json() == R"(["MatMul","Add"])");
  CHECK(row["length"].integer() == 2);
  CHECK(row["count"].integer() == 2);
  CHECK(row["count_overlapping"].integer() == 2);
  CHECK(row["total_us"].is_null());
  CHECK(row["matched_by"].is_null());  // there are no kernels to match
  CHECK(row["instances"].at(0)["nodes"].size() == 2);
  CHECK(row["instances"].at(0)["nodes"].at(1)["name"].text() == "add1");
  CHECK(row["instances"].at(0)["nodes"].at(1)["line"].integer() == 40);
  CHECK(row["instances"].at(1)["nodes"].size() == 1);
  CHECK(row["instances"].at(1)["nodes"].at(0)["name"].text() == "mm2");
  CHECK(r["evidence"].at(0)["file"].text() == "g/ge_proto_1.txt");
  CHECK(r["evidence"].at(0)["row"].integer() == 30);

  const auto t = r["topology"];
  CHECK(t["nodes"].integer() == 8);
  CHECK(t["edges"].integer() == 7);  // the pair mm1, add1 once
  CHECK(t["control_edges"].integer() == 1);
  CHECK(t["depth"].integer() == 6);
  CHECK(t["width"].integer() == 3);
  CHECK(t["branching"].integer() == 1);
  CHECK(t["roots"].integer() == 3);
  CHECK(t["leaves"].integer() == 1);
  CHECK(t["operators_only"]["nodes"].integer() == 4);
  CHECK(t["operators_only"]["edges"].integer() == 3);
  CHECK(t["operators_only"]["depth"].integer() == 4);
  CHECK(r["metrics"]["graph.repeated_operator_ratio"].number() == 1);
}

TEST_CASE("repeated subgraphs: unless instances are asked for, a row says where the first one starts, and no nulls") {
  Host host;
  host.add(0, two_layers());
  host.add(0, edges_of_two_layers());
  const auto row = host.run(repeated_subgraphs)["rows"].at(0);
  REQUIRE(row["instances"].size() == 1);
  REQUIRE(row["instances"].at(0)["nodes"].size() == 1);
  const auto node = row["instances"].at(0)["nodes"].at(0);
  CHECK(node["name"].text() == "mm1");
  CHECK(node["line"].integer() == 30);
  CHECK(node["source_file"].is_absent());
}

TEST_CASE("repeated subgraphs: times by node name, every execution once") {
  Host host;
  host.add(0, two_layers());
  host.add(0, edges_of_two_layers());
  host.add(0, kernels({{"mm1", "MatMulV2", 1'000},
                       {"mm1", "MatMulV2", 1'001},
                       {"add1", "Add", 50},
                       {"mm2", "MatMulV2", 3'000},
                       {"other", "Add", 9'999}}));
  const auto r = host.run(repeated_subgraphs, R"({"instances": 3})");
  const auto row = r["rows"].at(0);
  CHECK(row["matched_by"].text() == "node_name");
  CHECK(row["total_us"].number() == 5.051);
  CHECK(row["avg_instance_us"].number() == 2.5255);
  CHECK(row["instances"].at(0)["total_us"].number() == 2.051);
  CHECK(row["instances"].at(1)["total_us"].number() == 3);
  CHECK(r["repeats"]["matched_operators"].integer() == 3);
  CHECK(r["repeats"]["total_us"].number() == 5.051);
}

TEST_CASE("repeated subgraphs: times by type are shared by the type's operators, to the ns") {
  Host host;
  host.add(0, two_layers());
  host.add(0, edges_of_two_layers());
  host.add(0, kernels({{"x", "MatMul", 1'001}, {"y", "Add", 10}, {"z", "Sub", 7}}));
  const auto r = host.run(repeated_subgraphs, R"({"instances": 3})");
  const auto row = r["rows"].at(0);
  CHECK(row["matched_by"].text() == "op_type");
  CHECK(row["total_us"].number() == 1.011);
  CHECK(row["instances"].at(0)["total_us"].number() == 0.506);
  CHECK(row["instances"].at(1)["total_us"].number() == 0.505);

  Host other;
  other.add(0, two_layers());
  other.add(0, edges_of_two_layers());
  other.add(0, kernels({{"x", "Sub", 5}}));
  const auto none = other.run(repeated_subgraphs)["rows"].at(0);
  CHECK(none["matched_by"].text() == "none");
  CHECK(none["total_us"].is_null());
}

TEST_CASE("repeated subgraphs: generated code has no edges, and fused kernels tell what they hold") {
  Host host;
  host.add(0, nodes({{"k0", "triton_fused_a", "operator", "aten.mul;aten.add"},
                     {"buf1", "aten.mm"},
                     {"k0", "triton_fused_a", "operator", "aten.mul;aten.add"},
                     {"buf2", "aten.mm"}},
                    "output_code.py", "inductor"));
  host.add(0, kernels({{"k0", "k0", 11}, {"k0", "k0", 10}}));
  const auto r = host.run(repeated_subgraphs);
  const auto row = r["rows"].at(0);
  CHECK(row["signature"].to_json() == R"(["triton_fused_a","aten.mm"])");
  CHECK(row["count"].integer() == 2);
  CHECK(row["instances"].at(0)["nodes"].at(0)["fused"].text() == "aten.mul;aten.add");
  CHECK(row["total_us"].number() == 0.021);  // two calls of one kernel: its executions once
  CHECK(row["instances"].at(0)["total_us"].number() == 0.011);
  CHECK(r["topology"]["depth"].is_null());
  CHECK(r["topology"]["edges"].integer() == 0);
}

TEST_CASE("repeated subgraphs: another cut of the same place stands behind, and says of which row") {
  Host host;
  std::vector<Node> all;
  std::vector<Edge> links;
  for (int64_t i = 0; i < 8; ++i) {  // ABCABCAB
    all.push_back({i % 3 == 0 ? "a" : i % 3 == 1 ? "b" : "c", i % 3 == 0 ? "A" : i % 3 == 1 ? "B" : "C"});
    if (i > 0) links.push_back({i - 1, i});
  }
  host.add(0, nodes(all));
  host.add(0, edges(links));
  const auto r = host.run(repeated_subgraphs);
  REQUIRE(r["total_rows"].integer() == 4);
  CHECK(r["rows"].at(0)["signature"].to_json() == R"(["A","B","C"])");
  CHECK(r["rows"].at(0)["variant_of"].is_null());
  for (size_t i = 1; i < 4; ++i) CHECK(r["rows"].at(i)["variant_of"].integer() == 1);
}

TEST_CASE("repeated subgraphs: a cycle does not end it") {
  Host host;
  host.add(0, nodes({{"a1", "A"}, {"b1", "B"}, {"a2", "A"}, {"b2", "B"}}));
  host.add(0, edges({{0, 1}, {1, 2}, {2, 3}, {3, 2}, {1, 0}}));
  const auto r = host.run(repeated_subgraphs);
  CHECK(r["topology"]["cycles"].integer() == 2);
  CHECK(r["topology"]["depth"].is_null());
  CHECK(r["rows"].at(0)["signature"].to_json() == R"(["A","B"])");
  CHECK(r["rows"].at(0)["count"].integer() == 2);
}

TEST_CASE("repeated subgraphs: the graphs at hand, the chosen one first, then the largest") {
  Table table(node::kTable);
  for (int graph = 0; graph < 15; ++graph) {
    for (int i = 0; i <= graph; ++i) {
      table.row()
          .set(node::graph, "g" + std::to_string(graph) + ".py")
          .set(node::format, "fx")
          .set(node::role, "operator")
          .set(node::op_type, "A");
    }
  }
  Host host;
  host.add(0, std::move(table));
  const auto r = host.run(repeated_subgraphs, R"({"graph": "g3"})");
  CHECK(r["graph_count"].integer() == 15);
  CHECK(r["graphs"].size() == 10);
  CHECK(r["graphs"].at(0)["name"].text() == "g3.py");
  CHECK(r["graphs"].at(0)["chosen"].boolean() == true);
  CHECK(r["graphs"].at(1)["name"].text() == "g14.py");
  CHECK(r["graphs"].at(1)["chosen"].boolean() == false);
}

TEST_CASE("repeated subgraphs: arguments, and what is not there") {
  Host host;
  host.add(0, two_layers());
  CHECK(host.run(repeated_subgraphs, R"({"graph": "PROTO", "min_count": 3})")["total_rows"].integer() == 0);
  CHECK(host.run(repeated_subgraphs, R"({"graph": "nothing"})").is_absent());
  CHECK(host.failure()->code == "graph.unknown");
  CHECK(host.failure()->hint == "It has 1: g/ge_proto_1.txt.");
  CHECK(host.run(repeated_subgraphs, R"({"min_len": 5, "max_len": 4})").is_absent());
  CHECK(host.failure()->code == "args.lengths");
  CHECK(host.run(repeated_subgraphs, R"({"instances": 1})")["status"].is_absent());

  Host empty;
  empty.add(0, kernels({{"x", "Sub", 5}}));
  CHECK(empty.run(repeated_subgraphs)["status"].text() == "not_applicable");
  Host cancelled;
  cancelled.add(0, two_layers());
  cancelled.cancel_after(0);
  CHECK(cancelled.run(repeated_subgraphs).is_absent());
  CHECK_FALSE(cancelled.failure());
}
