#include "execution_mode.h"
#include "stepwise/testing.hpp"
#include "tests/catch.h"

using namespace stepwise;
using execution_mode::detect_scenario;
namespace kernel = stepwise::table::kernel;
namespace op_stat = stepwise::table::op_stat;
namespace op_detail = stepwise::table::op_detail;

namespace {

void add_kernel(sdk::testing::Table& table, const char* name, const char* op_type, const char* class_, int64_t row) {
  auto r = table.row();
  r.set(kernel::name, name).set(kernel::class_, class_).set(kernel::src_pos, row);
  if (op_type != nullptr) r.set(kernel::op_type, op_type);
}

}  // namespace

TEST_CASE("a gradient operator type proves training, and the evidence points at its row") {
  sdk::testing::Table kernels(kernel::kTable, "kernel_details.csv");
  add_kernel(kernels, "MatMul1", "MatMulV2", "compute", 1);
  add_kernel(kernels, "Relu1", "ReluGrad", "compute", 2);
  add_kernel(kernels, "Relu2", "ReluGrad", "compute", 3);
  sdk::testing::Host host;
  host.add(0, std::move(kernels));
  const auto result = host.run(detect_scenario);
  CHECK(result["status"].text() == "ok");
  CHECK(result["value"].text() == "training");
  CHECK(result["proof"].text() == "gradient_op_types");
  CHECK(result["evidence"].at(0)["row"].integer() == 2);
  CHECK(result["evidence"].at(0)["says"].text() ==
        "for: 2 of 3 device rows have a gradient operator type, the first is `ReluGrad`");
  CHECK(result["evidence"].at(1)["says"].text() == "against: 0 of 3 device rows have a gradient kernel's name");
  CHECK(result["applies"].to_json() == R"(["training"])");
}

TEST_CASE("without types the kernels' names decide, without device rows the framework's calls") {
  sdk::testing::Table kernels(kernel::kTable, "kernel_details.csv");
  add_kernel(kernels, "aclnnThresholdBackward_ReluGrad_ReluGrad", nullptr, "compute", 1);
  sdk::testing::Host by_name;
  by_name.add(0, std::move(kernels));
  CHECK(by_name.run(detect_scenario)["proof"].text() == "gradient_kernels");

  sdk::testing::Table calls(op_detail::kTable, "operator_details.csv");
  calls.row().set(op_detail::name, "aten::mm").set(op_detail::src_pos, 1);
  calls.row().set(op_detail::name, "NllLossBackward0").set(op_detail::src_pos, 2);
  sdk::testing::Host by_call;
  by_call.add(0, std::move(calls));
  const auto result = by_call.run(detect_scenario);
  CHECK(result["value"].text() == "training");
  CHECK(result["proof"].text() == "backward_operators");
}

TEST_CASE("communication rows, frames and gradient switches do not make training") {
  sdk::testing::Table kernels(kernel::kTable, "kernel_details.csv");
  add_kernel(kernels, "hcom_grad_allReduce__1", "hcom_grad", "communication", 1);
  add_kernel(kernels, "MatMul1", "MatMulV2", "compute", 2);
  sdk::testing::Table calls(op_detail::kTable, "operator_details.csv");
  calls.row().set(op_detail::name, "requires_grad").set(op_detail::stack, "torch/autograd/backward.py(3): backward");
  calls.row().set(op_detail::name, "torch/autograd/profiler.py(631): __enter__");
  sdk::testing::Host host;
  host.add(0, std::move(kernels));
  host.add(0, std::move(calls));
  const auto result = host.run(detect_scenario);
  CHECK(result["value"].text() == "inference");
  CHECK(result["proof"].text() == "no_gradient_found");
  CHECK(result["status"].text() == "ok");
  CHECK(result["excludes"].to_json() == R"(["training"])");
  CHECK(result["evidence"].size() == 3);
}

TEST_CASE("inference on device rows alone is partial: the framework's calls were not looked at") {
  sdk::testing::Table kernels(kernel::kTable, "kernel_details.csv");
  add_kernel(kernels, "MatMul1", "MatMulV2", "compute", 1);
  sdk::testing::Host host;
  host.add(0, std::move(kernels));
  const auto result = host.run(detect_scenario);
  CHECK(result["value"].text() == "inference");
  CHECK(result["status"].text() == "partial");
  CHECK(result["missing"].at(0)["input"].text() == "operator_details.csv");
}

TEST_CASE("nothing to look at is undetermined, and no trace table is asked for") {
  sdk::testing::Host host;
  host.add(0, sdk::testing::Table(op_stat::kTable, "op_statistic.csv"));
  const auto result = host.run(detect_scenario);
  CHECK(result["value"].text() == "undetermined");
  CHECK(result["supply"].size() == 1);
  CHECK(host.tables_asked() == std::vector<std::string>{"kernel", "op_stat", "op_detail"});
}

TEST_CASE("a timeline alone tells of the framework's calls") {
  namespace host_op = stepwise::table::host_op;
  sdk::testing::Table calls(host_op::kTable, "trace_view.json");
  calls.row().set(host_op::name, "aten::relu").set(host_op::src_pos, 10);
  calls.row().set(host_op::name, "ReluBackward0").set(host_op::src_pos, 20);
  sdk::testing::Host host;
  host.add(0, std::move(calls));
  const auto result = host.run(detect_scenario, R"({"profile": {"kind": "torch_npu"}})");
  CHECK(result["value"].text() == "training");
  CHECK(result["proof"].text() == "backward_operators");
  CHECK(result["evidence"].at(0)["row"].integer() == 20);
}

TEST_CASE("limit: how many lines of evidence of a scenario are listed") {
  const auto lines = [](const char* args) {
    sdk::testing::Table kernels(kernel::kTable, "kernel_details.csv");
    add_kernel(kernels, "Relu1", "ReluGrad", "compute", 1);
    sdk::testing::Host host;
    host.add(0, std::move(kernels));
    return host.run(detect_scenario, args)["evidence"].size();
  };
  CHECK(lines("{}") == 2);
  CHECK(lines(R"({"limit": 1})") == 1);
}
