#include "overview.h"
#include "stepwise/testing.hpp"
#include "tests/catch.h"

using namespace stepwise;
using overview::top_operators;
using sdk::testing::Host;
using sdk::testing::Table;
namespace kernel = stepwise::table::kernel;
namespace op_stat = stepwise::table::op_stat;

namespace {

struct Row {
  int64_t step;
  const char *name, *op_type, *core, *class_;
  int64_t dur_ns;
  const char* shapes = "8";
};

Table kernels(std::initializer_list<Row> rows) {
  Table table(kernel::kTable, "kernel_details.csv");
  int64_t pos = 0;
  for (const Row& one : rows) {
    auto row = table.row();
    row.set(kernel::step, one.step).set(kernel::name, one.name).set(kernel::class_, one.class_);
    row.set(kernel::core_type, one.core).set(kernel::dur_ns, one.dur_ns).set(kernel::input_shapes, one.shapes);
    row.set(kernel::input_dtypes, "FLOAT").set(kernel::src_pos, ++pos);
    if (one.op_type != nullptr) row.set(kernel::op_type, one.op_type);
  }
  return table;
}

Table sample() {
  return kernels({{1, "MatMul1", "MatMulV2", "AI_CORE", "compute", 3'001, "8,16"},
                  {1, "Add1", "Add", "AI_VECTOR_CORE", "compute", 500},
                  {1, "Add2", "Add", "AI_VECTOR_CORE", "compute", 700},
                  {1, "hcom_allReduce__1", "hcom_allReduce_", "HCCL", "communication", 90'000},
                  {2, "MatMul1", "MatMulV2", "AI_CORE", "compute", 4'000, "8,32"},
                  {2, "Add1", "Add", "AI_CPU", "compute", 1'200}});
}

}  // namespace

TEST_CASE("the kinds of cores: their operators, time and share, whatever the rows are summed by") {
  for (const char* by : {"type", "name", "shape"}) {
    INFO(by);
    Host host;
    host.add(0, sample());
    const auto cores = host.run(top_operators, std::string(R"({"by": ")") + by + R"("})")["by_core"];
    REQUIRE(cores.size() == 3);
    CHECK(cores.at(0)["core_type"].text() == "AI_CORE");
    CHECK(cores.at(0)["count"].integer() == 2);
    CHECK(cores.at(0)["total_us"].number() == 7.001);
    CHECK(cores.at(0)["ratio"].number() == 7'001.0 / 9'401);
    CHECK(cores.at(1)["core_type"].text() == "AI_CPU");  // 1.2 us each: in the order of the texts
    CHECK(cores.at(2)["count"].integer() == 2);
  }
  Host host;
  Table bare(kernel::kTable, "rank0.pt.trace.json");
  bare.row().set(kernel::name, "gemm").set(kernel::class_, "compute").set(kernel::dur_ns, 10);
  host.add(0, std::move(bare));
  CHECK(host.run(top_operators)["by_core"].is_null());
}

TEST_CASE("by type: groups of type and core, ranked, exact totals, communication left out and told") {
  Host host;
  host.add(0, sample());
  const auto r = host.run(top_operators);
  CHECK(r["operators"]["count"].integer() == 5);
  CHECK(r["operators"]["total_us"].number() == 9.401);
  CHECK(r["communication_left_out"]["count"].integer() == 1);
  CHECK(r["communication_left_out"]["total_us"].number() == 90);
  CHECK(r["total_rows"].integer() == 3);
  const auto first = r["rows"].at(0);
  CHECK(first["op_type"].text() == "MatMulV2");
  CHECK(first["core_type"].text() == "AI_CORE");
  CHECK(first["count"].integer() == 2);
  CHECK(first["total_us"].number() == 7.001);
  CHECK(first["avg_us"].number() == 3.5005);
  CHECK(first["max_us"].number() == 4);
  CHECK(first["ratio"].number() == 7001.0 / 9401);
  CHECK(first["mte_ratio"].is_null());
  // 1,200 each: AI_CPU before AI_VECTOR_CORE
  CHECK(r["rows"].at(1)["core_type"].text() == "AI_CPU");
  CHECK(r["rows"].at(2)["core_type"].text() == "AI_VECTOR_CORE");
  CHECK(r["evidence"].at(1)["row"].integer() == 5);  // the longest MatMulV2
  CHECK(r["metrics"]["op.top_ratio"].number() == 7001.0 / 9401);
}

TEST_CASE("by name and by shape") {
  Host host;
  host.add(0, sample());
  const auto names = host.run(top_operators, R"({"by": "name"})");
  CHECK(names["rows"].at(0)["name"].text() == "MatMul1");
  CHECK(names["rows"].at(0)["count"].integer() == 2);
  CHECK(names["total_rows"].integer() == 4);  // Add1 ran on two cores
  const auto shapes = host.run(top_operators, R"({"by": "shape"})");
  CHECK(shapes["rows"].at(0)["input_shapes"].text() == "8,32");
  CHECK(shapes["rows"].at(0)["dtypes"].text() == "FLOAT");
  CHECK(shapes["rows"].at(1)["input_shapes"].text() == "8,16");
  CHECK(shapes["total_rows"].integer() == 4);
}

TEST_CASE("core and step select, and ratios are of the selection") {
  Host host;
  host.add(0, sample());
  const auto core = host.run(top_operators, R"({"core": "ai_vector_core"})");
  CHECK(core["operators"]["total_us"].number() == 1.2);
  CHECK(core["rows"].at(0)["ratio"].number() == 1);
  for (const char* args : {R"({"core": "HCCL"})", R"({"core": "communication"})"}) {
    const auto communication = host.run(top_operators, args);
    CHECK(communication["rows"].at(0)["op_type"].text() == "hcom_allReduce_");
    CHECK(communication["operators"]["total_us"].number() == 90);
    CHECK(communication["communication_left_out"]["count"].integer() == 0);
  }
  const auto none = host.run(top_operators, R"({"core": "MIX_AIC"})");
  CHECK(none["rows"].size() == 0);
  CHECK(none["warnings"].at(0)["text"].text() ==
        "No operator ran on core `MIX_AIC`; the file has: AI_CORE, AI_CPU, AI_VECTOR_CORE, HCCL.");

  const auto step = host.run(top_operators, R"({"step": 2})");
  CHECK(step["operators"]["total_us"].number() == 5.2);
  CHECK(step["window"].text() == "step 2");
  CHECK(host.run(top_operators, R"({"step": 9})").is_absent());
  CHECK(host.failure()->code == "step.unknown");
  CHECK(host.failure()->hint == "It has 2: 1, 2.");
}

TEST_CASE("core shares are weighted by duration over the rows that have counters") {
  Table table(kernel::kTable, "kernel_details.csv");
  const auto add = [&table](int64_t dur_ns) {
    return table.row()
        .set(kernel::name, "m")
        .set(kernel::class_, "compute")
        .set(kernel::op_type, "M")
        .set(kernel::dur_ns, dur_ns);
  };
  add(100)
      .set(kernel::aic_time_ns, 80)
      .set(kernel::aiv_time_ns, 0)
      .set(kernel::aic_mte1_ratio, 0.2)
      .set(kernel::aic_mte2_ratio, 0.5);
  add(300)
      .set(kernel::aic_time_ns, 150)
      .set(kernel::aiv_time_ns, 0)
      .set(kernel::aic_mte2_ratio, 0.1)
      .set(kernel::aiv_mte3_ratio, 0.3);
  add(1000);
  Host host;
  host.add(0, std::move(table));
  const auto row = host.run(top_operators)["rows"].at(0);
  CHECK(row["aic_ratio"].number() == Approx((80.0 + 150) / 400));
  CHECK(row["aiv_ratio"].number() == 0);  // looked, none
  CHECK(row["mte_ratio"].number() == Approx((0.5 * 100 + 0.3 * 300) / 400));
}

TEST_CASE("a core that its own cycles say was busy for longer than the kernel took was busy for all of it") {
  Table table(kernel::kTable, "kernel_details.csv");
  for (const int64_t core_ns : {101, 50}) {
    table.row()
        .set(kernel::name, "m")
        .set(kernel::class_, "compute")
        .set(kernel::dur_ns, 100)
        .set(kernel::aiv_time_ns, core_ns);
  }
  Host host;
  host.add(0, std::move(table));
  CHECK(host.run(top_operators)["rows"].at(0)["aiv_ratio"].number() == Approx(0.75));
}

TEST_CASE("op_statistic stands in by type only") {
  Table types(op_stat::kTable, "op_statistic.csv");
  types.row()
      .set(op_stat::op_type, "Add")
      .set(op_stat::core_type, "AI_VECTOR_CORE")
      .set(op_stat::count, 4)
      .set(op_stat::total_ns, 1'000)
      .set(op_stat::max_ns, 400);
  types.row()
      .set(op_stat::op_type, "MatMulV2")
      .set(op_stat::core_type, "AI_CORE")
      .set(op_stat::count, 2)
      .set(op_stat::total_ns, 3'000)
      .set(op_stat::max_ns, 2'000);
  Host host;
  host.add(0, std::move(types));
  const auto r = host.run(top_operators);
  CHECK(r["status"].text() == "partial");
  CHECK(r["rows"].at(0)["op_type"].text() == "MatMulV2");
  CHECK(r["rows"].at(0)["avg_us"].number() == 1.5);
  CHECK(r["rows"].at(0)["aic_ratio"].is_null());
  CHECK(r["operators"]["total_us"].number() == 4);
  CHECK(r["communication_left_out"].is_null());
  CHECK(host.run(top_operators, R"({"by": "name"})")["status"].text() == "not_applicable");
  CHECK(host.run(top_operators, R"({"step": 1})")["status"].text() == "not_applicable");
}

TEST_CASE("a profile that names no types says so") {
  Host host;
  host.add(0, kernels({{1, "a", nullptr, "AI_CORE", "compute", 5}, {1, "b", nullptr, "AI_CORE", "compute", 6}}));
  const auto r = host.run(top_operators);
  CHECK(r["rows"].at(0)["op_type"].is_null());
  CHECK(r["warnings"].at(0)["code"].text() == "operators.no_types");
  CHECK(host.run(top_operators, R"({"by": "name"})")["warnings"].is_absent());
}

TEST_CASE("a long name is cut unless whole ones are asked for, and the answer says how") {
  Host host;
  const std::string name(200, 'k'), cut = std::string(48, 'k') + "\u2026" + std::string(47, 'k');
  host.add(0, kernels({{1, name.c_str(), nullptr, "AI_CORE", "compute", 10}}));
  const auto r = host.run(top_operators, R"({"by": "name"})");
  CHECK(r["rows"].at(0)["name"].text() == cut);
  CHECK(r["next"].at(0)["arguments"].to_json() == R"({"by":"name","full_names":true})");
  const auto whole = host.run(top_operators, R"({"by": "name", "full_names": true})");
  CHECK(whole["rows"].at(0)["name"].text() == name);
  CHECK(whole["next"].size() == 0);
  CHECK(r["evidence"].at(1)["says"].text() == "the longest execution of " + cut);
}

TEST_CASE("names that are cut stay apart") {
  Host host;
  const std::string same(200, 'k'), first = same + "1" + same, second = same + "2" + same;
  host.add(0, kernels({{1, first.c_str(), nullptr, "AI_CORE", "compute", 10},
                       {1, second.c_str(), nullptr, "AI_CORE", "compute", 5}}));
  const auto rows = host.run(top_operators, R"({"by": "name"})")["rows"];
  REQUIRE(rows.size() == 2);
  CHECK(rows.at(0)["name"].text()->size() < 120);
  CHECK(rows.at(0)["name"].text() != rows.at(1)["name"].text());
}

TEST_CASE("past 10,000 rows the rest is summed in other") {
  Table table(kernel::kTable, "kernel_details.csv");
  for (int i = 0; i < 10'003; ++i) {
    table.row()
        .set(kernel::name, "k" + std::to_string(i))
        .set(kernel::class_, "compute")
        .set(kernel::dur_ns, i < 3 ? 1 : 10);
  }
  Host host;
  host.add(0, std::move(table));
  const auto r = host.run(top_operators, R"({"by": "name"})");
  CHECK(r["rows"].size() == 10'000);
  CHECK(r["total_rows"].integer() == 10'003);
  CHECK(r["other"]["count"].integer() == 3);
  CHECK(r["other"]["total_us"].number() == 0.003);
}

TEST_CASE(
    "copies among an NPU's kernels are no operators: they are told apart, or shown where their core is asked for") {
  const auto with_copy = [](const char* args) {
    Host host;
    host.add(0, kernels({{1, "Add1", "Add", "AI_VECTOR_CORE", "compute", 500},
                         {1, "memcpy", nullptr, "MEMCPY_ASYNC", "copy", 70}}));
    return host.run(top_operators, args);
  };
  const auto all = with_copy("{}");
  CHECK(all["operators"]["total_us"].number() == 0.5);
  CHECK(all["copies_left_out"].to_json() == R"({"count":1,"total_us":0.07})");
  CHECK(all["total_rows"].integer() == 1);
  const auto copies = with_copy(R"({"core": "memcpy_async"})");
  CHECK(copies["operators"]["total_us"].number() == 0.07);
  CHECK(copies["copies_left_out"].is_null());
}
