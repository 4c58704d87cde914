#include "comm_overlap.h"

#include "test_tables.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::comm_overlap;
using namespace stepwise::comm_overlap::testing;

namespace {

constexpr sdk::ToolFunction kTool = stepwise::comm_overlap::comm_overlap;

constexpr const char* kAscend =
    R"({"all_ranks": [0], "profile": {"kind": "torch_npu", "origin_ns": "1000", "declare": {}}})";

/// Two uncovered spans, [3000,5000) and [6000,9000).
sdk::testing::Table two_spans() {
  return spans({{"Computing", 1000, 3000},
                {"Communication", 2000, 5000},
                {"Computing", 5000, 6000},
                {"Communication", 5500, 9000},
                {"Free", 9000, 10'000}});
}

}  // namespace

TEST_CASE("spans come longest first, with what ran in them and what began after") {
  sdk::testing::Host host;
  host.add(0, two_spans());
  host.add(0, kernels({{1, "gemm", "compute", 1000, 2000},
                       {1, "hcom_a", "communication", 2000, 3000},
                       {1, "relu", "compute", 5000, 1000},
                       {1, "hcom_b", "communication", 5500, 3500}}));
  const sdk::Value answer = host.run(kTool, kAscend);
  REQUIRE(answer.is_object());
  CHECK(answer["total_rows"].integer() == 2);
  const sdk::Value first = answer["rows"].at(0), second = answer["rows"].at(1);
  CHECK(first["dur_us"].number() == 3.0);
  CHECK(first["start_us"].number() == 5.0);
  CHECK(first["collectives"].to_json() == R"(["hcom_b"])");
  CHECK(first["compute_waiting"].is_null());
  CHECK(second["dur_us"].number() == 2.0);
  CHECK(second["collectives"].to_json() == R"(["hcom_a"])");
  CHECK(second["compute_waiting"].text() == "relu");
  CHECK(answer["breakdown"]["not_overlapped_us"].number() == 5.0);
  CHECK(answer["breakdown"]["copy_not_overlapped_us"].is_null());
  CHECK(answer["breakdown"]["source"].text() == "timeline");
  CHECK(answer["findings"]["not_hidden"]["holds"].boolean() == true);  // 5 of 6.5 us
  CHECK(answer["groups"].is_null());
}

TEST_CASE("the step file's figures are compared, not taken") {
  namespace step = table::step;
  sdk::testing::Table file(step::kTable, "step_trace_time.csv");
  file.row()
      .set(step::step, 1)
      .set(step::computing_ns, 3000)
      .set(step::not_overlapped_ns, 5000)
      .set(step::overlapped_ns, 1500)
      .set(step::free_ns, 0)
      .set(step::stage_ns, 8010)
      .set(step::bubble_ns, 0)
      .set(step::src_pos, 1);
  sdk::testing::Host host;
  host.add(0, two_spans());
  host.add(0, kernels({{1, "gemm", "compute", 1000, 2000}, {1, "hcom_b", "communication", 5500, 3500}}));
  host.add(0, std::move(file));
  const sdk::Value answer = host.run(kTool, kAscend);
  CHECK(answer["breakdown"]["stage_us"].number() == 8.0);
  CHECK(answer["against_step_file"]["figure"].text() == "stage");
  CHECK(answer["against_step_file"]["largest_difference_us"].number() == -0.01);
}

TEST_CASE("without spans the step file's sums answer, and no rows are claimed") {
  namespace step = table::step;
  sdk::testing::Table file(step::kTable, "step_trace_time.csv");
  file.row()
      .set(step::step, 1)
      .set(step::computing_ns, 3000)
      .set(step::not_overlapped_ns, 5000)
      .set(step::free_ns, 0)
      .set(step::stage_ns, 8000);
  sdk::testing::Host host;
  host.add(0, std::move(file));
  const sdk::Value answer = host.run(kTool, kAscend);
  CHECK(answer["breakdown"]["source"].text() == "step_file");
  CHECK(answer["rows"].size() == 0);
  CHECK(answer["ops"].is_null());
}

TEST_CASE("a step whose host end nothing tells has the step file's sums and its kernels' spans") {
  namespace step = table::step;
  const auto file = [](int64_t number) {
    sdk::testing::Table table(step::kTable, "step_trace_time.csv");
    table.row()
        .set(step::step, number)
        .set(step::computing_ns, 2000)
        .set(step::not_overlapped_ns, 1000)
        .set(step::overlapped_ns, 500)
        .set(step::free_ns, 9000)
        .set(step::stage_ns, 12'000)
        .set(step::bubble_ns, 0);
    return table;
  };
  const auto answer = [&file](int64_t number) {
    sdk::testing::Host host;
    host.add(0, kernels({{1, "gemm", "compute", 1000, 2000}, {1, "hcom_a", "communication", 2500, 1500}}));
    host.add(0, file(number));
    return host.run(kTool, kAscend);
  };
  const sdk::Value of_file = answer(1);
  CHECK(of_file["breakdown"]["source"].text() == "step_file");
  CHECK(of_file["breakdown"]["free_us"].number() == 9.0);  // no kernel shows what lies behind the last one
  CHECK(of_file["breakdown"]["stage_us"].number() == 12.0);
  CHECK(of_file["against_step_file"].is_null());
  CHECK(of_file["rows"].at(0)["dur_us"].number() == 1.0);
  // A file about other steps than the kernels' says nothing about these.
  const sdk::Value of_kernels = answer(2);
  CHECK(of_kernels["breakdown"]["source"].text() == "kernels");
  CHECK(of_kernels["breakdown"]["free_us"].number() == 0.0);
}

TEST_CASE("an unknown step is refused with those that exist") {
  sdk::testing::Host host;
  host.add(0, two_spans());
  host.add(0, kernels({{1, "gemm", "compute", 1000, 2000}}));
  CHECK(host.run(kTool, R"({"step": 9})").is_absent());
  REQUIRE(host.failure().has_value());
  CHECK(host.failure()->code == "step.unknown");
  CHECK(host.failure()->hint == "Its steps: 1.");
}

TEST_CASE("a GPU trace: parts with copies, operations by kernel name, no transfer split") {
  sdk::testing::Host host;
  host.add(0, kernels({{1, "gemm", "compute", 0, 100},
                       {1, "ncclAllReduce", "communication", 50, 150},
                       {1, "Memcpy HtoD", "copy", 200, 100}},
                      "rank0.pt.trace.json"));
  const sdk::Value answer = host.run(kTool, R"({"profile": {"kind": "kineto"}})");
  REQUIRE(answer.is_object());
  CHECK(answer["breakdown"]["copy_not_overlapped_us"].number() == 0.1);
  CHECK(answer["breakdown"]["bubble_us"].is_null());
  CHECK(answer["breakdown"]["wall_us"].number() == 0.3);
  CHECK(answer["ops"].at(0)["name"].text() == "ncclAllReduce");
  CHECK(answer["ops"].at(0)["transit_us"].is_null());
  CHECK(answer["rows"].at(0)["start_us"].number() == 0.0);  // no origin: counted from the first span
  CHECK(answer["start_us_from"].text()->rfind("the first uncovered span", 0) == 0);
}

TEST_CASE("a run without communication has a breakdown and null ratios of communication") {
  sdk::testing::Host host;
  host.add(0, kernels({{1, "gemm", "compute", 0, 100}, {1, "relu", "compute", 200, 100}}));
  const sdk::Value answer = host.run(kTool, kAscend);
  CHECK(answer["metrics"]["comm.overlap_ratio"].is_null());
  CHECK(answer["metrics"]["comm.not_overlapped_step_ratio"].number() == 0.0);
  CHECK(answer["findings"]["not_hidden"]["holds"].is_null());
  CHECK(answer["findings"]["idle_to_fill"]["holds"].boolean() == true);
  CHECK(answer["rows"].size() == 0);
}

TEST_CASE("steps that only the host timed hold nothing to answer from") {
  sdk::testing::Table file(table::step::kTable, "rank0.pt.trace.json");
  file.row().set(table::step::step, 1).set(table::step::start_ns, 0).set(table::step::end_ns, 100);
  sdk::testing::Host host;
  host.add(0, std::move(file));
  CHECK(host.run(kTool, R"({"profile": {"kind": "kineto"}})")["status"].text() == "not_applicable");
  CHECK(host.run(kTool, R"({"step": 1, "profile": {"kind": "kineto"}})")["status"].text() == "not_applicable");
}

TEST_CASE("a cancelled call answers nothing") {
  sdk::testing::Host host;
  host.add(0, two_spans());
  host.cancel_after(0);
  CHECK(host.run(kTool, kAscend).is_absent());
  CHECK(host.returned() == SW_CANCELLED);
}
