// PyTorch's execution traces, by hand.
#include <random>

#include "core/ingest/graph/graph_test_rows.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

// A step calls aten::linear, which calls aten::t and aten::addmm; relu_ reads and writes what came of it.
constexpr const char* kOld = R"et({
  "schema": "1.0.1", "pid": 7, "nodes": [
    {"name": "[pytorch|profiler|execution_graph|thread]", "id": 2, "rf_id": 0, "parent": 1, "scope": 7, "op_schema": "",
      "inputs": [], "input_shapes": [], "input_types": [], "outputs": [], "output_shapes": [], "output_types": []},
    {"name": "aten::t", "id": 8, "rf_id": 3, "parent": 5, "op_schema": "aten::t(Tensor(a) self) -> Tensor(a)",
      "inputs": [[6,20,0,8,4,"cuda:0"]], "input_shapes": [[2,4]], "input_types": ["Tensor(float)"],
      "outputs": [[9,20,0,8,4,"cuda:0"]], "output_shapes": [[4,2]], "output_types": ["Tensor(float)"]},
    {"name": "aten::addmm", "id": 11, "rf_id": 4, "parent": 5, "op_schema": "aten::addmm.out(Tensor self) -> Tensor",
      "inputs": ["<None>",[[7,21,0,12,4,"cuda:0"],[9,20,0,8,4,"cuda:0"]],1], "input_shapes": [[],[[3,4],[4,2]],[]],
      "input_types": ["None","GenericList[Tensor(c10::Half),Tensor(float)]","Int"],
      "outputs": [[10,22,0,6,4,"cuda:0"]], "output_shapes": [[3,2]], "output_types": ["Tensor(float)"]},
    {"name": "aten::linear", "id": 5, "rf_id": 2, "parent": 3, "op_schema": "",
      "inputs": [[7,21,0,12,4,"cuda:0"],[6,20,0,8,4,"cuda:0"]], "input_shapes": [[3,4],[2,4]],
      "input_types": ["Tensor(float)","Tensor(float)"],
      "outputs": [[10,22,0,6,4,"cuda:0"]], "output_shapes": [[3,2]], "output_types": ["Tensor(float)"]},
    {"name": "aten::relu_", "id": 12, "rf_id": 5, "parent": 3, "op_schema": "aten::relu_(Tensor(a!) self)",
      "inputs": [[10,22,0,6,4,"cuda:0"],[13,0,0,0,0,""]], "input_shapes": [[3,2],[]],
      "input_types": ["Tensor(float)","Tensor(nullptr (uninitialized))"],
      "outputs": [[10,22,0,6,4,"cuda:0"]], "output_shapes": [[3,2]], "output_types": ["Tensor(float)"]},
    {"name": "aten::sum", "id": 14, "rf_id": 6, "parent": 3, "op_schema": "",
      "inputs": [[10,22,0,6,4,"cuda:0"]], "input_shapes": [[3,2]], "input_types": ["Tensor(float)"],
      "outputs": [], "output_shapes": [], "output_types": []},
    {"name": "ProfilerStep#1", "id": 3, "rf_id": 1, "parent": 2, "inputs": [], "input_shapes": [], "input_types": [],
      "outputs": [], "output_shapes": [], "output_types": []},
    {"name": "[pytorch|profiler|execution_graph|process]", "id": 1, "rf_id": 0, "parent": 1}
  ], "finish_ts": 9
}
)et";

constexpr const char* kChakra = R"et({"schema": "1.1.1-chakra.0.0.4", "nodes": [
  {"id": 4, "name": "triton_poi_fused_add_0", "ctrl_deps": 3,
   "inputs": {"values": [[15, 4, 0, 16, 4, "cuda:0"], 16], "shapes": [[4, 4], []], "types": ["Tensor(float)", "Int"],
              "strides": [[4, 1], []]},
   "outputs": {"values": [], "shapes": [], "types": [], "strides": []},
   "attrs": [{"name": "rf_id", "type": "uint64", "value": 9}, {"name": "op_schema", "type": "string", "value": ""},
             {"name": "kernel_backend", "type": "string", "value": "triton"}]},
  {"id": 3, "name": "CompiledFunction", "ctrl_deps": [3],
   "inputs": {"values": [[14, 1, 0, 16, 4, "cuda:0"]], "shapes": [[4, 4]], "types": ["Tensor(float)"]},
   "outputs": {"values": [], "shapes": [], "types": []}, "attrs": [{"name": "rf_id", "value": 7}]}]})et";

std::string node_with(const std::string& fields) {
  return R"et({"schema": "1.0.1", "nodes": [{"id": 1, "name": "aten::add"}, {)et" + fields + "}]}";
}

}  // namespace

TEST_CASE("execution trace: calls, what runs, tensors from call to call") {
  Tables tables = read_text(read_execution_trace, kOld);
  CHECK(tables.losses().empty());
  CHECK(node_rows(tables, {"name", "op_type", "raw_op_type", "role", "external_id", "line"}) ==
        Lines{"[pytorch|profiler|execution_graph|thread]|[pytorch|profiler|execution_graph|thread]|"
              "[pytorch|profiler|execution_graph|thread]|control|null|3",
              "aten::t|aten.t|aten::t|operator|3|5", "aten::addmm|aten.addmm|aten::addmm.out|operator|4|8",
              "aten::linear|aten.linear|aten::linear|control|2|12", "aten::relu_|aten.relu_|aten::relu_|operator|5|16",
              "aten::sum|aten.sum|aten::sum|operator|6|20", "ProfilerStep#1|ProfilerStep#1|ProfilerStep#1|control|1|23",
              "[pytorch|profiler|execution_graph|process]|[pytorch|profiler|execution_graph|process]|"
              "[pytorch|profiler|execution_graph|process]|control|null|25"});
  CHECK(tables.row(table::graph_node::kTable, 2,
                   {"graph", "format", "input_shapes", "input_dtypes", "output_shapes", "output_dtypes"}) ==
        "file|execution_trace|3,4;4,2|c10::Half;float|3,2|float");
  // addmm reads what t gave; relu_ what addmm gave (and linear, around it); sum what relu_ wrote.
  CHECK(edge_rows(tables) == Lines{"7:null>0:null control", "3:null>1:null control", "3:null>2:null control",
                                   "1:0>2:1 data", "6:null>3:null control", "6:null>4:null control", "2:0>4:0 data",
                                   "6:null>5:null control", "4:0>5:0 data", "0:null>6:null control"});
}

TEST_CASE("execution trace: fields in attributes and objects, a kernel of Triton") {
  Tables tables = read_text(read_execution_trace, kChakra);
  CHECK(tables.losses().empty());
  CHECK(node_rows(tables, {"name", "op_type", "role", "external_id", "input_shapes", "line"}) ==
        Lines{"triton_poi_fused_add_0|triton_poi_fused_add|operator|9|4,4|2",
              "CompiledFunction|CompiledFunction|control|7|4,4|8"});
  CHECK(edge_rows(tables) == Lines{"1:null>0:null control"});
}

TEST_CASE("execution trace: the same whatever the windows are, and behind a byte order mark") {
  const TemporaryFolder folder;
  for (const std::string& text : {std::string(kOld), std::string("\xEF\xBB\xBF") + kOld}) {
    const auto file = folder.write("file", text);
    Tables whole = read_text(read_execution_trace, kOld);
    for (const size_t window : {1, 64, 700}) {
      CancelFlag cancel;
      ProgressGauge progress;
      Diagnostics diagnostics;
      IngestContext context{cancel, progress, diagnostics, {}};
      context.options.window_bytes = window;
      Tables tables;
      REQUIRE(read_execution_trace(file, "file", context, tables.builder()).ok());
      diagnostics.write_to(tables.builder());
      CHECK(tables.dump() == whole.dump());
    }
  }
}

TEST_CASE("execution trace: fields of other types are absent, and counted") {
  for (
      const char* fields : {
          R"et("id": 2, "name": "f", "rf_id": "x")et",
          R"et("id": 2, "name": "f", "rf_id": 18446744073709551615)et",
          R"et("id": 2, "name": "f", "rf_id": 1.5)et",
          R"et("id": 2, "name": "f", "tid": "x")et",
          R"et("id": 2, "name": "f", "parent": "a")et",
          R"et("id": 2, "name": "f", "ctrl_deps": [{}])et",
          R"et("id": 2, "name": "f", "op_schema": 5)et",
          R"et("id": 2, "name": "f", "attrs": [{"name": "kernel_backend", "value": []}])et",
          R"et("id": 2, "name": "f", "inputs": 5)et",
          R"et("id": 2, "name": "f", "inputs": [1])et",
          R"et("id": 2, "name": "f", "inputs": [1], "input_shapes": [], "input_types": ["Int"])et",
          R"et("id": 2, "name": "f", "inputs": [1], "input_shapes": [[]], "input_types": [7])et",
          R"et("id": 2, "name": "f", "inputs": [1], "input_shapes": [[]], "input_types": ["Tensor(float)"])et",
          R"et("id": 2, "name": "f", "inputs": [["a"]], "input_shapes": [[]], "input_types": ["Tensor(float)"])et",
          R"et("id": 2, "name": "f", "inputs": [[1]], "input_shapes": [[-1, "b"]], "input_types": ["Tensor(float)"])et",
          R"et("id": 2, "name": "f", "inputs": [[1]], "input_shapes": [7], "input_types": ["Tensor(float)"])et",
          R"et("id": 2, "name": "f", "inputs": [7], "input_shapes": [[]], "input_types": ["GenericList[Tensor(f)]"])et",
          R"et("id": 2, "name": "f", "outputs": {"values": [1], "shapes": [[]]})et",
      }) {
    INFO(fields);
    Tables tables = read_text(read_execution_trace, node_with(fields));
    CHECK(node_rows(tables, {"name"}) == Lines{"aten::add", "f"});
    CHECK(tables.losses() == Lines{"graph.field_type 1 @1"});
  }
}

TEST_CASE("execution trace: what is no node is left out, and counted") {
  for (const char* fields : {"", R"et("id": 2)et", R"et("name": "f")et", R"et("id": 2, "name": "")et",
                             R"et("id": 2, "name": 5)et", R"et("id": 2, "name": "f", "rf_id": NaN)et",
                             R"et("id": 1e30, "name": "f")et", R"et("id": 2, "name": "\ud800x\q")et"}) {
    INFO(fields);
    Tables tables = read_text(read_execution_trace, node_with(fields));
    CHECK(node_rows(tables, {"name"}) == Lines{"aten::add"});
    CHECK(tables.losses().front() == "graph.node_unread 1 @1");
  }
  Tables odd = read_text(read_execution_trace, "{\"nodes\": [\n5,\n {\"id\": 1, \"name\": \"a\"},\r\n []]}");
  CHECK(node_rows(odd, {"name", "line"}) == Lines{"a|3"});
  CHECK(odd.losses() == Lines{"graph.node_unread 2 @2"});
  CHECK(read_text(read_execution_trace, R"et({"nodes": 5})et").losses() ==
        Lines{"file.wrong_format 1 @1", "json.shape 1 @1", "graph.none 1"});
  CHECK(read_text(read_execution_trace, R"et({"schema": "1"})et").losses() ==
        Lines{"file.wrong_format 1 @1", "graph.none 1"});
  CHECK(read_text(read_execution_trace, "").losses() == Lines{"file.empty 1"});
  CHECK(read_text(read_execution_trace, R"et({"nodes": []})et").losses() == Lines{"graph.none 1"});
  Tables bytes = read_text(read_execution_trace, "{\"nodes\": [{\"id\": 1, \"name\": \"a\xff\"}]}");
  CHECK(node_rows(bytes, {"name"}) == Lines{"a\xEF\xBF\xBD"});
  CHECK(bytes.losses() == Lines{"text.not_utf8 1 @1"});
}

TEST_CASE("execution trace: names, parents, tensors and nodes that are too many or too long are told") {
  const auto named = [](size_t bytes) { return R"et("id": 2, "name": ")et" + std::string(bytes, 'n') + '"'; };
  CHECK(read_text(read_execution_trace, node_with(named(65536))).losses().empty());
  CHECK(read_text(read_execution_trace, node_with(named(65537))).losses() == Lines{"graph.node_incomplete 1 @1"});
  Tables huge = read_text(read_execution_trace, node_with(named(17 << 20)));
  CHECK(node_rows(huge, {"name"}) == Lines{"aten::add"});
  CHECK(huge.losses() == Lines{"graph.node_unread 1 @1"});

  const auto listed = [](const std::string& one, int times) {
    std::string list;
    for (int i = 0; i < times; ++i) list += (i == 0 ? "" : ",") + one;
    return "[" + list + "]";
  };
  CHECK(read_text(read_execution_trace, node_with(R"et("id": 2, "name": "f", "parent": )et" + listed("1", 64)))
            .losses()
            .empty());
  CHECK(read_text(read_execution_trace, node_with(R"et("id": 2, "name": "f", "parent": )et" + listed("1", 66)))
            .losses() == Lines{"graph.field_type 1 @1"});
  for (const int count : {4096, 4097}) {
    Tables tables = read_text(
        read_execution_trace,
        node_with(R"et("id": 2, "name": "f", "inputs": )et" + listed("[1]", count) + R"et(, "input_shapes": )et" +
                  listed("[]", count) + R"et(, "input_types": )et" + listed(R"et("Tensor(float)")et", count)));
    CHECK(tables.losses() == (count == 4096 ? Lines{} : Lines{"graph.field_type 1 @1"}));
  }
}

TEST_CASE("execution trace: of a key that stands twice the first counts; line ends are any") {
  Tables twice = read_text(read_execution_trace, node_with(R"et("id": 2, "id": 3, "name": "f", "name": "g")et"));
  CHECK(node_rows(twice, {"name"}) == Lines{"aten::add", "f"});
  Tables ends = read_text(read_execution_trace,
                          "{\r\n\"nodes\": [\r\n{\"id\": 1,\r\n\"name\": \"a\"},\r\n{\"id\": 2, \"name\": \"b\"}]}");
  CHECK(node_rows(ends, {"name", "line"}) == Lines{"a|3", "b|5"});
  CHECK(ends.losses().empty());
}

TEST_CASE("execution trace: ids that stand twice or nowhere, and calls within themselves") {
  Tables tables = read_text(read_execution_trace, R"et({"nodes": [
    {"id": 1, "name": "a", "parent": 2}, {"id": 1, "name": "b", "parent": 9}, {"id": 2, "name": "c", "parent": 1}]})et");
  CHECK(node_rows(tables, {"name"}) == Lines{"a", "b", "c"});
  CHECK(edge_rows(tables) == Lines{"2:null>0:null control", "0:null>2:null control"});
  CHECK(tables.losses() == Lines{"graph.input_unknown 1 @2", "graph.duplicate_node 1 @2"});
}

TEST_CASE("execution trace: cut anywhere, and told") {
  const std::string text = kOld;
  const size_t end = text.find_last_of('}');
  for (size_t length = 0; length <= end; ++length) {
    Tables tables = read_text(read_execution_trace, text.substr(0, length));
    INFO(text.substr(0, length));
    CHECK_FALSE(tables.losses().empty());
    for (uint64_t i = 0; i < tables.rows(table::graph_edge::kTable); ++i) {
      CHECK(std::stoull(tables.row(table::graph_edge::kTable, i, {"src_id"})) < tables.rows(table::graph_node::kTable));
    }
  }
}

TEST_CASE("execution trace: deep lists, and bytes changed anywhere") {
  std::string deep = R"et("id": 2, "name": "f", "inputs": [)et" + std::string(900, '[') + std::string(900, ']') +
                     R"et(], "input_shapes": [)et" + std::string(900, '[') + std::string(900, ']') +
                     R"et(], "input_types": [")et";
  for (int i = 0; i < 900; ++i) deep += "GenericList[";
  deep += "Tensor(float)" + std::string(900, ']') + "\"]";
  CHECK(read_text(read_execution_trace, node_with(deep)).losses() == Lines{"graph.field_type 1 @1"});

  std::mt19937 random(5);
  constexpr std::string_view kBytes = "{}[]:,\"\\ \n\ta9-\x01\xff";
  for (int round = 0; round < 300; ++round) {
    std::string text = round % 2 == 0 ? kOld : kChakra;
    for (int changes = 1 + static_cast<int>(random() % 3); changes > 0; --changes) {
      text[random() % text.size()] = kBytes[random() % kBytes.size()];
    }
    INFO(text);
    Tables tables = read_text(read_execution_trace, text);
    CHECK((tables.rows(table::graph_node::kTable) > 0 || !tables.losses().empty()));
  }
}

}  // namespace stepwise::ingest
