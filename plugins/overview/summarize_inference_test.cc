// Profiles of inference as msprof leaves them: timed iterations, inferences by number, copies around executions.
#include <string>

#include "overview.h"
#include "stepwise/testing.hpp"
#include "tests/catch.h"

using namespace stepwise;
using overview::summarize_profile;
using sdk::testing::Host;
using sdk::testing::Table;
namespace kernel = stepwise::table::kernel;
namespace step = stepwise::table::step;
namespace api_stat = stepwise::table::api_stat;
namespace op_stat = stepwise::table::op_stat;
namespace runtime_api = stepwise::table::runtime_api;

namespace {

constexpr const char* kMsprof = R"({"profile": {"kind": "msprof", "declare": {"batch_size": 8, "instances": 2}}})";

struct InferenceHost : Host {
  InferenceHost() {
    answer("detect_scenario", R"({"value": "inference", "proof": "no_gradient_found", "toolchain": null})");
    answer("detect_execution_mode", R"({"value": "ge", "proof": "model_execute", "toolchain": null, "fused": []})");
  }
};

void add_iteration(Table& table, int64_t number, int64_t start_ns, int64_t end_ns) {
  table.row()
      .set(step::step, number)
      .set(step::iteration_ns, end_ns - start_ns)
      .set(step::start_ns, start_ns)
      .set(step::end_ns, end_ns)
      .set(step::src_pos, number);
}

void add_kernel(Table& table, const char* name, int64_t start_ns, int64_t end_ns, std::optional<int64_t> number = {}) {
  auto row = table.row();
  row.set(kernel::name, name).set(kernel::start_ns, start_ns).set(kernel::dur_ns, end_ns - start_ns);
  row.set(kernel::class_, std::string_view(name).rfind("hcom", 0) == 0 ? "communication" : "compute");
  if (number) row.set(kernel::step, *number);
}

Table three_iterations() {
  Table table(step::kTable, "step_trace_1.csv");
  add_iteration(table, 1, 0, 12'000);
  add_iteration(table, 2, 12'000, 14'000);
  add_iteration(table, 3, 14'000, 16'000);
  return table;
}

Table calls_of(std::initializer_list<const char*> names) {
  Table table(api_stat::kTable, "api_statistic_1.csv");
  int64_t row = 0;
  for (const char* name : names) {
    table.row()
        .set(api_stat::level, "model")
        .set(api_stat::name, name)
        .set(api_stat::count, 2)
        .set(api_stat::total_ns, 6'000)
        .set(api_stat::max_ns, 3'000)
        .set(api_stat::src_pos, ++row);
  }
  return table;
}

void add_call(Table& table, const char* name, int64_t start_ns, int64_t end_ns, int64_t tid = 1) {
  table.row()
      .set(runtime_api::name, name)
      .set(runtime_api::start_ns, start_ns)
      .set(runtime_api::dur_ns, end_ns - start_ns)
      .set(runtime_api::tid, tid)
      .set(runtime_api::src_pos, start_ns + 1);
}

}  // namespace

TEST_CASE("timed iterations: the first compiles, kernels belong to the iteration in which they start") {
  InferenceHost host;
  host.add(0, three_iterations());
  Table kernels(kernel::kTable, "op_summary_1.csv");
  add_kernel(kernels, "a", 100, 1'100);
  add_kernel(kernels, "b", 12'000, 13'500);
  add_kernel(kernels, "hcom_allGather__1", 13'000, 14'500);  // its iteration ends before it does
  add_kernel(kernels, "d", 15'000, 16'000);
  add_kernel(kernels, "outside", 17'000, 17'500);
  host.add(0, std::move(kernels));
  const auto r = host.run(summarize_profile, kMsprof);
  const auto it = r["iterations"];
  CHECK(it["count"].integer() == 3);
  CHECK(it["source"].text() == "step_trace");
  CHECK(it["confidence"].text() == "high");
  CHECK(it["first_compile_us"].number() == 12);  // more than 5 times 2
  CHECK(it["avg_us"].number() == 2);
  CHECK(it["wall_avg_us"].number() == 2);
  CHECK(it["p50_us"].number() == 2);
  CHECK(it["p99_us"].number() == 2);
  CHECK(r["warnings"].at(0)["code"].text() == "steps.first_stands_out");

  // Walls 12,000 + 2,500 + 2,000; computing 1,000 + 1,500 + 1,000; 1,500 communicated, of which 1,000 in the open.
  const auto b = r["breakdown"];
  CHECK(b["wall_us"].number() == Approx(16.5 / 3));
  CHECK(b["computing_us"].number() == Approx(3.5 / 3));
  CHECK(b["communication_us"].number() == 0.5);
  CHECK(b["not_overlapped_us"].number() == Approx(1.0 / 3));
  CHECK(b["free_us"].number() == Approx(12.0 / 3));
  CHECK(b["window"].text() ==
        "mean of 3 steps (1, 2, 3), each from the profiler's start to its end, with the kernels that start in it");
  CHECK(r["evidence"].at(0)["file"].text() == "step_trace_1.csv");
  CHECK(r["evidence"].at(0)["row"].integer() == 1);
  CHECK(r["op_time_us"].number() == 4);
  CHECK(r["op_time_avg_us"].number() == Approx(3.5 / 3));
  CHECK(r["op_time_ratio"].number() == Approx(3.5 / 3 / 2));  // of the iteration's 2 us
  CHECK(r["metrics"]["schedule.ratio"].number() == Approx(3.5 / 3 / 2));
  CHECK(r["busy_ratio"].number() == Approx(4.5 / 16.5));
  CHECK(r["schedule_bound"].boolean() == true);

  const auto second = host.run(summarize_profile, R"({"step": 2, "profile": {"kind": "msprof"}})");
  CHECK(second["breakdown"]["wall_us"].number() == 2.5);
  CHECK(second["breakdown"]["free_us"].number() == 0);
  CHECK(second["op_time_us"].number() == 1.5);
  CHECK(second["op_time_ratio"].number() == 0.75);
  CHECK(host.run(summarize_profile, R"({"step": 4, "profile": {"kind": "msprof"}})").is_absent());
  CHECK(host.failure()->hint == "It has: 1, 2, 3.");
}

TEST_CASE("iterations before and behind the collected kernels, and those cut there, are left out and told") {
  InferenceHost host;
  Table steps(step::kTable, "step_trace_1.csv");
  for (int64_t i = 0; i < 6; ++i) add_iteration(steps, i + 1, i * 1'000, (i + 1) * 1'000);
  host.add(0, std::move(steps));
  Table kernels(kernel::kTable, "op_summary_1.csv");
  add_kernel(kernels, "end of 2", 1'900, 2'000);
  add_kernel(kernels, "a", 2'000, 2'600);
  add_kernel(kernels, "b", 3'000, 3'800);
  add_kernel(kernels, "begin of 5", 4'000, 4'100);
  host.add(0, std::move(kernels));
  const auto r = host.run(summarize_profile, kMsprof);
  CHECK(r["iterations"]["count"].integer() == 6);
  const auto b = r["breakdown"];
  CHECK(b["wall_us"].number() == 1);
  CHECK(b["computing_us"].number() == Approx((0.6 + 0.8) / 2));  // steps 3 and 4
  CHECK(r["warnings"].at(0)["code"].text() == "steps.not_collected");
  CHECK(r["warnings"].at(0)["text"].text()->substr(0, 2) == "4 ");
  CHECK(host.run(summarize_profile, R"({"step": 6, "profile": {"kind": "msprof"}})").is_absent());
  CHECK(host.failure()->hint == "Kernels were collected during: 3, 4.");
}

TEST_CASE("iterations that overlap share no kernel, and those without an end hold none") {
  InferenceHost host;
  Table steps(step::kTable, "step_trace_1.csv");
  add_iteration(steps, 1, 0, 1'000);
  add_iteration(steps, 2, 500, 1'500);
  add_iteration(steps, 3, 600, 800);
  steps.row().set(step::step, 4).set(step::iteration_ns, 1'000).set(step::src_pos, 4);
  host.add(0, std::move(steps));
  Table kernels(kernel::kTable, "op_summary_1.csv");
  add_kernel(kernels, "a", 700, 800);
  add_kernel(kernels, "b", 1'000, 1'400);
  host.add(0, std::move(kernels));
  const auto r = host.run(summarize_profile, kMsprof);
  CHECK(r["iterations"]["count"].integer() == 4);
  CHECK(r["iterations"]["avg_us"].number() == 0.8);
  const auto computing = [&host](const std::string& number) {
    return host
        .run(summarize_profile,
             R"({"profile": {"kind": "msprof"}, "step": )" + number + "}")["breakdown"]["computing_us"]
        .number();
  };
  CHECK(computing("1") == 0.1);
  CHECK(computing("2") == 0.4);
  CHECK(computing("3") == 0);
}

TEST_CASE("timed iterations without kernels: the operators' sum is compared with their mean") {
  InferenceHost host;
  host.add(0, three_iterations());
  Table types(op_stat::kTable, "op_statistic_1.csv");
  types.row().set(op_stat::op_type, "MatMulV2").set(op_stat::count, 3).set(op_stat::total_ns, 5'700);
  host.add(0, std::move(types));
  const auto r = host.run(summarize_profile, kMsprof);
  CHECK(r["iterations"]["source"].text() == "step_trace");
  CHECK(r["breakdown"].is_null());
  CHECK(r["where_time_goes"].size() == 0);
  CHECK(r["op_time_avg_us"].number() == Approx(1.9));
  CHECK(r["op_time_ratio"].number() == Approx(0.95));
  CHECK(r["schedule_bound"].boolean() == false);
  CHECK(r["busy_ratio"].is_null());
  CHECK(r["throughput_samples_per_s"].is_null());
}

TEST_CASE("inferences by number come after ModelExecute, and are decomposed by their kernels") {
  const auto kernels = [] {
    Table table(kernel::kTable, "op_summary_1.csv");
    add_kernel(table, "a", 0, 1'000, 1);
    add_kernel(table, "b", 1'500, 2'000, 1);
    add_kernel(table, "a", 5'000, 6'000, 2);
    return table;
  };
  InferenceHost host;
  host.add(0, kernels());
  auto r = host.run(summarize_profile, kMsprof);
  CHECK(r["iterations"]["source"].text() == "infer_id");
  CHECK(r["iterations"]["count"].integer() == 2);
  CHECK(r["iterations"]["avg_us"].number() == 1.25);      // computing 1,500 and 1,000
  CHECK(r["iterations"]["wall_avg_us"].number() == 1.5);  // 2,000 and 1,000
  CHECK(r["schedule_bound"].boolean() == true);           // busy 2,500 of 3,000

  InferenceHost with_calls;
  with_calls.add(0, kernels());
  with_calls.add(0, calls_of({"ModelExecute", "InputCopy", "OutputCopy"}));
  r = with_calls.run(summarize_profile, kMsprof);
  CHECK(r["iterations"]["source"].text() == "model_execute");
  CHECK(r["iterations"]["avg_us"].number() == 3);
  CHECK(r["op_time_ratio"].number() == Approx(1.25 / 3));
  CHECK(r["breakdown"]["wall_us"].number() == 1.5);
  CHECK(r["throughput_samples_per_s"].number() == Approx(8 * 2 * 1e6 / 9));  // 3 us each for copies and execution
  // The same numbers of torch_npu's are steps, which go first.
  r = with_calls.run(summarize_profile);
  CHECK(r["iterations"]["source"].text() == "step_id");
}

TEST_CASE("a run that nothing divides is no step: its breakdown stands, shares of a step are null") {
  const auto kernels = [] {
    Table table(kernel::kTable, "msprof_1.db");
    add_kernel(table, "a", 0, 1'000);
    add_kernel(table, "b", 9'000, 9'500);  // between the two lies what may be no part of any iteration
    return table;
  };
  InferenceHost host;
  host.add(0, kernels());
  host.add(0, calls_of({"ModelExecute"}));
  const auto r = host.run(summarize_profile, kMsprof);
  CHECK(r["iterations"]["count"].integer() == 2);
  CHECK(r["breakdown"]["wall_us"].number() == 9.5);
  CHECK(r["breakdown"]["window_of"].text() == "run");
  CHECK(r["busy_ratio"].is_null());
  for (const char* metric : {"step.wall_us", "step.busy_ratio", "step.computing_ratio", "step.free_ratio",
                             "comm.step_ratio", "comm.not_overlapped_step_ratio"}) {
    INFO(metric);
    CHECK(r["metrics"][metric].is_null());
  }
  CHECK(r["op_time_ratio"].number() == 0.25);    // 1,500 of two executions of 3,000
  CHECK(r["schedule_bound"].boolean() == true);  // by the iteration, which is timed
  CHECK(r["metrics"]["schedule.ratio"].number() == 0.25);
  CHECK(r["warnings"].at(0)["code"].text() == "steps.undivided");
  CHECK(r["next"].at(0)["why"].text() == "computing is 15.8 % of the whole run: which operators make it up");

  // Nothing tells how long an iteration takes, so nothing tells whether the host is the limit.
  InferenceHost without_calls;
  without_calls.add(0, kernels());
  CHECK(without_calls.run(summarize_profile, kMsprof)["schedule_bound"].is_null());

  // One execution that was seen makes the run a step.
  InferenceHost once;
  once.add(0, kernels());
  Table calls(api_stat::kTable, "msprof_1.db");
  auto executed = calls.row();
  executed.set(api_stat::level, "model").set(api_stat::name, "ModelExecute").set(api_stat::count, 1);
  executed.set(api_stat::total_ns, 9'800).set(api_stat::max_ns, 9'800);
  once.add(0, std::move(calls));
  CHECK(once.run(summarize_profile, kMsprof)["metrics"]["step.free_ratio"].number() == Approx(8.0 / 9.5));
}

TEST_CASE("executions and copies by their own calls in the timeline, where api_statistic is not there") {
  InferenceHost host;
  Table timeline(runtime_api::kTable, "msprof_1.json");
  add_call(timeline, "Model@InputCopy", 0, 100);
  add_call(timeline, "Model@ModelExecute", 100, 600);
  add_call(timeline, "Node@InferShape", 150, 160);
  add_call(timeline, "Runtime@ModelExecute", 200, 550);  // layers wrap each other
  add_call(timeline, "Runtime@ModelExecute", 610, 620, 2);
  add_call(timeline, "Model@OutputCopy", 600, 650);
  add_call(timeline, "Model@InputCopy", 1'000, 1'200);
  add_call(timeline, "Model@ModelExecute", 1'200, 1'900);
  add_call(timeline, "Model@OutputCopy", 1'900, 2'050);
  host.add(0, std::move(timeline));
  const auto r = host.run(summarize_profile, kMsprof);
  CHECK(r["iterations"]["source"].text() == "model_execute");
  CHECK(r["iterations"]["count"].integer() == 2);
  CHECK(r["model_execute_us"].number() == 0.6);
  CHECK(r["h2d_us"].number() == 0.15);
  CHECK(r["d2h_us"].number() == 0.1);
  CHECK(r["dynamic_shape"].boolean() == true);
  CHECK(r["throughput_samples_per_s"].number() == Approx(16e6 / 0.85));
  CHECK(r["evidence"].at(0)["file"].text() == "msprof_1.json");
}

TEST_CASE("copies by aclrtMemcpy: only where it is plain which belong to which execution") {
  const auto timeline = [](bool has_third_copy_between) {
    Table table(runtime_api::kTable, "msprof_1.json");
    add_call(table, "AscendCL@aclrtMemcpy", 0, 10);  // weights
    add_call(table, "AscendCL@aclrtMemcpy", 20, 30);
    add_call(table, "AscendCL@aclrtMemcpyAsync", 100, 110);
    add_call(table, "AscendCL@aclrtMemcpy", 120, 140);
    add_call(table, "Model@ModelExecute", 150, 250);
    add_call(table, "AscendCL@aclrtMemcpy", 160, 170);  // the execution's own
    add_call(table, "AscendCL@aclrtMemcpy", 260, 270);
    if (has_third_copy_between) add_call(table, "AscendCL@aclrtMemcpy", 300, 310);
    add_call(table, "AscendCL@aclrtMemcpy", 320, 330);
    add_call(table, "Model@ModelExecute", 340, 440);
    add_call(table, "AscendCL@aclrtMemcpy", 450, 470);
    return table;
  };
  InferenceHost host;
  host.add(0, calls_of({"ModelExecute"}));
  host.add(0, timeline(true));
  auto r = host.run(summarize_profile, kMsprof);
  // Inputs [100, 140) and [300, 330), over api_statistic's 2 executions; outputs 10 + 20.
  CHECK(r["h2d_us"].number() == 0.035);
  CHECK(r["d2h_us"].number() == 0.015);
  CHECK(r["model_execute_us"].number() == 3);

  // One input copy: those between are as many as inputs and outputs together, still.
  InferenceHost fewer;
  fewer.add(0, timeline(false));
  r = fewer.run(summarize_profile, kMsprof);
  CHECK(r["h2d_us"].number() == 0.015);  // [120, 140) and [320, 330)

  // A third execution with another number of copies: nobody can tell.
  InferenceHost irregular;
  Table table = timeline(true);
  add_call(table, "Model@ModelExecute", 500, 600);
  irregular.add(0, std::move(table));
  r = irregular.run(summarize_profile, kMsprof);
  CHECK(r["iterations"]["count"].integer() == 3);
  CHECK(r["h2d_us"].is_null());
  CHECK(r["d2h_us"].is_null());
  CHECK(r["throughput_samples_per_s"].is_null());
}

TEST_CASE("rows that are only timed are no decomposed steps") {
  InferenceHost host;
  Table steps(step::kTable, "step_trace_time.csv");
  steps.row()
      .set(step::step, 1)
      .set(step::computing_ns, 500)
      .set(step::communication_ns, 0)
      .set(step::not_overlapped_ns, 0)
      .set(step::overlapped_ns, 0)
      .set(step::free_ns, 500)
      .set(step::stage_ns, 1'000)
      .set(step::bubble_ns, 0)
      .set(step::src_pos, 1);
  steps.row().set(step::step, 2).set(step::src_pos, 2);
  host.add(0, std::move(steps));
  const auto r = host.run(summarize_profile);
  CHECK(r["iterations"]["source"].text() == "step_trace_time");
  CHECK(r["iterations"]["count"].integer() == 1);
  CHECK(r["breakdown"]["stage_us"].number() == 1);
}
