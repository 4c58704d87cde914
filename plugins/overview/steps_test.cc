#include "steps.h"

#include "host_calls.h"
#include "iterations.h"
#include "kernel_facts.h"
#include "stepwise/testing.hpp"
#include "tests/catch.h"
#include "window.h"

using namespace stepwise;
using namespace stepwise::overview;
namespace kernel = stepwise::table::kernel;
namespace api_stat = stepwise::table::api_stat;

namespace {

// Runs `look` as a tool over the tables, so that it has a call.
template <class Look>
void with_kernels(sdk::testing::Table table, Look look) {
  static thread_local Look* current = nullptr;
  current = &look;
  sdk::testing::Host host;
  host.add(0, std::move(table));
  host.run([](sdk::Call& call) -> int32_t {
    (*current)(call, *call.table(0, kernel::kTable));
    return call.emit(sdk::JsonWriter().begin_object().end_object());
  });
  CHECK(host.returned() == SW_OK);
}

struct Row {
  std::optional<int64_t> step;
  const char* name;
  const char* class_;
  int64_t start_ns, dur_ns;
  const char* shapes = nullptr;
};

sdk::testing::Table kernels(std::initializer_list<Row> rows) {
  sdk::testing::Table table(kernel::kTable, "kernel_details.csv");
  int64_t pos = 0;
  for (const Row& row : rows) {
    auto r = table.row();
    r.set(kernel::name, row.name).set(kernel::class_, row.class_).set(kernel::src_pos, ++pos);
    r.set(kernel::start_ns, row.start_ns).set(kernel::dur_ns, row.dur_ns).set(kernel::stream, 2);
    if (row.step) r.set(kernel::step, *row.step);
    if (row.shapes != nullptr) r.set(kernel::input_shapes, row.shapes);
  }
  return table;
}

Step a_step(int64_t number, int64_t computing_ns, int64_t not_overlapped_ns, int64_t free_ns, int64_t wall_ns) {
  Step step;
  step.number = number;
  step.computing_ns = computing_ns;
  step.communication_ns = step.not_overlapped_ns = not_overlapped_ns;
  step.free_ns = free_ns;
  step.stage_ns = wall_ns;
  step.row = number;
  return step;
}

}  // namespace

TEST_CASE("steps from kernels: unions per step, whole kernels, and parts that add up") {
  // computing [0,100) [50,150) = 150; communication [120,220) = 100, of it 30 hidden; idle [220,300); computing
  // [300,340)
  with_kernels(kernels({{7, "a", "compute", 0, 100},
                        {7, "b", "compute", 50, 100},
                        {7, "hcom_receive__1", "communication", 120, 100},
                        {std::nullopt, "outside", "compute", 250, 10},
                        {7, "c", "compute", 300, 40},
                        {8, "a", "compute", 400, 10}}),
               [](sdk::Call& call, const sdk::TableView& view) {
                 const Steps steps = steps_of_kernels(call, view);
                 CHECK_FALSE(steps.by_profiler);
                 REQUIRE(steps.steps.size() == 2);
                 const Step& step = steps.steps[0];
                 CHECK(step.number == 7);
                 CHECK(step.computing_ns == 190);
                 CHECK(step.communication_ns == 100);
                 CHECK(step.overlapped_ns == 30);
                 CHECK(step.not_overlapped_ns == 70);
                 CHECK(step.free_ns == 80);
                 CHECK(step.bubble_ns == 100);
                 CHECK(step.wall_ns() == 340);
                 CHECK(step.computing_ns + step.not_overlapped_ns + step.free_ns == step.wall_ns());
                 CHECK(steps.steps[1].wall_ns() == 10);
               });
}

TEST_CASE("kernels without any step are one unnumbered step") {
  with_kernels(kernels({{std::nullopt, "a", "compute", 5, 10}, {std::nullopt, "b", "compute", 20, 10}}),
               [](sdk::Call& call, const sdk::TableView& view) {
                 const Steps steps = steps_of_kernels(call, view);
                 REQUIRE(steps.steps.size() == 1);
                 CHECK_FALSE(steps.numbered());
                 CHECK(steps.steps[0].free_ns == 5);
               });
}

TEST_CASE("where time goes adds up to the wall time to the ns, the file's rounding is a part of its own") {
  Steps steps;
  steps.by_profiler = true;
  // The figures of a real step_trace_time.csv (us): 8873.756 + 101963.203 + 25744.050 against stage 136581.0.
  steps.steps = {a_step(50, 8'873'756, 101'963'203, 25'744'050, 136'581'000)};
  const auto window = choose_window(steps, std::nullopt);
  REQUIRE(window);
  const auto parts = where_time_goes(*window);
  REQUIRE(parts.size() == 4);
  CHECK(std::string(parts[0].name) == "communication_not_overlapped");
  CHECK(std::string(parts[1].name) == "free");
  CHECK(std::string(parts[2].name) == "computing");
  CHECK(std::string(parts[3].name) == "rounding");
  CHECK(parts[3].sum_ns == -9);
  int64_t sum_ns = 0;
  for (const Part& part : parts) sum_ns += part.sum_ns;
  CHECK(sum_ns == window->sum.wall_ns());

  steps.steps = {a_step(50, 10, 20, 30, 60)};
  CHECK(where_time_goes(*choose_window(steps, std::nullopt)).size() == 3);
}

TEST_CASE("a window is one step or the mean of all") {
  Steps steps;
  steps.steps = {a_step(1, 10, 0, 590, 600), a_step(2, 20, 0, 80, 100), a_step(3, 40, 0, 60, 100)};
  CHECK(choose_window(steps, 3)->sum.computing_ns == 40);
  CHECK_FALSE(choose_window(steps, 4));
  const auto mean = choose_window(steps, std::nullopt);
  CHECK(mean->us(mean->sum.computing_ns) == Approx(0.07 / 3));
  CHECK(mean->text == "mean of 3 steps (1, 2, 3), each from its first kernel's start to its last kernel's end");
  CHECK_FALSE(choose_window(Steps(), std::nullopt));
}

TEST_CASE("iterations from steps: means, nearest-rank percentiles, a first compilation only above 5 times the mean") {
  Steps steps;
  steps.by_profiler = true;
  for (int64_t i = 1; i <= 10; ++i) steps.steps.push_back(a_step(i, 10'000 * i, 0, 0, 100'000 * i));
  auto it = infer_iterations(steps, std::nullopt, std::nullopt);
  CHECK(it.count == 10);
  CHECK(std::string(it.source) == "step_trace_time");
  CHECK(std::string(it.confidence) == "high");
  CHECK(it.avg_us == 55);
  CHECK(it.wall_avg_us == 550);
  CHECK(it.p50_us == 500);   // 5th of 10
  CHECK(it.p99_us == 1000);  // 10th
  CHECK_FALSE(it.first_compile_us);

  steps.steps = {a_step(1, 10'000, 0, 0, 500'000), a_step(2, 10'000, 0, 0, 100'000), a_step(3, 20'000, 0, 0, 100'000)};
  CHECK_FALSE(infer_iterations(steps, std::nullopt, std::nullopt).first_compile_us);  // 5 times exactly is not above
  steps.steps[0].stage_ns = 500'001;
  it = infer_iterations(steps, std::nullopt, std::nullopt);
  CHECK(it.first_compile_us == 500.001);
  CHECK(it.count == 3);
  CHECK(it.avg_us == 15);  // it is set apart whole, though its computing is like the others'
  CHECK(it.wall_avg_us == 100);
  CHECK(it.p99_us == 100);
  steps.steps[0].computing_ns = 80'000;  // above 5 x 15
  CHECK(infer_iterations(steps, std::nullopt, std::nullopt).avg_us == 15);
  steps.steps[0].stage_ns = 499'999;  // below 5 x 100: its computing alone stands out
  it = infer_iterations(steps, std::nullopt, std::nullopt);
  CHECK(it.first_compile_us == 499.999);
  CHECK(it.avg_us == 15);
  CHECK(it.wall_avg_us == 100);
  CHECK(it.p50_us == 100);
  CHECK(it.p99_us == 100);
  steps.steps[0].stage_ns = 500'001;
  steps.steps[0].computing_ns = 10'000;

  std::swap(steps.steps[0], steps.steps[2]);  // the first by number, not by place
  CHECK(infer_iterations(steps, std::nullopt, std::nullopt).compile_step == 2);
  std::swap(steps.steps[0].stage_ns, steps.steps[2].stage_ns);  // a late slow step is no first compilation
  CHECK_FALSE(infer_iterations(steps, std::nullopt, std::nullopt).first_compile_us);
}

TEST_CASE("steps without anything of the device have no computing, not one of 0") {
  Steps steps;
  steps.by_host = true;
  steps.knows_device = false;
  steps.steps = {a_step(1, 0, 0, 0, 100'000), a_step(2, 0, 0, 0, 300'000)};
  const auto it = infer_iterations(steps, std::nullopt, std::nullopt);
  CHECK(it.count == 2);
  CHECK_FALSE(it.avg_us);
  CHECK_FALSE(it.avg_of);
  CHECK(it.wall_avg_us == 200);
}

TEST_CASE("operators by type and nothing else are one iteration, assumed") {
  const auto it = infer_iterations(std::nullopt, std::nullopt, std::nullopt, {}, 5'000);
  CHECK(it.count == 1);
  CHECK(std::string(it.source) == "assumed");
  CHECK(std::string(it.confidence) == "low");
  CHECK(it.avg_us == 5);
  CHECK(infer_iterations(std::nullopt, std::nullopt, std::nullopt).count == std::nullopt);
}

TEST_CASE("without numbered steps ModelExecute counts, and its maximum is set apart only above 5 times the others") {
  HostCalls calls;
  calls.model_execute = CallStat{10'000, 5, 6'000, 3};  // others: 4,000 / 4 = 1,000; 6,000 > 5,000
  auto it = infer_iterations(std::nullopt, calls, std::nullopt);
  CHECK(it.count == 5);
  CHECK(std::string(it.source) == "model_execute");
  CHECK(it.avg_us == 1);
  CHECK(it.first_compile_us == 6);
  CHECK_FALSE(it.wall_avg_us);
  CHECK_FALSE(it.p50_us);

  calls.model_execute = CallStat{9'000, 5, 5'000, 3};  // exactly 5 times
  CHECK_FALSE(calls.first_compile_ns());
  CHECK(calls.model_execute_ns() == 1'800);
  calls.model_execute = CallStat{9'000, 1, 9'000, 3};  // one tells nothing
  CHECK_FALSE(calls.first_compile_ns());

  Steps whole_run;
  whole_run.by_profiler = true;
  whole_run.steps = {a_step(0, 1, 1, 1, 3)};
  whole_run.steps[0].number.reset();
  CHECK(std::string(infer_iterations(whole_run, calls, std::nullopt).source) == "model_execute");
  it = infer_iterations(whole_run, std::nullopt, std::nullopt);
  CHECK(it.count == 1);
  CHECK(std::string(it.confidence) == "low");
  CHECK(it.without_annotation);
}

TEST_CASE("the weaker sources: names, synchronizations, one assumed, nothing") {
  KernelFacts facts;
  facts.operator_rows = 6;
  facts.operator_ns = 12'000;
  facts.commonest_name_count = 3;
  HostCalls calls;
  calls.synchronize = CallStat{1, 4, std::nullopt, 1};
  auto it = infer_iterations(std::nullopt, calls, facts);
  CHECK(std::string(it.source) == "op_name");
  CHECK(it.avg_us == 4);
  facts.commonest_name_count = 0;
  it = infer_iterations(std::nullopt, calls, facts);
  CHECK(std::string(it.source) == "synchronize");
  CHECK(it.count == 4);
  it = infer_iterations(std::nullopt, std::nullopt, facts);
  CHECK(std::string(it.source) == "assumed");
  CHECK(it.count == 1);
  it = infer_iterations(std::nullopt, std::nullopt, std::nullopt);
  CHECK_FALSE(it.count);
  CHECK(std::string(it.source) == "none");
}

TEST_CASE("kernel facts leave communication out and count names that are no aclnn operators") {
  with_kernels(kernels({{1, "MatMul1", "compute", 0, 10},
                        {1, "Relu1", "compute", 20, 5},
                        {1, "aclnnAdd_Add", "compute", 25, 7},
                        {1, "hcom_allReduce__1", "communication", 30, 100},
                        {2, "MatMul1", "compute", 200, 20},
                        {2, "Relu1", "compute", 230, 5},
                        {2, "While1", "compute", 235, 1},
                        {std::nullopt, "Late", "compute", 300, 1}}),
               [](sdk::Call& call, const sdk::TableView& view) {
                 const KernelFacts facts = kernel_facts(call, view);
                 CHECK(facts.operator_rows == 7);
                 CHECK(facts.operator_ns == 49);
                 CHECK(facts.operator_ns_of_step.at(1) == 22);
                 CHECK(facts.operator_ns_of_step.at(2) == 26);
                 CHECK(facts.commonest_name_count == 1);  // two names twice, two once: ties go to the smaller
                 CHECK_FALSE(facts.dynamic_shape());
               });
}

TEST_CASE("shapes vary where the same position has other shapes in another step") {
  const auto vary = [](std::initializer_list<Row> rows) {
    std::optional<bool> out;
    with_kernels(kernels(rows),
                 [&out](sdk::Call& call, const sdk::TableView& view) { out = shapes_vary(call, view).vary; });
    return out;
  };
  CHECK(vary({{1, "Add", "compute", 0, 1, "8,16"},
              {1, "Add", "compute", 1, 1, "4"},
              {2, "Add", "compute", 5, 1, "8,16"},
              {2, "Add", "compute", 6, 1, "4"}}) == false);
  CHECK(vary({{1, "Add", "compute", 0, 1, "8,16"}, {2, "Add", "compute", 5, 1, "8,32"}}) == true);
  CHECK_FALSE(
      vary({{1, "Add", "compute", 0, 1, "8,16"}, {1, "Add", "compute", 5, 1, "8,32"}}).has_value());  // one step
  CHECK_FALSE(vary({{1, "Add", "compute", 0, 1}, {2, "Add", "compute", 5, 1}}).has_value());          // no shapes
  CHECK(vary({{1, "hcom_x", "communication", 0, 1, "8"},
              {1, "Add", "compute", 1, 1, "4"},
              {2, "hcom_x", "communication", 5, 1, "9"},
              {2, "Add", "compute", 6, 1, "4"}}) == false);
}

TEST_CASE("host calls: level model wins, levels are never added, synchronizations by exact name") {
  sdk::testing::Table table(api_stat::kTable, "api_statistic.csv");
  const auto add = [&table](const char* level, const char* name, int64_t total_ns, int64_t count) {
    table.row()
        .set(api_stat::level, level)
        .set(api_stat::name, name)
        .set(api_stat::total_ns, total_ns)
        .set(api_stat::count, count);
  };
  add("runtime", "ModelExecute", 5, 9);
  add("model", "ModelExecute", 100, 2);
  add("acl", "ModelExecute", 7, 9);
  add("acl", "aclrtSynchronizeStreamWithTimeout", 1, 50);
  add("acl", "aclrtSynchronizeStream", 1, 3);
  add("acl", "InferShapeOfAdd", 1, 1);
  sdk::testing::Host host;
  host.add(0, std::move(table));
  host.run([](sdk::Call& call) -> int32_t {
    const HostCalls calls = host_calls(call, *call.table(0, api_stat::kTable));
    CHECK(calls.model_execute->total_ns == 100);
    CHECK(calls.synchronize->count == 3);
    CHECK(calls.infers_shapes);
    CHECK_FALSE(calls.calls_aclnn);
    CHECK_FALSE(calls.input_copy);
    return SW_OK;
  });
  CHECK_FALSE(host.failure());
}

TEST_CASE("copies among an NPU's kernels are free time, and no operators") {
  // A copy before the first kernel, between two, and behind the last: the step reaches from 100 to 160.
  with_kernels(kernels({{1, "memcpy", "copy", 0, 10},
                        {1, "a", "compute", 100, 20},
                        {1, "memcpy", "copy", 125, 10},
                        {1, "b", "compute", 140, 20},
                        {1, "memcpy", "copy", 170, 10}}),
               [](sdk::Call& call, const sdk::TableView& view) {
                 const Steps steps = steps_of_kernels(call, view);
                 REQUIRE(steps.steps.size() == 1);
                 CHECK(steps.steps[0].computing_ns == 40);
                 CHECK(steps.steps[0].free_ns == 20);
                 CHECK(steps.steps[0].wall_ns() == 60);
                 const KernelFacts facts = kernel_facts(call, view, false);
                 CHECK(facts.operator_rows == 2);
                 CHECK(facts.operator_ns == 40);
               });
}
