#include "problem_operators_test.h"
#include "overview.h"
#include "problem_kinds.h"
#include "short_text.h"
#include "stepwise/testing.hpp"
#include "sync_names.h"
#include "tests/catch.h"

using namespace stepwise;
using overview::problem_operators;
using sdk::testing::Host;
using sdk::testing::Table;
namespace kernel = stepwise::table::kernel;
namespace meta = stepwise::table::meta;

TEST_CASE("operators on the AI CPU are listed always, and found above 5 % of the operators' time") {
  Kernels kernels;
  kernels.add("Where1", "Where", "AI_CPU", 40).set(kernel::input_shapes, "8").set(kernel::output_shapes, "4");
  kernels.add("Where1", "Where", "AI_CPU", 20).set(kernel::input_shapes, "8").set(kernel::output_shapes, "4");
  kernels.add("Where1", "Where", "AI_CPU", 40).set(kernel::input_shapes, "9").set(kernel::output_shapes, "4");
  kernels.add("Mul1", "Mul", "AI_VECTOR_CORE", 1'900);
  const auto r = run(std::move(kernels));
  CHECK(r["operators"]["total_us"].number() == 2);
  CHECK(r["total_rows"].integer() == 2);
  const auto first = r["rows"].at(0);
  CHECK(first["problem"].text() == "ai_cpu");
  CHECK(first["op_type"].text() == "Where");
  CHECK(first["task_type"].text() == "AI_CPU");
  CHECK(first["input_shapes"].text() == "8");
  CHECK(first["output_shapes"].text() == "4");
  CHECK(first["count"].integer() == 2);
  CHECK(first["total_us"].number() == 0.06);
  CHECK(first["value"].number() == 0.03);  // of the operators' time
  CHECK(first["threshold"].is_null());     // one of all together
  CHECK(first["row"].integer() == 1);
  const auto all = problem(r, "ai_cpu");
  CHECK(all["count"].integer() == 3);
  CHECK(all["total_us"].number() == 0.1);
  CHECK(all["ratio"].number() == 0.05);
  CHECK(all["threshold"].number() == 0.05);
  CHECK(all["found"].boolean() == false);  // not above
  CHECK(r["metrics"]["problem.ai_cpu_ratio"].number() == 0.05);

  Kernels more;
  more.add("Where1", "Where", "AI_CPU", 101);
  more.add("Mul1", "Mul", "AI_VECTOR_CORE", 1'899);
  CHECK(problem(run(std::move(more)), "ai_cpu")["found"].boolean() == true);
}

TEST_CASE("what the AI CPU launches for communication is shown, and is no operators' time") {
  Kernels kernels;
  kernels.add("Mul1", "Mul", "AI_VECTOR_CORE", 100);
  kernels.add("HcclLaunchAicpuKernel_1", "HcclLaunchAicpuKernel", "HCCL", 900);
  const auto r = run(std::move(kernels));
  CHECK(r["rows"].at(0)["problem"].text() == "ai_cpu");
  CHECK(r["rows"].at(0)["total_us"].number() == 0.9);
  CHECK(problem(r, "ai_cpu")["ratio"].number() == 0);
  CHECK(problem(r, "ai_cpu")["found"].boolean() == false);
}

TEST_CASE("scalar, cube utilization and mac are judged on each execution and averaged over those that cross") {
  Kernels kernels;
  kernels.add("a", "A", "AI_VECTOR_CORE", 100).set(kernel::aiv_scalar_ratio, 0.30);
  kernels.add("a", "A", "AI_VECTOR_CORE", 300).set(kernel::aiv_scalar_ratio, 0.50);
  kernels.add("a", "A", "AI_VECTOR_CORE", 1'000).set(kernel::aiv_scalar_ratio, 0.29);
  kernels.add("m", "MatMulV2", "AI_CORE", 50)
      .set(kernel::aic_mac_ratio, 0.29)
      .set(kernel::cube_utilization_ratio, 0.20);
  kernels.add("n", "MatMulV2", "MIX_AIC", 60)
      .set(kernel::aic_mac_ratio, 0.30)
      .set(kernel::cube_utilization_ratio, 0.19);
  // Vector rows print 0, and say nothing of cubes.
  kernels.add("v", "Add", "AI_VECTOR_CORE", 70)
      .set(kernel::aic_mac_ratio, 0.0)
      .set(kernel::cube_utilization_ratio, 0.0);
  const auto r = run(std::move(kernels));
  CHECK(r["total_rows"].integer() == 3);
  const auto scalar = r["rows"].at(0);
  CHECK(scalar["problem"].text() == "scalar");
  CHECK(scalar["count"].integer() == 2);
  CHECK(scalar["value"].number() == (0.30 * 100 + 0.50 * 300) / 400);
  CHECK(scalar["threshold"].number() == 0.3);
  CHECK(r["rows"].at(1)["problem"].text() == "cube_utilization");
  CHECK(r["rows"].at(1)["name"].text() == "n");
  CHECK(r["rows"].at(1)["value"].number() == 0.19);
  CHECK(r["rows"].at(2)["problem"].text() == "mac");
  CHECK(r["rows"].at(2)["name"].text() == "m");
  CHECK(problem(r, "scalar")["ratio"].number() == 400.0 / 1'580);
}

TEST_CASE("what crosses a threshold in less than 1 % of the operators' time is no finding, and shown where asked for") {
  const auto kernels = [](int64_t scalar_ns) {
    Kernels k;
    k.add("s", "Sort", "AI_VECTOR_CORE", scalar_ns).set(kernel::aiv_scalar_ratio, 0.40);
    k.add("m", "Mul", "AI_VECTOR_CORE", 10'000 - scalar_ns).set(kernel::aiv_scalar_ratio, 0.10);
    return k;
  };
  const auto little = run(kernels(99));
  CHECK(problem(little, "scalar")["found"].boolean() == false);
  CHECK(problem(little, "scalar")["ratio"].number() == 0.0099);
  CHECK(problem(little, "scalar")["threshold"].number() == 0.01);
  CHECK(little["total_rows"].integer() == 0);
  CHECK(run(kernels(99), R"({"kind": "scalar"})")["total_rows"].integer() == 1);
  const auto enough = run(kernels(100));
  CHECK(problem(enough, "scalar")["found"].boolean() == true);
  CHECK(enough["rows"].at(0)["unit"].text() == "of the core's time");
}

TEST_CASE("kinds that are found come first, the one with most time before the others") {
  Kernels kernels;
  kernels.add("cpu", "Where", "AI_CPU", 40);  // 4 %: no finding
  kernels.add("s", "Sort", "AI_VECTOR_CORE", 300).set(kernel::aiv_scalar_ratio, 0.40);
  kernels.add("t", "TransData", "AI_VECTOR_CORE", 660).set(kernel::aiv_scalar_ratio, 0.10);
  const auto problems = run(std::move(kernels))["problems"];
  REQUIRE(problems.size() == 4);
  CHECK(problems.at(0)["problem"].text() == "format_change");
  CHECK(problems.at(1)["problem"].text() == "scalar");
  CHECK(problems.at(2)["problem"].text() == "embedding_ops");  // the same time, named later
  CHECK(problems.at(3)["problem"].text() == "ai_cpu");
  CHECK(problems.at(3)["found"].boolean() == false);
}

TEST_CASE("that no operator has a problem is said of what was looked for alone") {
  const auto why = [](Kernels kernels, const char* args) {
    return *run(std::move(kernels), args)["next"].at(0)["why"].text();
  };
  const auto plain = [] {
    Kernels k;
    k.add("m", "Mul", "AI_VECTOR_CORE", 100);
    return k;
  };
  CHECK(why(plain(), R"({"kind": "custom_op_sync"})") ==
        "this profile cannot tell of the problem `custom_op_sync`: which operators cost most");
  CHECK(why(plain(), R"({"kind": "format_change"})") ==
        "no operator has the problem `format_change`: which operators cost most");
  CHECK(why(plain(), "{}") ==
        "no operator has a problem of those that could be looked for (8 could not): which cost most");
}

TEST_CASE("operators on few cores are judged together: many short ones are found, too") {
  const auto found = [](int executions) {
    Kernels k;
    k.add("wide", "Mul", "AI_VECTOR_CORE", 10'000 - executions * 20).set(kernel::block_dim, 40);
    for (int i = 0; i < executions; ++i) {
      k.add(("few" + std::to_string(i)).c_str(), "Add", "AI_VECTOR_CORE", 20).set(kernel::block_dim, 10);
    }
    return run(std::move(k));
  };
  const auto many = found(6);  // 0.2 % each, 1.2 % together
  CHECK(problem(many, "low_block_dim")["found"].boolean() == true);
  CHECK(problem(many, "low_block_dim")["ratio"].number() == 0.012);
  CHECK(problem(many, "low_block_dim")["of"].text() == "computing");
  CHECK(problem(many, "low_block_dim")["threshold"].number() == 0.01);
  CHECK(many["total_rows"].integer() == 6);
  const auto few = found(5);  // 1 % exactly
  CHECK(problem(few, "low_block_dim")["found"].boolean() == false);
  CHECK(few["total_rows"].integer() == 0);
}

TEST_CASE("more vector cores than twice the cube cores that were seen count: those are a lower bound themselves") {
  Kernels kernels;
  kernels.add("mm", "MatMulV2", "AI_CORE", 100).set(kernel::block_dim, 20);
  kernels.add("v", "Mul", "AI_VECTOR_CORE", 100).set(kernel::block_dim, 48);
  kernels.add("w", "Mul", "MIX_AIV", 100).set(kernel::block_dim, 40);
  kernels.add("x", "Mul", "MIX_AIV", 100).set(kernel::block_dim, 65);
  const auto cores = run(std::move(kernels))["cores"];
  CHECK(cores["vector"]["cores"].integer() == 48);
  CHECK(cores["vector"]["from"].text() == "largest Block Dim seen, up to 64");
  CHECK(cores["cube"]["cores"].integer() == 20);
}

TEST_CASE("few cores: at most a quarter of them, above 1 % of computing; the chip's number or the largest seen") {
  const auto kernels = [] {
    Kernels k;
    k.add("wide", "Mul", "AI_VECTOR_CORE", 9'000).set(kernel::block_dim, 256);  // more than any chip has
    k.add("most", "Mul", "MIX_AIV", 500).set(kernel::block_dim, 40);
    k.add("few", "Add", "AI_VECTOR_CORE", 200).set(kernel::block_dim, 10);
    k.add("short", "Sub", "AI_VECTOR_CORE", 98).set(kernel::block_dim, 1);
    k.add("mm", "MatMulV2", "AI_CORE", 202).set(kernel::block_dim, 20);
    return k;
  };
  const auto r = run(kernels());
  CHECK(r["operators"]["computing_us"].number() == 10);
  CHECK(r["cores"]["cube"]["cores"].integer() == 20);
  CHECK(r["cores"]["vector"]["cores"].integer() == 40);
  CHECK(r["total_rows"].integer() == 2);  // 298 of 10,000 together, though one of them alone is below 1 %
  CHECK(r["rows"].at(1)["name"].text() == "short");
  CHECK(r["rows"].at(0)["name"].text() == "few");
  CHECK(r["rows"].at(0)["value"].number() == 10);
  CHECK(r["rows"].at(0)["threshold"].number() == 10);
  CHECK(r["cores"]["cube"]["from"].text() == "largest Block Dim seen, up to 64");
  CHECK(r["warnings"].size() == 0);
  const auto asked = run(kernels(), R"({"kind": "low_block_dim"})");
  CHECK(asked["warnings"].at(0)["code"].text() == "problems.cores_unknown");

  Host host;
  host.add(0, std::move(kernels().table));
  Table chip(meta::kTable, "");
  chip.row().set(meta::key, "DeviceInfo.0.ai_core_num").set(meta::value, "24").set(meta::file, "info.json.0");
  chip.row().set(meta::key, "DeviceInfo.0.aiv_num").set(meta::value, "36").set(meta::file, "info.json.0");
  host.add(0, std::move(chip));
  const auto known = host.run(problem_operators, R"({"kind": "low_block_dim"})");
  CHECK(known["cores"]["vector"]["cores"].integer() == 36);
  CHECK(known["cores"]["vector"]["from"].text() == "chip");
  CHECK(problem(known, "low_block_dim")["found"].boolean() == false);  // `short` alone, 0.98 %  // 10 of 36
  CHECK(known["warnings"].size() == 0);
}

TEST_CASE("format changes and operators of embeddings: of the operators' time, listed where they are found") {
  Kernels kernels;
  kernels.add("trans_TransData_0", "TransData", "AI_VECTOR_CORE", 30);
  kernels.add("cast", "Cast", "AI_VECTOR_CORE", 21);
  kernels.add("g", "EmbeddingDenseGradV2", "AI_VECTOR_CORE", 20);
  kernels.add("s", "Sort", "AI_VECTOR_CORE", 20);
  kernels.add("u", "UniqueV2", "AI_VECTOR_CORE", 10);
  kernels.add("rest", "Mul", "AI_VECTOR_CORE", 899);
  const auto r = run(kernels);
  CHECK(problem(r, "format_change")["ratio"].number() == 0.051);
  CHECK(problem(r, "format_change")["found"].boolean() == true);
  CHECK(problem(r, "embedding_ops")["ratio"].number() == 0.05);
  CHECK(problem(r, "embedding_ops")["found"].boolean() == false);
  CHECK(r["total_rows"].integer() == 2);
  const auto asked = run(kernels, R"({"kind": "embedding_ops"})");
  CHECK(asked["total_rows"].integer() == 3);
  CHECK(asked["problems"].size() == 1);
}

TEST_CASE("kernels compiled for dynamic shapes are a finding only where shapes differ between steps") {
  Kernels same, vary;
  for (const int64_t number : {1, 2}) {
    same.add("a", "Mul", "AI_VECTOR_CORE", 10)
        .set(kernel::step, number)
        .set(kernel::op_state, "dynamic")
        .set(kernel::input_shapes, "8");
    vary.add("a", "Mul", "AI_VECTOR_CORE", 10)
        .set(kernel::step, number)
        .set(kernel::op_state, "dynamic")
        .set(kernel::input_shapes, number == 1 ? "8" : "9");
  }
  const auto r = run(same);
  CHECK(problem(r, "dynamic")["count"].integer() == 2);
  CHECK(problem(r, "dynamic")["found"].boolean() == false);
  CHECK(r["total_rows"].integer() == 0);
  CHECK(run(same, R"({"kind": "dynamic"})")["total_rows"].integer() == 1);
  vary.add("b", "Add", "AI_VECTOR_CORE", 10)
      .set(kernel::step, 2)
      .set(kernel::op_state, "dynamic")
      .set(kernel::input_shapes, "8");
  const auto other = run(vary);
  CHECK(run(vary, R"({"kind": "dynamic"})")["total_rows"].integer() == 3);
  CHECK(problem(other, "dynamic")["found"].boolean() == true);
  CHECK(other["total_rows"].integer() == 2);  // `a` in its two shapes
  Kernels once;
  once.add("a", "Mul", "AI_VECTOR_CORE", 10).set(kernel::op_state, "dynamic");
  CHECK(problem(run(once), "dynamic")["found"].is_null());  // one step: nothing to compare with
}

TEST_CASE("HF32 is off: products of single precision that could use it, above 5 % of computing") {
  Kernels kernels;
  kernels.add("m", "MatMulV2", "AI_CORE", 60).set(kernel::hf32, "NO").set(kernel::input_dtypes, "FLOAT;FLOAT");
  kernels.add("b", "BatchMatMulV2", "AI_CORE", 500)
      .set(kernel::hf32, "NO")
      .set(kernel::input_dtypes, "DT_BF16;DT_BF16");
  kernels.add("y", "MatMulV3", "AI_CORE", 400).set(kernel::hf32, "YES").set(kernel::input_dtypes, "FLOAT;FLOAT");
  kernels.add("c", "Conv2D", "AI_CORE", 40).set(kernel::hf32, "NO").set(kernel::input_dtypes, "FLOAT;FLOAT");
  const auto r = run(std::move(kernels));
  CHECK(problem(r, "hf32_off")["ratio"].number() == 0.06);
  CHECK(problem(r, "hf32_off")["found"].boolean() == true);
  CHECK(r["total_rows"].integer() == 1);
  CHECK(r["rows"].at(0)["name"].text() == "m");
}

TEST_CASE("what the input cannot tell is said, and is neither found nor none") {
  Kernels kernels;
  Table::Row row = kernels.table.row();
  row.set(kernel::name, "aclnnCast_CastAiCore_Cast").set(kernel::class_, "compute").set(kernel::dur_ns, 10);
  Host host;
  host.add(0, std::move(kernels.table));
  const auto r = host.run(problem_operators);
  std::string unknown;
  for (size_t i = 0; i < r["unknown"].size(); ++i) unknown += std::string(*r["unknown"].at(i)["problem"].text()) + " ";
  CHECK(unknown == "ai_cpu scalar cube_utilization mac low_block_dim host_wait dynamic custom_op_sync hf32_off ");
  CHECK(r["none"].to_json() == R"(["embedding_ops"])");
  CHECK(r["metrics"]["problem.ai_cpu_ratio"].is_null());
  // Types are read out of the name where there is none.
  CHECK(problem(r, "format_change")["ratio"].number() == 1);
  CHECK(r["rows"].at(0)["op_type"].is_null());
  CHECK(r["next"].at(0)["tool"].text() == "top_operators");
}

TEST_CASE("a call that is cancelled emits nothing") {
  Kernels kernels;
  for (int i = 0; i < 9'000; ++i) kernels.add("a", "Mul", "AI_CPU", 10);
  for (const uint64_t looks : {0, 1, 4}) {
    Host host;
    host.add(0, kernels.table);
    host.cancel_after(looks);
    CHECK(host.run(problem_operators).is_absent());
  }
}

TEST_CASE("types, custom operators, synchronisations by name; long cells by tensors") {
  using namespace overview;
  CHECK(type_of(std::nullopt, "trans_TransData_12") == "TransData");
  CHECK(type_of(std::nullopt, "Conv2D1") == "Conv2D1");
  CHECK(type_of(std::nullopt, "") == "");
  CHECK(type_of("Mul", "x_Add") == "Mul");
  CHECK_FALSE(changes_format("TransDataRNN"));
  CHECK(multiplies_matrices("GroupedMatmul"));
  CHECK(is_custom_operator("hash_table::lookup"));
  CHECK(is_custom_operator("my_lib::op.out"));
  for (const char* name : {"aten::item", "fbgemm::new_managed_tensor", "c10d::allreduce_", "npu::npu_fusion",
                           "autograd::engine::evaluate_function: X", "void at::native::kernel", "std::vector", "::x",
                           "a::", "ProfilerStep#3"}) {
    INFO(name);
    CHECK_FALSE(is_custom_operator(name));
  }
  CHECK(synchronizes("aclrtSynchronizeStreamWithTimeout"));
  CHECK(synchronizes("cudaDeviceSynchronize"));
  CHECK_FALSE(synchronizes("StreamSyncTaskFinish"));
  CHECK_FALSE(synchronizes("aclrtStreamWaitEvent"));
  CHECK(short_cell("8,16") == "8,16");
  CHECK_FALSE(short_cell(std::nullopt).has_value());
  std::string many = "64,3,11,11";
  for (int i = 1; i < 57; ++i) many += ";64,3";
  CHECK(short_cell(many) == "64,3,11,11;64,3;64,3;64,3;64,3;64,3;64,3;64,3;... (57 tensors)");
  CHECK(short_cell(std::string(100, '1')) == "... (1 tensors)");
  CHECK(short_name("Mul") == "Mul");
  CHECK(short_name(std::string(95, 'a') + "\u00e9z") ==
        std::string(48, 'a') + "\u2026" + std::string(45, 'a') + "\u00e9z");
}
