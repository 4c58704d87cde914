#include "overlap.h"

#include "test_tables.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::comm_overlap;
using namespace stepwise::comm_overlap::testing;

TEST_CASE("pieces of the timeline belong whole to the step whose device range holds their start") {
  sdk::testing::Host host;
  host.add(0, spans({{"Free", 0, 100},  // before the first device work: of no step
                     {"Computing", 100, 150},
                     {"Communication", 140, 240},
                     {"Computing", 200, 210},
                     {"Free", 240, 300},  // starts before the host ends step 1
                     {"Computing", 300, 340},
                     {"Communication", 340, 400},
                     {"Free", 400, 450}}));  // after step 2's end
  host.add(0, kernels({{1, "a", "compute", 100, 50},
                       {1, "hcom_receive__1", "communication", 140, 100},
                       {1, "b", "compute", 200, 10},
                       {2, "c", "compute", 300, 40},
                       {2, "hcom_allReduce__1", "communication", 340, 60}}));
  host.add(0, host_steps({{1, 50, 210}, {2, 260, 50}}));
  sdk::testing::Table tasks(table::device_task::kTable, "trace_view.json");
  namespace device_task = table::device_task;
  tasks.row()
      .set(device_task::name, "hcom_receive__1")
      .set(device_task::lane, "communication")
      .set(device_task::start_ns, 140)
      .set(device_task::dur_ns, 100);
  host.add(0, std::move(tasks));
  with_call(host, [](sdk::Call& call) {
    const auto overlap = overlap_of_timeline(call, 0);
    REQUIRE(overlap.has_value());
    REQUIRE(overlap->windows.size() == 2);
    const Breakdown& one = overlap->windows[0];
    CHECK(one.step == 1);
    CHECK(one.computing_ns == 60);
    CHECK(one.overlapped_ns == 20);      // [140,150) and [200,210)
    CHECK(one.not_overlapped_ns == 80);  // [150,200) and [210,240)
    CHECK(one.free_ns == 60);            // whole, though step 1's range ends at 260
    CHECK(one.wall_ns == 200);           // 100 to 300
    CHECK(one.bubble_ns == 100);
    CHECK(one.stage_ns() == 100);
    const Breakdown& two = overlap->windows[1];
    CHECK(two.computing_ns == 40);
    CHECK(two.not_overlapped_ns == 60);
    CHECK(two.free_ns == 0);
    CHECK(two.wall_ns == 100);
    for (const Breakdown& window : overlap->windows) {
      CHECK(window.computing_ns + window.not_overlapped_ns + window.free_ns == window.stage_ns() + window.bubble_ns);
    }
    REQUIRE(overlap->uncovered.size() == 3);
    CHECK(overlap->uncovered[1].when == Interval{210, 240});
    CHECK(overlap->uncovered[2].step == 2);
  });
}

TEST_CASE("a timeline without steps is one window; one without device work is none") {
  sdk::testing::Host host;
  host.add(0, spans({{"Computing", 10, 20}, {"Communication", 15, 40}, {"Free", 40, 45}}));
  with_call(host, [](sdk::Call& call) {
    const auto overlap = overlap_of_timeline(call, 0);
    REQUIRE(overlap.has_value());
    REQUIRE(overlap->windows.size() == 1);
    CHECK_FALSE(overlap->windows[0].step.has_value());
    CHECK(overlap->windows[0].not_overlapped_ns == 20);
    CHECK(overlap->windows[0].wall_ns == 35);
  });
  sdk::testing::Host idle;
  idle.add(0, spans({{"Free", 0, 100}}));
  with_call(idle, [](sdk::Call& call) { CHECK_FALSE(overlap_of_timeline(call, 0).has_value()); });
}

TEST_CASE("without an overlap analysis the kernels and the host's steps tell the same") {
  sdk::testing::Host host;
  host.add(0, kernels({{1, "a", "compute", 100, 50},
                       {1, "hcom_receive__1", "communication", 140, 100},
                       {1, "b", "compute", 200, 10},
                       {std::nullopt, "between", "compute", 250, 5},  // of no step, but while step 1 lasts
                       {2, "c", "compute", 300, 40},
                       {2, "hcom_allReduce__1", "communication", 340, 60}}));
  host.add(0, host_steps({{1, 50, 210}, {2, 260, 240}}));  // the last one ends long after the device's work
  with_call(host, [](sdk::Call& call) {
    CHECK_FALSE(overlap_of_timeline(call, 0).has_value());
    const auto overlap = overlap_of_host_steps(call, 0);
    REQUIRE(overlap.has_value());
    REQUIRE(overlap->windows.size() == 2);
    const Breakdown& one = overlap->windows[0];
    CHECK(one.step == 1);
    CHECK(one.computing_ns == 65);
    CHECK(one.overlapped_ns == 20);      // [140,150) and [200,210)
    CHECK(one.not_overlapped_ns == 80);  // [150,200) and [210,240)
    CHECK(one.free_ns == 55);            // [240,250) and [255,300), whole, though the host ends step 1 at 260
    CHECK(one.wall_ns == 200);
    CHECK(one.bubble_ns == 100);
    const Breakdown& two = overlap->windows[1];
    CHECK(two.computing_ns == 40);
    CHECK(two.not_overlapped_ns == 60);
    CHECK(two.free_ns == 0);  // nothing of the device begins behind its last work
    CHECK(two.wall_ns == 100);
    REQUIRE(overlap->uncovered.size() == 3);
    CHECK(overlap->uncovered[1].when == Interval{210, 240});
    CHECK(overlap->uncovered[2].step == 2);
  });
}

TEST_CASE("kernels alone do not tell where the host's steps end") {
  sdk::testing::Host host;
  host.add(0, kernels({{1, "a", "compute", 100, 50}}));
  with_call(host, [](sdk::Call& call) { CHECK_FALSE(overlap_of_host_steps(call, 0).has_value()); });
  host.add(0, host_steps({{9, 50, 210}}));  // of a step without kernels
  with_call(host, [](sdk::Call& call) { CHECK_FALSE(overlap_of_host_steps(call, 0).has_value()); });
}

TEST_CASE("kernels: each row in the step that the file gives it, rows outside steps left out") {
  sdk::testing::Host host;
  host.add(0, kernels({{7, "a", "compute", 0, 100},
                       {7, "hcom_receive__1", "communication", 50, 100},
                       {std::nullopt, "outside", "compute", 150, 10},
                       {7, "b", "compute", 200, 10},
                       {8, "hcom_allReduce__1", "communication", 205, 50}}));
  with_call(host, [](sdk::Call& call) {
    const auto overlap = overlap_of_kernels(call, 0);
    REQUIRE(overlap.has_value());
    REQUIRE(overlap->windows.size() == 2);
    const Breakdown& seven = overlap->windows[0];
    CHECK(seven.computing_ns == 110);
    CHECK(seven.overlapped_ns == 50);
    CHECK(seven.not_overlapped_ns == 50);
    CHECK(seven.free_ns == 50);
    CHECK(seven.wall_ns == 210);
    CHECK(seven.bubble_ns == 100);
    CHECK(overlap->windows[1].not_overlapped_ns == 50);  // another step's kernel hides nothing of it
  });
}

TEST_CASE("device rows: the whole span in four parts, memsets as computation, or the rows of one step") {
  sdk::testing::Host host;
  host.add(0, kernels({{1, "gemm", "compute", 0, 100},
                       {1, "Memset (Device)", "memset", 100, 10},
                       {1, "ncclAllReduce", "communication", 80, 70},  // exposed [110,150)
                       {2, "Memcpy HtoD", "copy", 140, 40},            // exposed [150,180)
                       {2, "gemm", "compute", 200, 50},                // idle [180,200)
                       {2, "ncclAllReduce", "communication", 250, 30}}));
  with_call(host, [](sdk::Call& call) {
    const auto whole = overlap_of_device_rows(call, 0, std::nullopt);
    REQUIRE(whole.has_value());
    const Breakdown& sum = whole->windows.at(0);
    CHECK(sum.computing_ns == 160);
    CHECK(sum.overlapped_ns == 30);
    CHECK(sum.not_overlapped_ns == 70);
    CHECK(sum.copy_not_overlapped_ns == 30);
    CHECK(sum.free_ns == 20);
    CHECK(sum.wall_ns == 280);
    CHECK(sum.computing_ns + sum.not_overlapped_ns + sum.copy_not_overlapped_ns + sum.free_ns == sum.wall_ns);
    REQUIRE(whole->uncovered.size() == 2);
    CHECK(whole->uncovered[0].step == 1);
    CHECK(whole->uncovered[1].step == 2);
    const auto second = overlap_of_device_rows(call, 0, 2);
    REQUIRE(second.has_value());
    CHECK(second->windows.at(0).wall_ns == 140);
    CHECK_FALSE(overlap_of_device_rows(call, 0, 3).has_value());
  });
}

TEST_CASE("a step file gives sums and no spans; one that decomposes nothing gives none") {
  namespace step = table::step;
  sdk::testing::Table file(step::kTable, "step_trace_time.csv");
  file.row()
      .set(step::step, 3)
      .set(step::computing_ns, 60)
      .set(step::not_overlapped_ns, 30)
      .set(step::overlapped_ns, 10)
      .set(step::free_ns, 10)
      .set(step::stage_ns, 80)
      .set(step::bubble_ns, 20);
  file.row().set(step::step, 4).set(step::iteration_ns, 100);
  sdk::testing::Host host;
  host.add(0, std::move(file));
  with_call(host, [](sdk::Call& call) {
    const auto overlap = overlap_of_step_file(call, 0);
    REQUIRE(overlap.has_value());
    REQUIRE(overlap->windows.size() == 1);
    CHECK(overlap->windows[0].communication_ns() == 40);
    CHECK(overlap->windows[0].wall_ns == 100);
    CHECK(overlap->uncovered.empty());
  });
}

TEST_CASE("copies among an NPU's kernels are free time, with the host's steps and without") {
  for (const bool with_host : {false, true}) {
    INFO(with_host);
    sdk::testing::Host host;
    host.add(0, kernels({{1, "memcpy", "copy", 0, 10},
                         {1, "a", "compute", 100, 20},
                         {1, "memcpy", "copy", 125, 10},
                         {1, "hcom_allReduce__1", "communication", 140, 20}}));
    if (with_host) host.add(0, host_steps({{1, 0, 160}}));
    with_call(host, [with_host](sdk::Call& call) {
      const auto overlap = with_host ? overlap_of_host_steps(call, 0) : overlap_of_kernels(call, 0);
      REQUIRE(overlap.has_value());
      REQUIRE(overlap->windows.size() == 1);
      CHECK(overlap->windows[0].computing_ns == 20);
      CHECK(overlap->windows[0].not_overlapped_ns == 20);
      CHECK(overlap->windows[0].free_ns == 20);
      CHECK(overlap->windows[0].wall_ns == 60);
    });
  }
}
