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

namespace {

constexpr const char* kTraining = R"({"value": "training", "proof": "gradient_op_types", "toolchain": null})";
constexpr const char* kInference = R"({"value": "inference", "proof": "no_gradient_found", "toolchain": null})";
constexpr const char* kEager = R"({"value": "eager", "proof": "model_id", "toolchain": null, "fused": []})";
constexpr const char* kUndetermined = R"({"value": "undetermined", "proof": "none", "toolchain": null, "fused": null})";

void add_verdicts(Host& host, const char* scenario, const char* mode) {
  host.answer("detect_scenario", scenario);
  host.answer("detect_execution_mode", mode);
}

void add_step(Table& table, int64_t number, int64_t computing, int64_t communication, int64_t not_overlapped,
              int64_t free, int64_t stage, int64_t bubble) {
  table.row()
      .set(step::step, number)
      .set(step::computing_ns, computing)
      .set(step::communication_ns, communication)
      .set(step::not_overlapped_ns, not_overlapped)
      .set(step::overlapped_ns, communication - not_overlapped)
      .set(step::free_ns, free)
      .set(step::stage_ns, stage)
      .set(step::bubble_ns, bubble)
      .set(step::src_pos, number);
}

Table two_steps() {
  Table table(step::kTable, "step_trace_time.csv");
  add_step(table, 1, 60'000, 40'000, 30'000, 10'000, 95'000, 5'000);
  add_step(table, 2, 80'000, 40'000, 20'000, 200'000, 300'000, 0);
  return table;
}

Table some_kernels() {
  Table table(kernel::kTable, "kernel_details.csv");
  const auto add = [&table](int64_t of_step, const char* class_, int64_t dur_ns, const char* state, int64_t pos) {
    auto row = table.row();
    row.set(kernel::step, of_step).set(kernel::name, "k").set(kernel::class_, class_).set(kernel::dur_ns, dur_ns);
    row.set(kernel::src_pos, pos);
    if (state != nullptr) row.set(kernel::op_state, state);
  };
  add(1, "compute", 61'000, "static", 1);
  add(1, "communication", 40'000, nullptr, 2);
  add(2, "compute", 83'000, "dynamic", 3);
  return table;
}

double sum_us(const sdk::Value& parts) {
  double sum = 0;
  for (size_t i = 0; i < parts.size(); ++i) sum += *parts.at(i)["us"].number();
  return sum;
}

}  // namespace

TEST_CASE("the summary of two steps is their mean, and its parts add up to the step") {
  Host host;
  host.add(0, two_steps());
  host.add(0, some_kernels());
  add_verdicts(host, kTraining, kEager);
  const auto r = host.run(summarize_profile, R"({"profile": {"declare": {"batch_size": 64}}})");
  CHECK(r["scenario"]["value"].text() == "training");
  CHECK(r["execution_mode"]["value"].text() == "eager");
  CHECK(r["execution_mode"]["proof"].text() == "model_id");
  CHECK(r["autofuse"].boolean() == false);

  const auto b = r["breakdown"];
  CHECK(b["computing_us"].number() == 70);
  CHECK(b["communication_us"].number() == 40);
  CHECK(b["overlapped_us"].number() == 15);
  CHECK(b["not_overlapped_us"].number() == 25);
  CHECK(b["free_us"].number() == 105);
  CHECK(b["bubble_us"].number() == 2.5);
  CHECK(b["stage_us"].number() == 197.5);
  CHECK(b["copy_not_overlapped_us"].is_null());
  CHECK(b["window"].text() ==
        "mean of 2 steps (1, 2), each from its first device work to its end, as the profiler decomposed it");

  const auto parts = r["where_time_goes"];
  CHECK(parts.at(0)["part"].text() == "free");
  CHECK(parts.at(0)["ratio"].number() == 0.525);
  CHECK(sum_us(parts) == 200);
  CHECK(parts.at(0)["evidence"].to_json() == R"(["e1","e2"])");
  CHECK(r["evidence"].at(1)["file"].text() == "step_trace_time.csv");
  CHECK(r["evidence"].at(1)["row"].integer() == 2);

  CHECK(r["iterations"]["count"].integer() == 2);
  CHECK(r["iterations"]["wall_avg_us"].number() == 200);
  CHECK(r["op_time_us"].number() == 144);
  CHECK(r["op_time_avg_us"].number() == 72);
  CHECK(r["op_time_ratio"].number() == Approx(72.0 / 70));
  CHECK(r["busy_ratio"].number() == 0.475);  // (60 + 30 + 80 + 20) / 400
  CHECK(r["schedule_bound"].boolean() == true);
  CHECK(r["dynamic_shape"].boolean() == true);
  CHECK(r["shapes_vary"].is_null());
  CHECK(r["throughput_samples_per_s"].number() == 64 * 1e6 / 200);
  CHECK(r["h2d_us"].is_null());
  CHECK(r["instances_fit"].is_null());

  const auto m = r["metrics"];
  CHECK(m["comm.not_overlapped_ratio"].number() == 50.0 / 80);  // of communication
  CHECK(m["comm.not_overlapped_step_ratio"].number() == 50.0 / 400);
  CHECK(m["comm.overlap_ratio"].number() == 30.0 / 80);
  CHECK(m["step.free_ratio"].number() == 210.0 / 400);
  CHECK(r["next"].at(0)["tool"].text() == "top_operators");
  CHECK(r["next"].at(0)["arguments"]["by"].text() == "type");
}

TEST_CASE("a step that waits for communication leads to where that is") {
  Host host;
  Table steps(step::kTable, "step_trace_time.csv");
  add_step(steps, 2, 30'000, 60'000, 50'000, 20'000, 100'000, 0);
  host.add(0, steps);
  host.add(0, some_kernels());
  add_verdicts(host, R"({"value":"training","proof":"x"})", R"({"value":"eager","proof":"y","toolchain":null})");
  const auto r = host.run(summarize_profile, R"({"ranks":[0],"step":2})");
  CHECK(r["next"].at(0)["tool"].text() == "comm_overlap");
  CHECK(r["next"].at(0)["arguments"]["step"].integer() == 2);
}

TEST_CASE("a mean of computing says so beside the step's own time") {
  Host host;
  host.add(0, two_steps());
  add_verdicts(host, kTraining, kEager);
  const auto iterations = host.run(summarize_profile)["iterations"];
  CHECK(iterations["avg_us"].number() == 70);
  CHECK(iterations["wall_avg_us"].number() == 200);
  CHECK(iterations["avg_of"].text() == "computing on the device alone; a step takes wall_avg_us");
}

TEST_CASE("a step beyond twice the median is named, and leads to itself") {
  const auto summary = [](int64_t last_ns, bool has_ranges) {
    Host host;
    Table steps(step::kTable, "step_trace_time.csv");
    add_step(steps, 1, 50'000, 0, 0, 50'000, 100'000, 0);
    add_step(steps, 2, 50'000, 0, 0, 50'000, 100'000, 0);
    add_step(steps, 3, 50'000, 0, 0, last_ns - 50'000, last_ns, 0);
    host.add(0, std::move(steps));
    if (has_ranges) {
      Table ops(stepwise::table::host_op::kTable, "trace_view.json");
      ops.row().set(stepwise::table::host_op::name, "aten::mm");
      host.add(0, std::move(ops));
    }
    add_verdicts(host, kTraining, kEager);
    return host.run(summarize_profile);
  };
  CHECK(summary(200'000, true)["warnings"].size() == 0);
  const auto uneven = summary(200'002, true);
  CHECK(uneven["warnings"].at(0)["code"].text() == "steps.uneven");
  CHECK(uneven["next"].at(0)["tool"].text() == "stage_breakdown");
  CHECK(uneven["next"].at(0)["arguments"]["step"].integer() == 3);
  CHECK(summary(200'002, false)["next"].at(0)["tool"].text() == "summarize_profile");
}

TEST_CASE("a step that mostly waits for another pipeline stage says so, and leads to the stages") {
  const auto summary = [](int64_t bubble_ns) {
    Host host;
    Table steps(step::kTable, "step_trace_time.csv");
    add_step(steps, 2, 30'000, 60'000, 60'000, 10'000, 100'000 - bubble_ns, bubble_ns);
    host.add(0, std::move(steps));
    host.add(0, some_kernels());
    add_verdicts(host, kTraining, kEager);
    return host.run(summarize_profile, R"({"ranks": [0], "all_ranks": [0, 1]})");
  };
  const auto waiting = summary(30'000), communicating = summary(29'998);
  CHECK(waiting["where_time_goes"].at(0)["says"].text()->find("bubble_us") != std::string::npos);
  CHECK(waiting["next"].at(1)["tool"].text() == "cluster_summary");
  CHECK(communicating["where_time_goes"].at(0)["says"].text()->find("bubble_us") == std::string::npos);
  CHECK(communicating["next"].at(1)["tool"].text() == "top_operators");
}

TEST_CASE("one step by its number, exactly as the profiler has it; an unknown one is named with those that exist") {
  Host host;
  host.add(0, two_steps());
  host.add(0, some_kernels());
  add_verdicts(host, kTraining, kEager);
  const auto r = host.run(summarize_profile, R"({"step": 1})");
  CHECK(r["breakdown"]["computing_us"].number() == 60);
  CHECK(r["op_time_us"].number() == 61);
  CHECK(r["busy_ratio"].number() == 0.9);
  CHECK(r["schedule_bound"].boolean() == false);
  CHECK(r["iterations"]["count"].integer() == 2);
  CHECK(r["next"].at(0)["arguments"].to_json() == R"({"by":"type","step":1})");
  CHECK(host.run(summarize_profile, R"({"step": 3})").is_absent());
  REQUIRE(host.failure());
  CHECK(host.failure()->kind == SW_KIND_NOT_FOUND);
  CHECK(host.failure()->hint == "It has: 1, 2.");
}

TEST_CASE("a first step that stands out stays in the breakdown's mean, with a warning, and out of the iterations'") {
  Host host;
  Table steps(step::kTable, "step_trace_time.csv");
  add_step(steps, 1, 100, 0, 0, 1'900, 2'000, 0);
  add_step(steps, 2, 100, 0, 0, 100, 200, 0);
  host.add(0, std::move(steps));
  add_verdicts(host, kTraining, kEager);
  const auto r = host.run(summarize_profile);
  CHECK(r["breakdown"]["stage_us"].number() == 1.1);
  CHECK(r["iterations"]["wall_avg_us"].number() == 0.2);
  CHECK(r["iterations"]["first_compile_us"].number() == 2);
  CHECK(r["warnings"].at(0)["code"].text() == "steps.first_stands_out");
  CHECK(host.run(summarize_profile, R"({"step": 2})")["warnings"].size() == 0);
}

TEST_CASE("a single schedule-free step without communication has null communication ratios, not zeros") {
  Host host;
  Table steps(step::kTable, "step_trace_time.csv");
  add_step(steps, 5, 100, 0, 0, 0, 100, 0);
  host.add(0, std::move(steps));
  add_verdicts(host, kInference, kUndetermined);
  const auto r = host.run(summarize_profile);
  CHECK(r["metrics"]["comm.not_overlapped_ratio"].is_null());
  CHECK(r["metrics"]["comm.overlap_ratio"].is_null());
  CHECK(r["metrics"]["comm.step_ratio"].number() == 0);
  CHECK(r["op_time_us"].is_null());
  CHECK(r["dynamic_shape"].is_null());
  CHECK(r["autofuse"].is_null());
  CHECK(r["next"].at(0)["tool"].text() == "detect_execution_mode");
}

TEST_CASE("graph inference: copies and execution per iteration, throughput with instances, dynamic by host calls") {
  Host host;
  Table calls(api_stat::kTable, "api_statistic.csv");
  const auto add = [&calls](const char* name, int64_t total_ns, int64_t max_ns, int64_t pos) {
    calls.row()
        .set(api_stat::level, "model")
        .set(api_stat::name, name)
        .set(api_stat::total_ns, total_ns)
        .set(api_stat::count, 4)
        .set(api_stat::max_ns, max_ns)
        .set(api_stat::src_pos, pos);
  };
  add("ModelExecute", 4'000'000, 1'100'000, 1);
  add("InputCopy", 400'000, 100'000, 2);
  add("OutputCopy", 200'000, 50'000, 3);
  calls.row().set(api_stat::level, "acl").set(api_stat::name, "aclnnAdd").set(api_stat::count, 1);
  Table types(op_stat::kTable, "op_statistic.csv");
  types.row().set(op_stat::op_type, "MatMulV2").set(op_stat::count, 8).set(op_stat::total_ns, 3'000'000);
  host.add(0, std::move(calls));
  host.add(0, std::move(types));
  add_verdicts(host, kInference, R"({"value": "ge", "proof": "model_execute", "toolchain": "torchair", "fused": []})");
  const auto r = host.run(summarize_profile, R"({"profile": {"declare": {"batch_size": "8", "instances": "2"}}})");
  CHECK(r["iterations"]["source"].text() == "model_execute");
  CHECK(r["iterations"]["count"].integer() == 4);
  CHECK(r["model_execute_us"].number() == 1000);
  CHECK(r["h2d_us"].number() == 100);
  CHECK(r["d2h_us"].number() == 50);
  CHECK(r["h2d_ratio"].number() == Approx(100.0 / 1150));
  CHECK(r["throughput_samples_per_s"].number() == Approx(8 * 2 * 1e6 / 1150));
  CHECK(r["op_time_us"].number() == 3000);
  CHECK(r["op_time_avg_us"].number() == 750);
  CHECK(r["op_time_ratio"].number() == 0.75);  // of the iteration's 1,000 us
  CHECK(r["schedule_bound"].boolean() == true);
  CHECK(r["busy_ratio"].is_null());
  CHECK(r["breakdown"].is_null());
  CHECK(r["where_time_goes"].size() == 0);
  CHECK(r["dynamic_shape"].boolean() == true);
  CHECK(r["execution_mode"]["toolchain"].text() == "torchair");
}

TEST_CASE("without step_trace_time the breakdown comes from the kernels' intervals") {
  Host host;
  Table kernels(kernel::kTable, "kernel_details.csv");
  kernels.row()
      .set(kernel::step, 3)
      .set(kernel::name, "a")
      .set(kernel::class_, "compute")
      .set(kernel::start_ns, 1'000)
      .set(kernel::dur_ns, 3'000);
  kernels.row()
      .set(kernel::step, 3)
      .set(kernel::name, "b")
      .set(kernel::class_, "communication")
      .set(kernel::start_ns, 5'000)
      .set(kernel::dur_ns, 6'000);
  host.add(0, std::move(kernels));
  add_verdicts(host, kTraining, kEager);
  const auto r = host.run(summarize_profile);
  CHECK(r["iterations"]["source"].text() == "step_id");
  CHECK(r["breakdown"]["stage_us"].number() == 10);
  CHECK(sum_us(r["where_time_goes"]) == 10);
  CHECK(r["breakdown"]["window"].text() == "step 3, from its first kernel's start to its last kernel's end");
}

TEST_CASE("a failing nested tool fails the summary; a cancelled one gives nothing") {
  Host host;
  host.add(0, two_steps());
  CHECK(host.run(summarize_profile).is_absent());
  CHECK(host.returned() == SW_FAILED);
  Host cancelled;
  cancelled.add(0, two_steps());
  add_verdicts(cancelled, kTraining, kEager);
  cancelled.cancel_after(0);
  CHECK(cancelled.run(summarize_profile).is_absent());
  CHECK(cancelled.returned() == SW_CANCELLED);
}
