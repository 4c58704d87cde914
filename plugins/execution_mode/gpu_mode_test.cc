// Modes and scenarios of GPU traces.
#include "execution_mode.h"
#include "stepwise/testing.hpp"
#include "tests/catch.h"

using namespace stepwise;
using execution_mode::detect_execution_mode;
using execution_mode::detect_scenario;
using sdk::testing::Host;
using sdk::testing::Table;
namespace kernel = stepwise::table::kernel;
namespace kernel_link = stepwise::table::kernel_link;
namespace host_op = stepwise::table::host_op;
namespace runtime_api = stepwise::table::runtime_api;

namespace {

constexpr const char* kGpu = R"({"profile": {"kind": "kineto"}})";

// As category: no operator of the framework, but a launch of a graph.
constexpr const char* kGraph = "graph";

struct Launched {
  const char* kernel;
  const char* by = nullptr;  // category of the operator or range that launched it; null: no launch was recorded
  const char* how = "correlation";
  const char* class_ = "compute";
  int64_t dur_ns = 1000;
};

struct Trace {
  std::initializer_list<Launched> kernels;
  const char* runtime_call = "cudaLaunchKernel";
  const char* range = nullptr;
  int single_launches = 0;
};

Host& fill(Host& host, const Trace& trace) {
  Table kernels(kernel::kTable, "a.pt.trace.json"), links(kernel_link::kTable), ops(host_op::kTable, "a.pt.trace.json");
  int64_t row = 0, op = 0;
  for (const Launched& one : trace.kernels) {
    kernels.row()
        .set(kernel::name, one.kernel)
        .set(kernel::class_, one.class_)
        .set(kernel::dur_ns, one.dur_ns)
        .set(kernel::src_pos, 100 + row);
    if (one.by != nullptr) {
      auto link = links.row();
      link.set(kernel_link::kernel_id, row).set(kernel_link::how, one.how);
      if (one.by == kGraph) link.set(kernel_link::runtime_api_id, 0);
      if (*one.by != '\0') {
        const char* category = one.by == kGraph ? "cpu_op" : one.by;
        ops.row().set(host_op::name, "aten::mm").set(host_op::category, category).set(host_op::src_pos, op);
        link.set(kernel_link::host_op_id, op++);
      }
    }
    ++row;
  }
  if (trace.range != nullptr) ops.row().set(host_op::name, trace.range).set(host_op::category, "cpu_op");
  Table calls(runtime_api::kTable, "a.pt.trace.json");
  calls.row().set(runtime_api::name, trace.runtime_call).set(runtime_api::src_pos, 7);
  for (int i = 0; i < trace.single_launches; ++i) calls.row().set(runtime_api::name, "cudaLaunchKernelExC");
  host.add(0, std::move(kernels));
  host.add(0, std::move(links));
  host.add(0, std::move(ops));
  host.add(0, std::move(calls));
  return host;
}

sdk::Value mode_of(const Trace& trace) {
  Host host;
  return fill(host, trace).run(detect_execution_mode, kGpu);
}

}  // namespace

TEST_CASE("every kernel launched by a framework operator is eager, whatever copies and collectives do") {
  const auto result =
      mode_of({{{"gemm", "cpu_op"}, {"relu", "Operator"}, {"ncclAllReduce", "", "correlation", "communication"}}});
  CHECK(result["value"].text() == "eager");
  CHECK(result["proof"].text() == "launches");
  CHECK(result["applies"].to_json() == R"(["eager"])");
}

TEST_CASE("on NPUs what launched the kernels stands beside the proof, and is none itself") {
  constexpr const char* kNpu = R"({"profile": {"kind": "torch_npu"}})";
  const auto says = [](const sdk::Value& result) {
    std::string all;
    for (size_t i = 0; i < result["evidence"].size(); ++i)
      all += result["evidence"].at(i)["says"].text().value_or("") + "\n";
    return all;
  };
  Host eager;
  const auto proven = fill(eager, {{{"aclnnAdd", "cpu_op"}, {"aclnnMul", ""}}}).run(detect_execution_mode, kNpu);
  CHECK(proven["value"].text() == "eager");
  CHECK(proven["proof"].text() == "aclnn_names");
  CHECK(says(proven).find("for: 1 kernels are launched by framework operators") != std::string::npos);
  CHECK(says(proven).find("against: 1 kernels are launched by no framework operator, the first is `aclnnMul`") !=
        std::string::npos);
  Host unknown;
  const auto open = fill(unknown, {{{"MatMulV2", "cpu_op"}}}).run(detect_execution_mode, kNpu);
  CHECK(open["value"].text() == "undetermined");
  CHECK(says(open).find("for: 1 kernels are launched by framework operators") != std::string::npos);
}

TEST_CASE("a kernel that a bare range or nothing of the framework launched leaves the mode undetermined") {
  for (const char* by : {"user_annotation", ""}) {
    const auto result = mode_of({{{"gemm", "cpu_op"}, {"custom", by}}});
    INFO(by);
    CHECK(result["value"].text() == "undetermined");
    CHECK(result["supply"].size() == 2);
  }
}

TEST_CASE("kernels queued before recording began prove nothing, unless they are most") {
  CHECK(mode_of({{{"old"}, {"gemm", "cpu_op"}, {"relu", "cpu_op"}}})["value"].text() == "eager");
  CHECK(mode_of({{{"old"}, {"older"}, {"relu", "cpu_op"}}})["value"].text() == "undetermined");
  CHECK(mode_of({{{"near", "cpu_op", "time"}}})["value"].text() == "undetermined");
}

TEST_CASE("fused Triton kernels come before graph launches, graph launches before single ones") {
  CHECK(mode_of({{{"triton_poi_fused_add_0", "cpu_op"}}, "cudaGraphLaunch"})["value"].text() == "inductor_triton");
  const auto graph = mode_of({{{"gemm", "cpu_op"}}, "cudaGraphLaunch"});
  CHECK(graph["value"].text() == "cuda_graph");
  CHECK(graph["proof"].text() == "graph_launch");
  CHECK(graph["evidence"].at(0)["row"].integer() == 7);
}

TEST_CASE(
    "a few launches of graphs among many others are told with their share, and what fits the eager part applies") {
  Trace trace{
      {{"in_graph", kGraph, "correlation", "compute", 3000}, {"gemm", "cpu_op", "correlation", "compute", 6000}},
      "cudaGraphLaunch"};
  trace.single_launches = 3;
  const auto mixed = mode_of(trace);
  CHECK(mixed["value"].text() == "cuda_graph");
  CHECK(mixed["launches"].to_json() == R"({"graph":1,"graph_ratio":0.25,"single":3})");
  CHECK(mixed["kernels_by"].at(0)["by"].text() == "graph");
  CHECK(*mixed["kernels_by"].at(0)["ratio"].number() == Approx(1 / 3.0));
  CHECK(mixed["kernels_by"].at(1)["count"].integer() == 1);
  CHECK(mixed["kernels_by"].at(1)["total_us"].number() == 6);
  CHECK(mixed["applies"].to_json() == R"(["eager"])");
  const std::vector<std::string> says = {
      "for: 1 launches of a captured graph (`cudaGraphLaunch`), 25.0 % of all launches",
      "for: 1 of 2 kernels with 33.3 % of the kernels' time run in these graphs",
      "against: 3 launches of one kernel each (the first is `cudaLaunchKernelExC`)",
      "against: 1 of 2 kernels with 66.7 % of the kernels' time are launched one by one by framework operators: an "
      "eager "
      "part beside the graphs"};
  REQUIRE(mixed["evidence"].size() == says.size());
  for (size_t i = 0; i < says.size(); ++i) CHECK(mixed["evidence"].at(i)["says"].text() == says[i]);
}

TEST_CASE("an eager part of at most 5 % of the kernels' time brings no measures of its own") {
  const auto applies = [](int64_t beside_ns) {
    return mode_of({{{"in_graph", kGraph, "correlation", "compute", 95},
                     {"tiny", "cpu_op", "correlation", "compute", beside_ns}},
                    "cudaGraphLaunch"})["applies"]
        .size();
  };
  CHECK(applies(5) == 0);
  CHECK(applies(6) == 1);
}

TEST_CASE("kernels that no launch of a graph is linked to leave open how much ran in graphs") {
  const auto open = mode_of({{{"old"}}, "cudaGraphLaunch"});
  CHECK(open["value"].text() == "cuda_graph");
  CHECK(open["applies"].size() == 0);
  CHECK(open["evidence"].at(open["evidence"].size() - 1)["says"].text() ==
        "against: no kernel can be linked to a launch of a graph: how much ran in graphs is not known");
}

TEST_CASE("compiled regions without fused kernels are no eager mode") {
  const auto result = mode_of({{{"gemm", "cpu_op"}}, "cudaLaunchKernel", "Torch-Compiled Region: 0/0"});
  CHECK(result["value"].text() == "undetermined");
}

TEST_CASE("training by the operators of the host, where kernels do not say it") {
  Host training;
  CHECK(fill(training, {{{"gemm", "cpu_op"}}, "cudaLaunchKernel", "MmBackward0"})
            .run(detect_scenario, kGpu)["value"]
            .text() == "training");
  Host inference;
  const auto result =
      fill(inference, {{{"gemm", "cpu_op"}}, "cudaLaunchKernel", "torch.no_grad"}).run(detect_scenario, kGpu);
  CHECK(result["value"].text() == "inference");
  CHECK(result["status"].text() == "ok");
}
