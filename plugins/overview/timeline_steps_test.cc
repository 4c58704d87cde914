// A summary of a timeline alone.
#include "overview.h"
#include "stepwise/testing.hpp"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::overview;
namespace device_task = stepwise::table::device_task;
namespace overlap_span = stepwise::table::overlap_span;
namespace step_range = stepwise::table::step_range;

namespace {

sdk::Value summary_of(std::initializer_list<int64_t> steps, const char* arguments = "{}") {
  sdk::testing::Table spans(overlap_span::kTable, "trace_view.json"), ranges(step_range::kTable, "trace_view.json"),
      tasks(device_task::kTable, "trace_view.json");
  const auto span = [&spans](const char* kind, int64_t start_ns, int64_t end_ns) {
    spans.row()
        .set(overlap_span::kind, kind)
        .set(overlap_span::start_ns, start_ns)
        .set(overlap_span::dur_ns, end_ns - start_ns);
  };
  span("Computing", 1'000, 3'000);
  span("Communication", 2'000, 6'000);
  span("Communication(Not Overlapped)", 3'000, 6'000);
  span("Free", 6'000, 11'000);  // to the end of the host's step
  for (const int64_t step : steps) {
    ranges.row().set(step_range::step, step).set(step_range::start_ns, 1'000 * step).set(step_range::dur_ns, 10'000);
  }
  tasks.row()
      .set(device_task::lane, "communication")
      .set(device_task::name, "hcom_receive__1")
      .set(device_task::dur_ns, 500);
  tasks.row()
      .set(device_task::lane, "hardware")
      .set(device_task::name, "hcom_receive__1")
      .set(device_task::dur_ns, 500);
  sdk::testing::Host host;
  host.add(0, std::move(spans));
  if (steps.size() > 0) host.add(0, std::move(ranges));
  host.add(0, std::move(tasks));
  host.answer("detect_scenario", R"({"value": "training"})");
  host.answer("detect_execution_mode", R"({"status": "not_applicable"})");
  return host.run(summarize_profile, arguments);
}

}  // namespace

TEST_CASE("a timeline of one step is that step, by the profiler's overlap analysis") {
  const auto r = summary_of({7});
  const auto b = r["breakdown"];
  CHECK(b["computing_us"].number() == 2);
  CHECK(b["communication_us"].number() == 4);
  CHECK(b["overlapped_us"].number() == 1);
  CHECK(b["not_overlapped_us"].number() == 3);
  CHECK(b["free_us"].number() == 5);
  CHECK(b["wall_us"].number() == 10);
  CHECK(b["bubble_us"].number() == 0.5);  // of the communication's process; the hardware shows it again
  CHECK(b["stage_us"].number() == 9.5);
  CHECK(b["window"].text() ==
        "step 7, the only one of the run, from its first device work to its end, by the timeline's overlap analysis");
  CHECK(r["metrics"]["step.free_ratio"].number() == 0.5);
  CHECK(r["evidence"].at(0)["says"].text() == "unions of the overlap analysis, up to its last span");
  CHECK(r["iterations"]["source"].text() == "profiler_step");
  CHECK(r["iterations"]["count"].integer() == 1);
  CHECK(r["iterations"]["wall_avg_us"].number() == 10);
  CHECK(r["iterations"]["avg_us"].is_null());
  CHECK(summary_of({7}, R"({"step": 7})")["breakdown"]["wall_us"].number() == 10);
}

TEST_CASE("of several steps the timeline tells how long the host took; its overlap analysis is of the whole run") {
  const auto r = summary_of({7, 8});
  CHECK(r["breakdown"]["window_of"].text() == "run");
  CHECK(r["breakdown"]["free_us"].number() == 5);
  CHECK(r["metrics"]["step.free_ratio"].is_null());
  CHECK(r["iterations"]["count"].integer() == 2);
  CHECK(r["iterations"]["wall_avg_us"].number() == 10);
  CHECK(summary_of({7, 8}, R"({"step": 8})")["breakdown"].is_null());
  CHECK(summary_of({7, 8}, R"({"step": 9})").is_absent());
}

TEST_CASE("a timeline without steps is of the whole run") {
  const auto r = summary_of({});
  CHECK(r["breakdown"]["window_of"].text() == "run");
  CHECK(r["breakdown"]["computing_us"].number() == 2);
  CHECK(r["busy_ratio"].is_null());
  CHECK(r["iterations"]["count"].is_null());
}
