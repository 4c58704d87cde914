// Graph files that are cut or changed anywhere: whatever comes out is sound, and what is lost is told.
#include <random>

#include "core/ingest/graph/graph_test_rows.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

struct Sample {
  Reader* reader;
  std::string text;
};

std::vector<Sample> samples() {
  return {
      {read_ge_proto, R"(graph { name: "g" op { name: "a" type: "A" input: "b:0" input: "c:-1" stream_id: 1
 attr { key: "_datadump_original_op_names" value { list { s: "x" } } } attr { key: "g" value { g { op { name: "i" type: "I" } } } }
 input_desc { dtype: DT_FLOAT shape { dim: 1 dim: [2, 3] } } } op { name: "b" type: "Const" } op { name: "c" type: "NoOp" } })"},
      {read_ge_onnx, R"(graph { node { input: "b:0" name: "a" op_type: "ge:A"
 attribute { name: "input_desc_shape:0" ints: 1 ints: 2 } attribute { name: "input_desc_1" s: "{\"shape\":[4]}" }
 attribute { name: "g" g { node { name: "i" op_type: "ge:B" } } } } node { name: "b" op_type: "ge:Data" } name: "t" })"},
      {read_ge_readable, R"(graph("g"):
  %a : [#users=1] = Node[type=Data] (attrs = {index: 0})
  %b : [#users=2] = Node[type=TopK] (inputs = (x=%a), attrs = {k: [1 2]})
  %ret : [#users=1] = get_element[node=%b](1)
  %c : [#users=1] = Node[type=Relu] (inputs = (x=%ret))
  return (%c)
)"},
      {read_fx_graph, R"py(class M(torch.nn.Module):
    def forward(self, a: "f16[8, 4][4, 1]cuda:0"):
         # File: m.py:4 in f, code: h = x
        mm: "f16[8, 8][8, 1]cuda:0" = torch.ops.aten.mm.default(a, a);  a = None
        v = torch.ops.aten.var_mean.correction(mm, [1], k = 'x')
        g: "f16[8][1]cuda:0" = v[1];  v = None
        return (g,)
def load_args(reader):
    reader.tensor(buf0, (8, 4), dtype=torch.int32)  # a
)py"},
      {read_inductor_code, R"py(# Source Nodes: [h], Original ATen: [aten.mul]
k_0 = async_compile.triton('k_0', '''
src
''', device_str='cuda')
class Runner:
    def call(self, args):
        with torch.cuda._DeviceGuard(0):
            k_0.run(a, 8, stream=stream0)
            extern_kernels.mm(a, reinterpret_tensor(b, (1, ), (1, ), 0), out=buf1)
        return (buf1, )
)py"},
  };
}

/// Edges between nodes that are there, in one graph each; a file without nodes has no table and says why. "": so it is.
std::string fault_of(Tables& tables) {
  const Lines graphs = tables.has(table::graph_node::kTable) ? node_rows(tables, {"graph"}) : Lines{};
  for (uint64_t i = 0; i < tables.rows(table::graph_edge::kTable); ++i) {
    const auto id = [&](std::string_view column) {
      return static_cast<size_t>(std::stoull(tables.row(table::graph_edge::kTable, i, {column})));
    };
    const std::string edge = "edge " + std::to_string(i);
    if (id("src_id") >= graphs.size() || id("dst_id") >= graphs.size()) return edge + " leads to no node";
    if (graphs[id("src_id")] != graphs[id("dst_id")]) return edge + " joins two graphs";
  }
  return graphs.empty() && tables.losses().empty() ? "no node, and nobody says why" : "";
}

}  // namespace

TEST_CASE("graphs: cut anywhere, and told") {
  for (const Sample& sample : samples()) {
    const uint64_t whole = read_text(sample.reader, sample.text).rows(table::graph_node::kTable);
    CHECK(read_text(sample.reader, sample.text).losses().empty());
    for (size_t length = 0; length < sample.text.size(); ++length) {
      Tables tables = read_text(sample.reader, sample.text.substr(0, length));
      INFO(sample.text.substr(0, length));
      CHECK(fault_of(tables) == "");
      CHECK(tables.rows(table::graph_node::kTable) <= whole);
      if (tables.rows(table::graph_node::kTable) < whole) CHECK_FALSE(tables.losses().empty());
    }
  }
}

TEST_CASE("graphs: any byte changed") {
  std::mt19937 random(11);
  constexpr std::string_view kBytes = "{}[]()<>:;,\"'\\#=. \n\t_a9-\x00\xff";
  for (const Sample& sample : samples()) {
    for (int round = 0; round < 150; ++round) {
      std::string text = sample.text;
      for (int changes = 1 + static_cast<int>(random() % 3); changes > 0; --changes) {
        text[random() % text.size()] = kBytes[random() % kBytes.size()];
      }
      Tables tables = read_text(sample.reader, text);
      INFO(text);
      CHECK(fault_of(tables) == "");
    }
  }
}

TEST_CASE("graphs: nesting and lines of any length end") {
  for (const Sample& sample : samples()) {
    for (const std::string_view piece : {"(", "[", "{", "a {", "'", "\"", "a.", "a = ", "#", "def forward(", "x: "}) {
      std::string text = sample.text;
      while (text.size() < 300'000) text += piece;
      Tables tables = read_text(sample.reader, text);
      CHECK(fault_of(tables) == "");
    }
  }
}

}  // namespace stepwise::ingest
