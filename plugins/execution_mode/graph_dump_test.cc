// A graph that was dumped beside the run.
#include "execution_mode.h"
#include "stepwise/testing.hpp"
#include "tests/catch.h"

using namespace stepwise;
using execution_mode::detect_execution_mode;
using sdk::testing::Host;
using sdk::testing::Table;
namespace kernel = stepwise::table::kernel;

namespace {

Table kernels(const char* name) {
  Table table(kernel::kTable, "kernel_details.csv");
  table.row().set(kernel::name, name).set(kernel::class_, "compute").set(kernel::dur_ns, 10).set(kernel::src_pos, 1);
  return table;
}

Table dumps(const char* graph, const char* format) {
  namespace node = stepwise::table::graph_node;
  Table table(node::kTable, graph);
  for (int64_t line : {7, 9}) {
    table.row().set(node::graph, graph).set(node::format, format).set(node::line, line).set(node::role, "operator");
  }
  return table;
}

sdk::Value detect_with_dump(std::optional<Table> device, const char* format, const char* args = "{}") {
  Host host;
  if (device) host.add(0, std::move(*device));
  host.add(0, dumps("dump/ge_proto_1.txt:graph_1", format));
  return host.run(detect_execution_mode, args);
}

}  // namespace

TEST_CASE("a dumped graph proves a graph mode, but not which: before eager, after all that ran") {
  const auto undetermined = detect_with_dump(kernels("MatMul"), "ge_proto");
  CHECK(undetermined["value"].text() == "graph_dump");
  CHECK(undetermined["proof"].text() == "graph_dump");
  CHECK(undetermined["applies"].size() == 0);
  CHECK(undetermined["supply"].size() > 0);
  const auto evidence = undetermined["evidence"].at(0);
  CHECK(evidence["file"].text() == "dump/ge_proto_1.txt");
  CHECK(evidence["row"].integer() == 7);
  CHECK(evidence["says"].text() == "for: 1 dumped graph: `dump/ge_proto_1.txt:graph_1`");

  const auto single = detect_with_dump(kernels("aclnnMm"), "fx");
  CHECK(single["value"].text() == "graph_dump");
  CHECK(single["evidence"].at(1)["says"].text() == "against: all 1 compute rows are named aclnn...");
  CHECK(detect_with_dump(std::nullopt, "inductor")["value"].text() == "graph_dump");
  CHECK(detect_with_dump(kernels("triton_poi_fused_add"), "inductor")["value"].text() == "inductor_triton");
  CHECK(detect_with_dump(kernels("autofuse_add"), "ge_proto")["value"].text() == "graph_dump");
}

TEST_CASE("an execution trace is no dump of a graph that ran") {
  CHECK(detect_with_dump(kernels("aclnnMm"), "execution_trace")["value"].text() == "eager");
}

TEST_CASE(
    "what the caller declares names the dumped graph's mode; eager holds against a dump where the rows prove it") {
  const auto declared = [](const char* mode, const char* kernel) {
    const std::string args = std::string(R"({"profile": {"declare": {"execution_mode": ")") + mode + R"("}}})";
    return detect_with_dump(kernels(kernel), "ge_proto", args.c_str());
  };
  const auto named = declared("ge", "MatMul");
  CHECK(named["value"].text() == "ge");
  CHECK(named["proof"].text() == "declared");
  CHECK(named["warnings"].size() == 0);
  CHECK(declared("eager", "aclnnMm")["value"].text() == "eager");
  const auto disproved = declared("eager", "MatMul");
  CHECK(disproved["value"].text() == "graph_dump");
  CHECK(disproved["warnings"].size() == 1);
}
