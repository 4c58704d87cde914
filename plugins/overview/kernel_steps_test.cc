// Kernels whose file knows no steps, beside iterations that the profiler timed: each is of the one that it starts in.
#include "kernel_steps.h"

#include <initializer_list>

#include "overview.h"
#include "stepwise/testing.hpp"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::overview;
using sdk::testing::Host;
using sdk::testing::Table;
namespace kernel = stepwise::table::kernel;
namespace step = stepwise::table::step;

namespace {

struct Run {
  const char* name;
  int64_t start_us, dur_us;
};

// Iterations [0, 100) and [100, 200) us.
sdk::Value ask(int32_t (*tool)(sdk::Call&), const char* args) {
  Table kernels(kernel::kTable, "op_summary_20250101000000.csv"), steps(step::kTable, "step_trace_20250101000000.csv");
  const std::initializer_list<Run> rows = {{"Add", 0, 10}, {"Mul", 20, 2}, {"Add", 150, 12}, {"Cast", 182, 3}};
  for (const Run& one : rows) {
    kernels.row()
        .set(kernel::name, one.name)
        .set(kernel::op_type, one.name)
        .set(kernel::class_, "compute")
        .set(kernel::start_ns, one.start_us * 1'000)
        .set(kernel::dur_ns, one.dur_us * 1'000)
        .set(kernel::src_pos, 1);
  }
  for (const int64_t number : {1, 2}) {
    steps.row()
        .set(step::step, number)
        .set(step::start_ns, (number - 1) * 100'000)
        .set(step::end_ns, number * 100'000)
        .set(step::iteration_ns, 100'000)
        .set(step::src_pos, number);
  }
  Host host;
  host.add(0, std::move(kernels));
  host.add(0, std::move(steps));
  const sdk::Value answer = host.run(tool, args);
  CHECK_FALSE(host.failure().has_value());
  return answer;
}

}  // namespace

TEST_CASE("operators of a timed iteration are those that start in it") {
  CHECK(ask(top_operators, "{}")["operators"]["total_us"].number() == 27.0);
  const auto second = ask(top_operators, R"({"step": 2})");
  CHECK(second["operators"]["count"].integer() == 2);
  CHECK(second["operators"]["total_us"].number() == 15.0);
  CHECK(second["rows"].at(0)["op_type"].text() == "Add");
  CHECK(second["rows"].at(0)["total_us"].number() == 12.0);
}

TEST_CASE("problems of a timed iteration are those of its kernels, of which the first waits for nothing") {
  // Mul waits 10 us and Cast 20, each more than 3 times its duration; Add, at 150, is the first of its iteration.
  const auto all = ask(problem_operators, "{}")["host_wait"];
  CHECK(all["wait_us"].number() == 30.0);
  CHECK(all["step_us"].number() == 200.0);
  const auto second = ask(problem_operators, R"({"step": 2})");
  CHECK(second["operators"]["count"].integer() == 2);
  CHECK(second["host_wait"]["wait_us"].number() == 20.0);
  CHECK(second["metrics"]["problem.host_wait_ratio"].number() == 0.2);
  CHECK(second["metrics"]["problem.format_change_ratio"].number() == 0.2);  // 3 of 15
}

TEST_CASE("an iteration that begins while one still runs holds what starts behind that one's end") {
  TimedSteps timed;
  timed.steps = {{1, 60, 0, 60, 1}, {2, 80, 40, 120, 2}, {3, 10, 70, 80, 3}, {4, 50, 130, 180, 4}};
  const auto ranges = timed_ranges(timed);
  const auto at = [&ranges](int64_t ns) {
    const TimedRange* const range = range_at(ranges, ns);
    return range == nullptr ? int64_t{0} : range->step->number.value_or(0);
  };
  CHECK(at(-1) == 0);
  CHECK(at(50) == 1);
  CHECK(at(60) == 2);
  CHECK(at(75) == 2);
  CHECK(at(119) == 2);
  CHECK(at(120) == 0);  // the third lies in the second, and ended with it
  CHECK(at(130) == 4);
  CHECK(at(180) == 0);
}
