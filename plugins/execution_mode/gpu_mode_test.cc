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

struct Launched {
  const char* kernel;
  const char* by = nullptr;  // category of the operator or range that launched it; null: no launch was recorded
  const char* how = "correlation";
  const char* class_ = "compute";
};

struct Trace {
  std::initializer_list<Launched> kernels;
  const char* runtime_call = "cudaLaunchKernel";
  const char* range = nullptr;
};

Host& fill(Host& host, const Trace& trace) {
  Table kernels(kernel::kTable, "a.pt.trace.json"), links(kernel_link::kTable), ops(host_op::kTable, "a.pt.trace.json");
  int64_t row = 0, op = 0;
  for (const Launched& one : trace.kernels) {
    kernels.row()
        .set(kernel::name, one.kernel)
        .set(kernel::class_, one.class_)
        .set(kernel::dur_ns, 1000)
        .set(kernel::src_pos, 100 + row);
    if (one.by != nullptr) {
      auto link = links.row();
      link.set(kernel_link::kernel_id, row).set(kernel_link::how, one.how);
      if (*one.by != '\0') {
        ops.row().set(host_op::name, "aten::mm").set(host_op::category, one.by).set(host_op::src_pos, op);
        link.set(kernel_link::host_op_id, op++);
      }
    }
    ++row;
  }
  if (trace.range != nullptr) ops.row().set(host_op::name, trace.range).set(host_op::category, "cpu_op");
  Table calls(runtime_api::kTable, "a.pt.trace.json");
  calls.row().set(runtime_api::name, trace.runtime_call).set(runtime_api::src_pos, 7);
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
