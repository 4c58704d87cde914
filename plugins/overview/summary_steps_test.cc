// What a summary of a whole GPU trace says of its steps.
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
  const char* class_;
  int64_t start_ns, dur_ns;
};

struct Timed {
  int64_t step, start_ns, end_ns;
};

const std::vector<Row> kRows = {{1, "compute", 0, 100'000},           {1, "memset", 100'000, 10'000},
                                {1, "communication", 80'000, 70'000}, {2, "copy", 140'000, 40'000},
                                {2, "compute", 200'000, 50'000},      {std::nullopt, "communication", 250'000, 30'000}};

sdk::Value summary_of(const std::vector<Row>& rows, const std::vector<Timed>& timed, const char* arguments = "") {
  sdk::testing::Table kernels(kernel::kTable, "rank0.pt.trace.json"), steps(step::kTable, "rank0.pt.trace.json");
  for (const Row& row : rows) {
    auto r = kernels.row();
    r.set(kernel::name, "k").set(kernel::class_, row.class_);
    r.set(kernel::start_ns, row.start_ns).set(kernel::dur_ns, row.dur_ns);
    if (row.step) r.set(kernel::step, *row.step);
  }
  for (const Timed& one : timed) {
    steps.row().set(step::step, one.step).set(step::start_ns, one.start_ns).set(step::end_ns, one.end_ns);
  }
  sdk::testing::Host host;
  host.add(0, std::move(kernels));
  host.add(0, std::move(steps));
  host.answer("detect_scenario", R"({"value": "training"})");
  host.answer("detect_execution_mode", R"({"value": "eager", "fused": []})");
  return host.run(summarize_profile, std::string(R"({"profile": {"kind": "kineto", "declare": {}})") + arguments + "}");
}

sdk::Value whole(const char* arguments = "") {
  return summary_of(kRows, {{1, -50'000, 150'000}, {2, 150'000, 250'000}}, arguments);
}

std::string whys(const sdk::Value& answer) {
  std::string out;
  for (size_t i = 0; i < answer["next"].size(); ++i) out += answer["next"].at(i)["why"].text().value_or("") + "\n";
  return out;
}

}  // namespace

TEST_CASE("a summary of a whole GPU trace says that it is of no step, and how many there are") {
  const auto answer = whole();
  CHECK(answer["breakdown"]["window"].text() ==
        "the whole trace, 2 steps (1, 2): all device rows, from the first start to the last end");
  CHECK(answer["evidence"].at(0)["says"].text() == "intervals of all device rows, in and outside steps");
  CHECK(whys(answer).find("computing is 57.1 % of the whole trace (2 steps)") != std::string::npos);
  CHECK(whys(answer).find("% of the step") == std::string::npos);
}

TEST_CASE("beside the whole trace stands the mean of its steps, in parts that add up, and each step") {
  const auto answer = whole();
  const auto mean = answer["per_step"];
  CHECK(mean["count"].integer() == 2);
  CHECK(mean["wall_us"].number() == 130.0);  // 150 and 110
  CHECK(mean["host_us"].number() == 150.0);  // 200 and 100
  CHECK(mean["computing_us"].number() == 80.0);
  CHECK(mean["communication_us"].number() == 35.0);
  CHECK(mean["overlapped_us"].number() == 15.0);
  CHECK(mean["not_overlapped_us"].number() == 20.0);
  CHECK(mean["copy_not_overlapped_us"].number() == 20.0);
  CHECK(mean["free_us"].number() == 10.0);
  CHECK(mean["window"].text() ==
        "mean of 2 steps (1, 2), each the device rows that it launched, from the first start to the last end");
  CHECK(mean["other_steps_us"].number() == 0.0);
  REQUIRE(answer["steps"].size() == 2);
  CHECK(answer["steps"].at(0).to_json() ==
        R"({"computing_us":110.0,"copy_not_overlapped_us":0.0,"free_us":0.0,"host_us":200.0,"not_overlapped_us":40.0,)"
        R"("other_steps_us":0.0,"step":1,"wall_us":150.0})");
  CHECK(answer["steps"].at(1)["free_us"].number() == 20.0);
}

TEST_CASE("a part of the whole trace stands beside its share for each step, which adds up to the trace by the steps") {
  const auto parts = whole()["where_time_goes"];
  double sum = 0;
  for (size_t i = 0; i < parts.size(); ++i) sum += *parts.at(i)["us_per_step"].number();
  CHECK(sum == 140.0);  // 280 of two steps
  CHECK(parts.at(0)["us_per_step"].number() == 80.0);
}

TEST_CASE("where steps overlap on the device, a step's free time says how much of it was other steps' work") {
  const std::vector<Row> rows = {
      {1, "compute", 0, 100'000}, {2, "compute", 120'000, 30'000}, {1, "copy", 200'000, 100'000}};
  const std::vector<Timed> timed = {{1, 0, 100'000}, {2, 100'000, 200'000}};
  const auto answer = summary_of(rows, timed);
  CHECK(answer["per_step"]["free_us"].number() == 50.0);  // 100 and 0
  CHECK(answer["per_step"]["other_steps_us"].number() == 15.0);
  const auto step = summary_of(rows, timed, R"(, "step": 1)");
  CHECK(step["breakdown"]["free_us"].number() == 100.0);
  CHECK(step["breakdown"]["other_steps_us"].number() == 30.0);
  CHECK(step["where_time_goes"].at(0)["says"].text() == "union of computation on all streams");
  CHECK(step["where_time_goes"].at(1)["says"].text() == "no row of the step ran; see other_steps_us");
}

TEST_CASE("a summary of a GPU trace leads to the step of median time, or to one that is twice as long") {
  const auto step_of = [](int64_t longest_ns) {
    const auto answer = summary_of({{1, "compute", 0, 10}, {2, "compute", 20, 10}, {3, "compute", 40, 10}},
                                   {{1, 0, longest_ns}, {2, 2000, 3000}, {3, 3000, 3900}});
    for (size_t i = 0; i < answer["next"].size(); ++i) {
      const auto next = answer["next"].at(i);
      if (next["tool"].text() == "summarize_profile") return next["arguments"]["step"].integer().value_or(-1);
    }
    return int64_t{0};
  };
  CHECK(step_of(1900) == 2);
  CHECK(step_of(2001) == 2);  // whole ns: half of it is not more than 1000
  CHECK(step_of(2002) == 1);
}

TEST_CASE("a step of a GPU trace has no steps beside it, and a trace without steps says that it has none") {
  const auto one = whole(R"(, "step": 2)");
  CHECK(one["per_step"].is_absent());
  CHECK(one["steps"].is_absent());
  CHECK(one["where_time_goes"].at(0)["us_per_step"].is_absent());
  CHECK(whys(one).find("% of the step") != std::string::npos);
  const auto none = summary_of({{std::nullopt, "compute", 0, 10}}, {});
  CHECK(none["per_step"].is_absent());
  CHECK(none["breakdown"]["window"].text() ==
        "the whole trace (no step of it launched anything): all device rows, from the first start to the last end");
  CHECK(whys(none).find("100.0 % of the whole trace:") != std::string::npos);
}

TEST_CASE("limit: how many steps of a GPU trace are listed, longest first") {
  const auto answer = whole(R"(, "limit": 1)");
  CHECK(answer["per_step"]["count"].integer() == 2);
  REQUIRE(answer["steps"].size() == 1);
  CHECK(answer["steps"].at(0)["step"].integer() == 1);
}
