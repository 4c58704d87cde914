#include "execution_mode.h"
#include "stepwise/testing.hpp"
#include "tests/catch.h"

using namespace stepwise;
using execution_mode::detect_execution_mode;
using sdk::testing::Host;
using sdk::testing::Table;
namespace kernel = stepwise::table::kernel;
namespace op_stat = stepwise::table::op_stat;
namespace api_stat = stepwise::table::api_stat;

namespace {

constexpr int64_t kSingleOperator = 4294967295;

struct KernelRow {
  const char* name;
  std::optional<int64_t> model_id = kSingleOperator;
  int64_t dur_ns = 1000;
  const char* class_ = "compute";
};

Table kernels(std::initializer_list<KernelRow> rows) {
  Table table(kernel::kTable, "kernel_details.csv");
  int64_t pos = 0;
  for (const KernelRow& row : rows) {
    auto r = table.row();
    r.set(kernel::name, row.name)
        .set(kernel::class_, row.class_)
        .set(kernel::dur_ns, row.dur_ns)
        .set(kernel::src_pos, ++pos);
    if (row.model_id) r.set(kernel::model_id, *row.model_id);
  }
  return table;
}

Table host_calls(const char* level = "acl", const char* name = "aclrtMemcpy", int64_t count = 1) {
  Table table(api_stat::kTable, "api_statistic.csv");
  table.row()
      .set(api_stat::level, level)
      .set(api_stat::name, name)
      .set(api_stat::count, count)
      .set(api_stat::src_pos, 1);
  return table;
}

sdk::Value detect(Table device, std::optional<Table> calls, const char* args = "{}") {
  Host host;
  host.add(0, std::move(device));
  if (calls) host.add(0, std::move(*calls));
  return host.run(detect_execution_mode, args);
}

}  // namespace

TEST_CASE("single operators throughout prove eager by Model ID, aclnn names or not") {
  const auto result = detect(kernels({{"trans_TransData_0"},
                                      {"aclnnMm_MatMul_MatMulV2"},
                                      {"hcom_allReduce__1", kSingleOperator, 9, "communication"}}),
                             host_calls());
  CHECK(result["value"].text() == "eager");
  CHECK(result["proof"].text() == "model_id");
  CHECK(result["status"].text() == "ok");
  CHECK(result["toolchain"].is_null());
  CHECK(result["applies"].to_json() == R"(["eager"])");
  CHECK(result["fused"].to_json() == "[]");
  CHECK(result["evidence"].at(0)["says"].text() ==
        "for: all 3 device rows have Model ID 4294967295: single operators, no graph");
  CHECK(result["evidence"].at(1)["says"].text() ==
        "against: 1 of 2 compute rows are not named aclnn..., the first is `trans_TransData_0`");
}

TEST_CASE("aclnn names throughout prove eager; communication rows are no compute rows") {
  const auto result = detect(
      kernels({{"aclnnAdd_Add", std::nullopt}, {"hcom_allReduce__1", std::nullopt, 9, "communication"}}), host_calls());
  CHECK(result["value"].text() == "eager");
  CHECK(result["proof"].text() == "aclnn_names");
}

TEST_CASE("a reduced profile without Model ID and with other names stays undetermined and says what to supply") {
  const auto result =
      detect(kernels({{"trans_TransData_0", std::nullopt}, {"aclnnAdd_Add", std::nullopt}}), std::nullopt);
  CHECK(result["value"].text() == "undetermined");
  CHECK(result["proof"].text() == "none");
  CHECK(result["status"].text() == "partial");
  CHECK(result["supply"].size() == 2);
  CHECK(result["applies"].size() == 0);
  CHECK(result["missing"].at(0)["input"].text() == "api_statistic.csv");
}

TEST_CASE("the Model ID of a graph disproves eager, also under aclnn names") {
  const auto result = detect(kernels({{"aclnnAdd_Add", 46}, {"aclnnMul_Mul"}}), host_calls());
  CHECK(result["value"].text() == "undetermined");
  CHECK(result["evidence"].at(0)["says"].text() == "against: 1 device rows have the Model ID of a graph");
}

TEST_CASE("fused prefixes come first, and most device time decides between them") {
  const auto mode = [](const char* name) {
    return detect(kernels({{name}, {"aclnnAdd_Add"}}), host_calls())["value"].text();
  };
  CHECK(mode("autofuse_add_mul_0") == "inductor_ascendc");
  CHECK(mode("autofused_add_1") == "inductor_ascendc");
  CHECK(mode("triton_poi_fused_add_0") == "inductor_triton");
  CHECK(mode("triton_unk_fused_mul_3") == "inductor_triton");
  CHECK(mode("dvm_add") == "inductor_dvm");
  CHECK(mode("mlir_fused_add") == "inductor_mlir");
  CHECK(mode("triton_custom_kernel") == "eager");  // hand-written, not Inductor's
  CHECK(mode("my_autofuse_add") == "eager");

  const auto mixed =
      detect(kernels({{"dvm_add", 7, 100}, {"triton_per_fused_sum", 7, 301}, {"dvm_mul", 7, 200}}), host_calls());
  CHECK(mixed["value"].text() == "inductor_triton");
  CHECK(mixed["fused"].at(0)["by"].text() == "triton");
  CHECK(mixed["fused"].at(1)["total_us"].number() == 0.3);
}

TEST_CASE("autofuse with ModelExecute is GE's, and undecided while host calls are unknown") {
  CHECK(detect(kernels({{"autofuse_add", 5}}), host_calls("model", "ModelExecute", 3))["value"].text() ==
        "ge_autofuse");
  const auto unknown = detect(kernels({{"autofuse_add"}}), std::nullopt);
  CHECK(unknown["value"].text() == "undetermined");
  CHECK(unknown["status"].text() == "partial");
}

TEST_CASE("ModelExecute proves ge, some aclnn operators beside it change nothing") {
  const auto result = detect(kernels({{"MatMul1", 5}, {"aclnnAdd_Add"}}), host_calls("model", "ModelExecute", 30),
                             R"({"profile": {"framework": "pytorch"}})");
  CHECK(result["value"].text() == "ge");
  CHECK(result["proof"].text() == "model_execute");
  CHECK(result["toolchain"].text() == "torchair");
  CHECK(result["evidence"].at(0)["says"].text() == "for: 30 calls of ModelExecute");
  CHECK(result["applies"].to_json() == R"x(["graph:GE","graph:TorchAir(max-autotune)"])x");
  const auto open_toolchain = detect(kernels({{"MatMul1", 5}}), host_calls("model", "ModelExecute", 1));
  CHECK(open_toolchain["toolchain"].is_null());
  CHECK(open_toolchain["supply"].size() == 1);
  CHECK(open_toolchain["applies"].size() == 3);
}

TEST_CASE("replays of a captured graph prove npu_graph, also where the runtime executes models below them") {
  Table calls(api_stat::kTable, "api_statistic.csv");
  calls.row().set(api_stat::level, "acl").set(api_stat::name, "aclmdlRIExecuteAsync").set(api_stat::count, 8);
  calls.row().set(api_stat::level, "runtime").set(api_stat::name, "ModelExecute").set(api_stat::count, 8);
  const auto result = detect(kernels({{"aclnnAdd_Add", 46}}), std::move(calls));
  CHECK(result["value"].text() == "npu_graph");
  CHECK(result["proof"].text() == "graph_replay");
  CHECK(result["applies"].size() == 2);
}

TEST_CASE("a declared mode is accepted unless the profile disproves it") {
  const char* declared =
      R"({"profile": {"framework": "pytorch", "declare": {"execution_mode": "ge", "toolchain": "atc"}}})";
  const auto accepted = detect(kernels({{"MatMul1", std::nullopt}}), std::nullopt, declared);
  CHECK(accepted["value"].text() == "ge");
  CHECK(accepted["proof"].text() == "declared");
  CHECK(accepted["toolchain"].text() == "atc");
  CHECK(accepted["applies"].to_json() == R"x(["ATC(offline)"])x");
  CHECK(accepted["warnings"].is_absent());

  const auto disproved = detect(kernels({{"aclnnAdd_Add"}}), host_calls(), declared);
  CHECK(disproved["value"].text() == "eager");
  CHECK(disproved["warnings"].at(0)["code"].text() == "declare.execution_mode");

  const auto unknown = detect(kernels({{"MatMul1", std::nullopt}}), std::nullopt,
                              R"({"profile": {"declare": {"execution_mode": "warp"}}})");
  CHECK(unknown["value"].text() == "undetermined");
  CHECK(unknown["warnings"].size() == 1);
}

TEST_CASE("operator types alone can show fusion, never eager") {
  Table types(op_stat::kTable, "op_statistic.csv");
  types.row().set(op_stat::op_type, "dvm_add").set(op_stat::total_ns, 5);
  CHECK(detect(std::move(types), std::nullopt)["value"].text() == "inductor_dvm");
  Table plain(op_stat::kTable, "op_statistic.csv");
  plain.row().set(op_stat::op_type, "MatMulV2").set(op_stat::total_ns, 5);
  CHECK(detect(std::move(plain), host_calls())["value"].text() == "undetermined");
}

TEST_CASE("copies are no compute rows, so that they do not stand against what the others are named") {
  const auto result =
      detect(kernels({{"aclnnAdd_Add_Add", std::nullopt}, {"memcpy", std::nullopt, 10, "copy"}}), host_calls());
  CHECK(result["value"].text() == "eager");
  CHECK(result["proof"].text() == "aclnn_names");
}

TEST_CASE("limit: how many lines of evidence are listed") {
  const auto lines = [](const char* args) {
    return detect(kernels({{"trans_TransData_0"}, {"aclnnMm_MatMul_MatMulV2"}}), host_calls(), args)["evidence"].size();
  };
  CHECK(lines("{}") == 3);
  CHECK(lines(R"({"limit": 1})") == 1);
}
