// Summaries of GPU traces.
#include "device_rows.h"

#include "overview.h"
#include "stepwise/testing.hpp"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::overview;
namespace kernel = stepwise::table::kernel;
namespace step = stepwise::table::step;

namespace {

struct Row {
  std::optional<int64_t> step;
  const char* name;
  const char* class_;
  int64_t start_ns, dur_ns;
};

sdk::testing::Table device_rows() {
  sdk::testing::Table table(kernel::kTable, "rank0.pt.trace.json");
  int64_t pos = 0;
  for (const Row& row :
       {Row{1, "gemm", "compute", 0, 100'000}, Row{1, "Memset (Device)", "memset", 100'000, 10'000},
        Row{1, "ncclAllReduce", "communication", 80'000, 70'000}, Row{2, "Memcpy HtoD", "copy", 140'000, 40'000},
        Row{2, "gemm", "compute", 200'000, 50'000}, Row{2, "relu", "compute", 210'000, 10'000},
        Row{std::nullopt, "ncclAllReduce", "communication", 250'000, 30'000}}) {
    auto r = table.row();
    r.set(kernel::name, row.name).set(kernel::class_, row.class_).set(kernel::src_pos, ++pos);
    r.set(kernel::start_ns, row.start_ns).set(kernel::dur_ns, row.dur_ns);
    if (row.step) r.set(kernel::step, *row.step);
  }
  return table;
}

sdk::testing::Table timed() {
  sdk::testing::Table table(step::kTable, "rank0.pt.trace.json");
  table.row().set(step::step, 1).set(step::start_ns, -50'000).set(step::end_ns, 150'000);
  table.row().set(step::step, 2).set(step::start_ns, 150'000).set(step::end_ns, 250'000);
  return table;
}

sdk::Value run(sdk::ToolFunction tool, const char* arguments = "") {
  sdk::testing::Host host;
  host.add(0, device_rows());
  host.add(0, timed());
  host.answer("detect_scenario", R"({"value": "training"})");
  host.answer("detect_execution_mode", R"({"value": "eager", "fused": []})");
  return host.run(tool, std::string(R"({"profile": {"kind": "kineto", "declare": {}})") + arguments + "}");
}

}  // namespace

TEST_CASE("a GPU trace's time is its whole span, in four parts that add up") {
  const sdk::Value answer = run(summarize_profile);
  REQUIRE(answer.is_object());
  const sdk::Value breakdown = answer["breakdown"];
  CHECK(breakdown["computing_us"].number() == 160.0);
  CHECK(breakdown["communication_us"].number() == 100.0);
  CHECK(breakdown["overlapped_us"].number() == 30.0);
  CHECK(breakdown["not_overlapped_us"].number() == 70.0);
  CHECK(breakdown["copy_not_overlapped_us"].number() == 30.0);
  CHECK(breakdown["free_us"].number() == 20.0);
  CHECK(breakdown["stage_us"].number() == 280.0);
  CHECK(breakdown["bubble_us"].is_null());
  CHECK(answer["busy_ratio"].number() == 230.0 / 280.0);
  const sdk::Value parts = answer["where_time_goes"];
  REQUIRE(parts.size() == 4);
  CHECK(parts.at(0)["part"].text() == "computing");
  CHECK(parts.at(2)["part"].text() == "copy_not_overlapped");
  double sum = 0;
  for (size_t i = 0; i < parts.size(); ++i) sum += *parts.at(i)["us"].number();
  CHECK(sum == 280.0);
}

TEST_CASE("iterations of a GPU trace are the steps that the host timed") {
  const sdk::Value iterations = run(summarize_profile)["iterations"];
  CHECK(iterations["source"].text() == "profiler_step");
  CHECK(iterations["count"].integer() == 2);
  CHECK(iterations["avg_us"].number() == 80.0);        // computing: 110 and 50
  CHECK(iterations["wall_avg_us"].number() == 150.0);  // 200 and 100
  CHECK(iterations["p50_us"].number() == 100.0);
  CHECK(iterations["p99_us"].number() == 200.0);
}

TEST_CASE("operators of a GPU trace are its kernels: per step, and no copies or memsets") {
  const sdk::Value answer = run(summarize_profile);
  CHECK(answer["op_time_us"].number() == 160.0);
  CHECK(answer["op_time_avg_us"].number() == 80.0);
  CHECK(answer["op_time_ratio"].number() == 1.0);  // 80 of 80: relu runs beside gemm, the memset computes nothing
  CHECK(answer["dynamic_shape"].is_null());
}

TEST_CASE("the gap of a GPU trace: the host's steps minus the operators that they launched, in parts that add up") {
  const sdk::Value gap = run(summarize_profile)["gap"];
  CHECK(gap["step_us"].number() == 150.0);
  CHECK(gap["op_time_us"].number() == 80.0);
  CHECK(gap["gap_us"].number() == 70.0);
  CHECK(gap["communication_us"].number() == 20.0);    // (110, 150) of step 1
  CHECK(gap["copy_us"].number() == 20.0);             // [140, 180) of step 2
  CHECK(gap["between_kernels_us"].number() == 10.0);  // [180, 200) of step 2
  CHECK(gap["outside_kernels_us"].number() == 20.0);  // 200 against 150, 100 against 110
  CHECK(gap["parallel_us"].number() == 0.0);          // a memset of 10, relu's 10 beside gemm
  CHECK(gap["rounding_us"].number() == 0.0);
  const sdk::Value second = run(summarize_profile, R"(, "step": 2)")["gap"];
  CHECK(second["gap_us"].number() == 40.0);
  CHECK(second["outside_kernels_us"].number() == -10.0);
}

TEST_CASE("a step of a GPU trace is what it launched") {
  const sdk::Value answer = run(summarize_profile, R"(, "step": 2)");
  CHECK(answer["breakdown"]["computing_us"].number() == 50.0);
  CHECK(answer["breakdown"]["copy_not_overlapped_us"].number() == 40.0);
  CHECK(answer["breakdown"]["free_us"].number() == 20.0);
  CHECK(answer["breakdown"]["stage_us"].number() == 110.0);
  CHECK(run(summarize_profile, R"(, "step": 3)").is_absent());
}

TEST_CASE("top operators of a GPU trace are kernels by name; copies, memsets and communication stand apart") {
  const sdk::Value answer = run(top_operators);
  CHECK(answer["by"].text() == "name");
  CHECK(answer["operators"]["total_us"].number() == 160.0);
  CHECK(answer["rows"].at(0)["name"].text() == "gemm");
  CHECK(answer["rows"].at(0)["total_us"].number() == 150.0);
  CHECK(answer["rows"].size() == 2);
  CHECK(answer["copies_left_out"]["total_us"].number() == 40.0);
  CHECK(answer["memsets_left_out"]["count"].integer() == 1);
  CHECK(answer["communication_left_out"]["total_us"].number() == 100.0);
  CHECK(answer["warnings"].at(0)["code"].text() == "operators.no_types");
  CHECK(run(top_operators, R"(, "by": "name")")["warnings"].is_absent());
}
