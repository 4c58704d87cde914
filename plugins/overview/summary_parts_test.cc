// The parts of a summary beside the step's breakdown: instances, fusion, cores, the gap.
#include "fused_names.h"
#include "overview.h"
#include "stepwise/testing.hpp"
#include "tests/catch.h"

using namespace stepwise;
using overview::summarize_profile;
using sdk::testing::Host;
using sdk::testing::Table;
namespace api_stat = stepwise::table::api_stat;
namespace kernel = stepwise::table::kernel;
namespace meta = stepwise::table::meta;
namespace step = stepwise::table::step;

namespace {

struct SummaryHost : Host {
  explicit SummaryHost(const std::string& scenario) {
    answer("detect_scenario", R"({"value": ")" + scenario + R"(", "proof": "x", "toolchain": null})");
    answer("detect_execution_mode", R"({"value": "ge", "proof": "model_execute", "toolchain": null, "fused": []})");
  }
};

Table::Row add_kernel(Table& table, int64_t number, int64_t start_ns, int64_t dur_ns, const char* name = "Mul1") {
  Table::Row row = table.row();
  row.set(kernel::name, name).set(kernel::class_, "compute").set(kernel::step, number);
  row.set(kernel::start_ns, start_ns).set(kernel::dur_ns, dur_ns);
  return row;
}

// 1,150 us an iteration: 1,000 of ModelExecute, 100 and 50 of copies.
Table executions(bool with_copies) {
  Table table(api_stat::kTable, "api_statistic_1.csv");
  const auto add = [&table](const char* name, int64_t total_ns) {
    table.row()
        .set(api_stat::level, "model")
        .set(api_stat::name, name)
        .set(api_stat::count, 4)
        .set(api_stat::total_ns, total_ns);
  };
  add("ModelExecute", 4'000'000);
  if (with_copies) add("InputCopy", 400'000);
  if (with_copies) add("OutputCopy", 200'000);
  return table;
}

sdk::Value instances(const std::string& scenario, const std::string& budget, bool with_copies = true) {
  SummaryHost host(scenario);
  host.add(0, executions(with_copies));
  return host.run(summarize_profile, R"({"profile": {"kind": "msprof", "declare": {)" + budget + "}}}");
}

}  // namespace

TEST_CASE("instances fit while they take turns within the latency that is allowed") {
  const auto r = instances("inference", R"("latency_budget_us": 5000)");
  CHECK(r["instances_fit"]["max"].integer() == 4);  // 4.35
  CHECK(r["instances_fit"]["how"].text() ==
        "budget 5000 us / 1150 us of H2D, ModelExecute and D2H, if instances take turns; device memory is not "
        "considered");
  CHECK(r["metrics"]["instances.fit"].integer() == 4);
  CHECK(instances("inference", R"("latency_budget_us": 1150)")["instances_fit"]["max"].integer() == 1);
  CHECK(instances("inference", R"("latency_budget_us": 1149)")["instances_fit"]["max"].integer() == 0);
  CHECK(instances("inference", R"("latency_budget_us": 5000)", false)["instances_fit"]["max"].integer() == 5);
  CHECK(instances("training", R"("latency_budget_us": 5000)")["instances_fit"].is_null());
  CHECK(instances("inference", R"("batch_size": 8)")["instances_fit"].is_null());
}

TEST_CASE("the gap between a step and its operators: hidden by nothing, between kernels, outside them, in parallel") {
  SummaryHost host("training");
  // Step 1: kernels [100, 200) and [150, 250) side by side, then [300, 400); the step ends 150 later.
  Table kernels(kernel::kTable, "kernel_details.csv");
  add_kernel(kernels, 1, 100, 100);
  add_kernel(kernels, 1, 150, 100);
  add_kernel(kernels, 1, 300, 100);
  host.add(0, std::move(kernels));
  Table steps(step::kTable, "step_trace_time.csv");
  steps.row().set(step::step, 1).set(step::computing_ns, 250).set(step::free_ns, 200).set(step::stage_ns, 451);
  host.add(0, std::move(steps));
  Table calls(api_stat::kTable, "api_statistic.csv");
  for (const char* level : {"acl", "runtime"}) {
    calls.row()
        .set(api_stat::level, level)
        .set(api_stat::name, "aclrtSynchronizeStream")
        .set(api_stat::count, 3)
        .set(api_stat::total_ns, 120);
  }
  host.add(0, std::move(calls));
  const auto gap = host.run(summarize_profile)["gap"];
  CHECK(gap["step_us"].number() == 0.451);
  CHECK(gap["op_time_us"].number() == 0.3);
  CHECK(gap["gap_us"].number() == 0.151);
  CHECK(gap["communication_us"].number() == 0);
  CHECK(gap["between_kernels_us"].number() == 0.05);
  CHECK(gap["outside_kernels_us"].number() == 0.15);
  CHECK(gap["parallel_us"].number() == -0.05);
  CHECK(gap["rounding_us"].number() == 0.001);
  CHECK(gap["synchronisation_us"].number() == 0.12);  // of one level
}

TEST_CASE("cores: what kernels use at most, and whether the chip has more") {
  const auto cores = [](bool knows_chip) {
    SummaryHost host("inference");
    Table kernels(kernel::kTable, "op_summary_1.csv");
    add_kernel(kernels, 1, 0, 10).set(kernel::core_type, "AI_CORE").set(kernel::block_dim, 8);
    add_kernel(kernels, 1, 10, 10).set(kernel::core_type, "AI_VECTOR_CORE").set(kernel::block_dim, 48);
    add_kernel(kernels, 1, 20, 10).set(kernel::core_type, "AI_CPU").set(kernel::block_dim, 1);
    host.add(0, std::move(kernels));
    if (knows_chip) {
      Table chip(meta::kTable, "");
      chip.row().set(meta::key, "DeviceInfo.0.ai_core_num").set(meta::value, "24");
      chip.row().set(meta::key, "DeviceInfo.0.aiv_num").set(meta::value, "48");
      host.add(0, std::move(chip));
    }
    return host.run(summarize_profile)["cores"];
  };
  CHECK(cores(true).size() == 2);
  CHECK(cores(true).at(0)["core_type"].text() == "AI_CORE");
  CHECK(cores(true).at(0)["max_block_dim"].integer() == 8);
  CHECK(cores(true).at(0)["chip_cores"].integer() == 24);
  CHECK(cores(true).at(0)["limited"].boolean() == true);
  CHECK(cores(true).at(1)["limited"].boolean() == false);
  CHECK(cores(false).at(0)["chip_cores"].is_null());
  CHECK(cores(false).at(0)["limited"].is_null());
  CHECK(cores(false).at(0)["says"].text() == "the chip's number of cores is not known");
  CHECK(cores(true).at(0)["says"].is_absent());
}

TEST_CASE("fusion is read out of the names that compilers gave") {
  SummaryHost host("inference");
  Table kernels(kernel::kTable, "op_summary_1.csv");
  add_kernel(kernels, 1, 0, 10, "autofuse_pointwise_0_Cast_Mul");
  add_kernel(kernels, 1, 10, 20, "autofuse_pointwise_0_Cast_Mul");
  add_kernel(kernels, 1, 30, 30, "node_7").set(kernel::op_type, "autofuse_x_mm_add_12");
  add_kernel(kernels, 1, 60, 40, "MatMul1");
  host.add(0, std::move(kernels));
  const auto r = host.run(summarize_profile);
  const auto fusion = r["fusion"];
  CHECK(r["evidence"].at(2)["says"].text() == "fusion: `autofuse_pointwise_0_Cast_Mul` is the first fused operator");
  CHECK(fusion["operators"].integer() == 2);
  CHECK(fusion["executions"].integer() == 3);
  CHECK(fusion["total_us"].number() == 0.06);
  CHECK(fusion["cube_with_vector"].boolean() == true);
  CHECK(fusion["catlass"].boolean() == false);
  CHECK(fusion["types"].to_json() == R"(["add","cast","mm","mul","pointwise","x"])");
}

TEST_CASE("names of fused operators") {
  using overview::fused_types;
  using Types = std::vector<std::string>;
  CHECK(fused_types("triton_poi_fused_add_relu_3") == Types{"add", "relu"});
  CHECK(fused_types("triton_unk_fused_7") == Types{});
  CHECK(fused_types("dvm_mul_9f2") == Types{"mul"});
  CHECK(fused_types("autofused_Abs_") == Types{"abs"});
  CHECK(fused_types("autofuse_") == Types{});
  for (const char* name : {"MatMul1", "triton_add", "autofuse", "x_autofuse_a", ""}) CHECK_FALSE(fused_types(name));
}
