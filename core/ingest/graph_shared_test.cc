// Real graph files: counts against what a separate script found in the same files with regular expressions. Without
// the files the test is reported as skipped.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "core/ingest/base/shared_data_test.h"
#include "core/ingest/graph/graph_test_rows.h"
#include "core/ingest/timeline/kineto_trace.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

namespace fs = std::filesystem;

Tables read_shared(Reader* reader, const std::string& path) {
  Tables tables;
  read_into(tables, reader, shared_data() / path, limits::kCsvChunkBytes);
  return tables;
}

struct Expected {
  Reader* reader;
  const char* path;
  uint64_t nodes;
};

}  // namespace

TEST_CASE("a real ge_proto: nodes, types, edges") {
  Tables tables =
      read_shared(read_ge_proto, "ge-proto-resnet50/ge_proto_00015_OptimizeQuantGraph_FeGraphFusionAfter.txt.gz");
  CHECK(tables.losses().empty());
  std::map<std::string, int> types, roles;
  for (const std::string& type : node_rows(tables, {"op_type"})) ++types[type];
  for (const std::string& role : node_rows(tables, {"role"})) ++roles[role];
  CHECK(types == std::map<std::string, int>{{"Aipp", 1},
                                            {"AscendDequant", 53},
                                            {"AscendQuant", 49},
                                            {"Const", 162},
                                            {"Conv2D", 53},
                                            {"Data", 1},
                                            {"Eltwise", 16},
                                            {"FullyConnection", 1},
                                            {"LeakyRelu", 17},
                                            {"NetOutput", 1},
                                            {"Pooling", 2},
                                            {"QuantBiasOptimization", 53},
                                            {"QuantBiasRollBack", 1},
                                            {"QuantWeightRollBack", 1},
                                            {"RequantHostCpuOp", 53},
                                            {"SoftmaxV2", 1}});
  CHECK(roles == std::map<std::string, int>{{"constant", 162}, {"input", 1}, {"operator", 301}, {"output", 1}});
  CHECK(node_rows(tables, {"graph"}).back() == "ge_proto_00015_OptimizeQuantGraph_FeGraphFusionAfter.txt.gz");
  const Lines edges = edge_rows(tables);
  CHECK(edges.size() == 587);
  CHECK(std::set<std::string>(edges.begin(), edges.end()).size() == 587);
  int fused = 0;
  for (const std::string& one : node_rows(tables, {"fused"})) fused += one == "null" ? 0 : 1;
  CHECK(fused == 43);
  const Lines shapes = node_rows(tables, {"name", "input_shapes", "output_shapes", "output_dtypes", "fused"});
  CHECK(shapes.front() == "data|1,224,224,3|1,224,224,3|DT_UINT8|null");
}

TEST_CASE("real fx graphs and generated code: one node a call") {
  const std::string base = "inductor-gpu-tlparse/";
  const Expected files[] = {
      {read_fx_graph, "cache_hit_miss/0_0_0/1_dynamo_output_graph.py", 2},
      {read_fx_graph, "cache_hit_miss/0_0_0/dynamo_output_graph.py", 4},
      {read_fx_graph, "cache_hit_miss/1_0_0/1_dynamo_output_graph.py", 2},
      {read_fx_graph, "cache_hit_miss/1_0_0/dynamo_output_graph.py", 4},
      {read_fx_graph, "graph_exec_order_rank0/0_0_0/dynamo_output_graph.py", 8},
      {read_fx_graph, "graph_exec_order_rank0/0_1_0/dynamo_output_graph.py", 16},
      {read_fx_graph, "simple/0_0_0/dynamo_output_graph.py", 3},
      {read_fx_graph, "cache_hit_miss/1_0_0/1_fx_graph_readable.py", 2},
      {read_fx_graph, "cache_hit_miss/1_0_0/fx_graph_readable.py", 4},
      {read_fx_graph, "cache_hit_miss/1_0_0/fx_graph_runnable.py", 1},
      {read_fx_graph, "cache_hit_miss/1_0_0/fx_graph_transformed.py", 4},
      {read_fx_graph, "graph_exec_order_rank0/0_0_0/fx_graph_readable.py", 11},
      {read_fx_graph, "graph_exec_order_rank0/0_0_0/fx_graph_runnable.py", 11},
      {read_fx_graph, "graph_exec_order_rank0/0_0_0/after_post_grad_graph.py", 11},
      {read_fx_graph, "graph_exec_order_rank0/0_1_0/fx_graph_readable.py", 30},
      {read_fx_graph, "graph_exec_order_rank0/0_1_0/fx_graph_runnable.py", 29},
      {read_fx_graph, "graph_exec_order_rank0/0_1_0/before_post_grad_graph.py", 29},
      {read_fx_graph, "graph_exec_order_rank0/0_1_0/after_post_grad_graph.py", 28},
      {read_fx_graph, "simple/0_0_0/fx_graph_readable.py", 12},
      {read_fx_graph, "simple/0_0_0/fx_graph_runnable.py", 13},
      {read_fx_graph, "simple/0_0_0/fx_graph_transformed.py", 13},
      {read_inductor_code, "cache_hit_miss/1_0_0/output_code.py", 1},
      {read_inductor_code, "cache_hit_miss/1_0_0/1_output_code.py", 1},
      {read_inductor_code, "graph_exec_order_rank0/0_0_0/output_code.py", 6},
      {read_inductor_code, "graph_exec_order_rank0/0_1_0/output_code.py", 11},
      {read_inductor_code, "simple/0_0_0/output_code.py", 4},
  };
  for (const Expected& one : files) {
    Tables tables = read_shared(one.reader, base + one.path);
    INFO(one.path);
    CHECK(tables.rows(table::graph_node::kTable) == one.nodes);
    CHECK(tables.losses().empty());
  }
}

TEST_CASE("a real generated code: kernels with what they were fused from") {
  Tables tables = read_shared(read_inductor_code, "inductor-gpu-tlparse/graph_exec_order_rank0/0_1_0/output_code.py");
  CHECK(node_rows(tables, {"op_type", "fused"}) ==
        Lines{"aten.mm|null",
              "triton_per_fused_all_reduce_gelu_native_layer_norm|"
              "aten.gelu;aten.native_layer_norm;_c10d_functional.all_reduce",
              "_c10d_functional.all_reduce_|null", "_c10d_functional.wait_tensor|null", "aten.mm|null",
              "triton_poi_fused_all_gather_into_tensor_relu|aten.relu;_c10d_functional.all_gather_into_tensor",
              "_c10d_functional.all_gather_into_tensor|null", "_c10d_functional.reduce_scatter_tensor|null",
              "_c10d_functional.wait_tensor|null", "_c10d_functional.wait_tensor|null",
              "triton_poi_fused_add_mul_repeat|aten.mul;aten.repeat;aten.add"});
}

TEST_CASE("a real fx graph: sources, shapes, edges by name") {
  Tables tables =
      read_shared(read_fx_graph, "inductor-gpu-tlparse/graph_exec_order_rank0/0_1_0/after_post_grad_graph.py");
  CHECK(node_rows(tables, {"name", "op_type", "source_line", "code", "input_shapes", "output_shapes"})[8] ==
        "var_mean|aten.var_mean|45|h = self.norm(h)|1024,1024|1024,1;1024,1");
  const Lines edges = edge_rows(tables);
  CHECK(edges[0] == "0:0>1:1 data");  // permute -> mm, whose first input is an argument
}

TEST_CASE("real execution traces: what runs, and the tensors between") {
  for (const char* rank : {"0", "1"}) {
    Tables tables =
        read_shared(read_execution_trace, std::string("gpu-dlrm-8rank-v100/et/dlrm_eg_") + rank + ".json.gz");
    CHECK(tables.losses().empty());
    std::map<std::string, int> roles, kinds;
    for (const std::string& role : node_rows(tables, {"role"})) ++roles[role];
    for (const std::string& edge : edge_rows(tables)) ++kinds[edge.substr(edge.rfind(' ') + 1)];
    CHECK(roles == std::map<std::string, int>{{"control", 817}, {"operator", 858}});
    CHECK(kinds == std::map<std::string, int>{{"control", 1674}, {"data", 846}});
    std::set<std::string> ids;
    for (const std::string& id : node_rows(tables, {"external_id"})) ids.insert(id);
    CHECK(ids.size() == 1673);  // 1672 calls, and null of three frames
  }
  Tables compiled = read_shared(read_execution_trace, "inductor-pt2-et/pt2_et.json");
  CHECK(compiled.losses().empty());
  CHECK(node_rows(compiled, {"op_type", "role", "external_id"})[5] == "triton_poi_fused_add_cos_neg_sin|operator|9");
  Lines data;
  for (const std::string& edge : edge_rows(compiled)) {
    if (edge.ends_with("data")) data.push_back(edge);
  }
  CHECK(data == Lines{"4:0>5:0 data", "13:0>14:0 data"});
}

// Kineto of 2023 writes no record function ids. Without the execution trace beside it its calls have no numbers; but
// the names must be the same, and as often.
TEST_CASE("a real execution trace and the Kineto trace of the same step hold the same calls") {
  const std::string base = "gpu-dlrm-8rank-v100/";
  Tables graph = read_shared(read_execution_trace, base + "et/dlrm_eg_0.json.gz");
  Tables trace = read_shared(read_kineto_trace, base + "worker0_step_12.1694128201545.pt.trace.json.gz");
  std::map<std::string, int> called, timed;
  for (const std::string& call : node_rows(graph, {"name", "external_id"})) {
    if (!call.ends_with("|null")) ++called[call.substr(0, call.rfind('|'))];
  }
  for (uint64_t i = 0; i < trace.rows(table::host_op::kTable); ++i) {
    ++timed[trace.row(table::host_op::kTable, i, {"name"})];
    CHECK(trace.row(table::host_op::kTable, i, {"external_id"}) == "null");
  }
  CHECK(timed.count("ProfilerStep#10") == 1);  // began before the execution trace
  timed.erase("ProfilerStep#10");
  CHECK(called == timed);
}

TEST_CASE("what documentation prints of NPU code") {
  const std::string base = "npu-inductor-doc-excerpts/";
  Tables ascendc = read_shared(read_inductor_code, base + "ascendc_call.py");
  CHECK(node_rows(ascendc, {"name", "op_type", "fused"}) ==
        Lines{"autofused_mul_da488cd9dfe43526f023de214ab2ff6a|autofused_mul|aten.mul"});
  Tables catlass = read_shared(read_inductor_code, base + "catlass_output_code.py");
  CHECK(node_rows(catlass, {"name", "fused"}) == Lines{"catlass_fused_silu_0|aten.silu"});
  Tables mlir = read_shared(read_inductor_code, base + "mlir_call.py");
  CHECK(node_rows(mlir, {"op_type"}) == Lines{"mlir_fused_mul"});
  Tables streams = read_shared(read_inductor_code, base + "multistream_call_recsys.py");
  CHECK(node_rows(streams, {"name", "fused"}) == Lines{"xxx1|null", "xxx1|null", "xxx3|aten.addmm;aten.relu"});
  Tables triton = read_shared(read_inductor_code, base + "triton_call.py");
  CHECK(node_rows(triton, {"name", "fused"}) == Lines{"triton_poi_fused_mul_0|aten.mul"});
  CHECK(triton.losses().empty());
}

}  // namespace stepwise::ingest
