// Problems of operators that the host makes: waits for it, and synchronisations inside.
#include "problem_operators_test.h"
#include "tests/catch.h"

using namespace stepwise;
using overview::problem_operators;
using sdk::testing::Host;
using sdk::testing::Table;
namespace device_task = stepwise::table::device_task;
namespace host_op = stepwise::table::host_op;
namespace kernel = stepwise::table::kernel;
namespace kernel_link = stepwise::table::kernel_link;
namespace runtime_api = stepwise::table::runtime_api;
namespace step = stepwise::table::step;

TEST_CASE("waits for the host are gaps without communication, over 3 durations; host bound by late launches") {
  const auto kernels = [] {
    Kernels k;
    k.add("first", "Mul", "AI_VECTOR_CORE", 100).set(kernel::step, 1);
    k.add("hcom_allReduce__1", "hcom_allReduce_", "HCCL", 300).set(kernel::step, 1);  // [1100, 1400)
    k.add("after", "Add", "AI_VECTOR_CORE", 50, 151)
        .set(kernel::input_shapes, "8")
        .set(kernel::step, 1);                                             // gap 451, of it 300 communicates
    k.add("soon", "Sub", "AI_VECTOR_CORE", 50, 150).set(kernel::step, 1);  // not over 3 durations
    k.add("late", "Div", "AI_VECTOR_CORE", 10, 49).set(kernel::step, 1);
    return k;
  };
  Host host;
  host.add(0, std::move(kernels().table));
  Table links(kernel_link::kTable, "trace_view.json");
  const auto link = [&links](int64_t kernel_row, int64_t api) {
    links.row().set(kernel_link::kernel_id, kernel_row).set(kernel_link::runtime_api_id, api);
  };
  link(2, 0);
  link(4, 1);
  host.add(0, std::move(links));
  Table calls(runtime_api::kTable, "trace_view.json");
  calls.row().set(runtime_api::name, "launch").set(runtime_api::start_ns, 1'101);  // after `first` ended at 1,100
  calls.row().set(runtime_api::name, "launch").set(runtime_api::start_ns, 1'200);  // long before
  host.add(0, std::move(calls));
  const auto r = host.run(problem_operators, R"({"kind": "host_wait"})");
  // From 1,000 to 1,860: 151 + 49 of 860 in waits.
  CHECK(r["host_wait"]["wait_us"].number() == 0.2);
  CHECK(r["host_wait"]["step_us"].number() == 0.86);
  CHECK(r["host_wait"]["host_bound_us"].number() == 0.151);
  CHECK(problem(r, "host_wait")["ratio"].number() == 200.0 / 860);
  CHECK(problem(r, "host_wait")["found"].boolean() == true);
  CHECK(r["total_rows"].integer() == 2);
  CHECK(r["rows"].at(0)["name"].text() == "after");
  CHECK(r["rows"].at(0)["total_us"].number() == 0.05);
  CHECK(r["rows"].at(0)["wait_us"].number() == 0.151);
  CHECK(r["rows"].at(0)["value"].number() == 151.0 / 50);
  CHECK(r["rows"].at(0)["threshold"].number() == 3);
  const auto unlinked = run(kernels());
  CHECK(unlinked["host_wait"]["host_bound_us"].is_null());
  CHECK(unlinked["total_rows"].integer() == 2);  // found, so listed without being asked for

  // What lies between kernels of a run that nothing divides may lie between its iterations: there is no share of a
  // step.
  Kernels undivided;
  undivided.add("a", "Mul", "AI_VECTOR_CORE", 10);
  undivided.add("b", "Mul", "AI_VECTOR_CORE", 10, 5'000);
  const auto untold = run(std::move(undivided), R"({"kind": "host_wait"})");
  CHECK(untold["host_wait"].is_null());
  CHECK(untold["unknown"].at(0)["lacks"].text() == "the time of steps");
}

TEST_CASE("steps of their own: no wait across their border, and their wall time is the file's") {
  Kernels kernels;
  kernels.add("a", "Mul", "AI_VECTOR_CORE", 10).set(kernel::step, 1);
  kernels.add("b", "Mul", "AI_VECTOR_CORE", 10, 5'000).set(kernel::step, 2);
  kernels.add("c", "Mul", "AI_VECTOR_CORE", 10, 40).set(kernel::step, 2);
  Host host;
  host.add(0, std::move(kernels.table));
  Table steps(step::kTable, "step_trace_time.csv");
  for (const int64_t number : {1, 2}) {
    steps.row().set(step::step, number).set(step::computing_ns, 10).set(step::stage_ns, 200);
  }
  host.add(0, std::move(steps));
  const auto r = host.run(problem_operators);
  CHECK(r["host_wait"]["wait_us"].number() == 0.04);
  CHECK(problem(r, "host_wait")["ratio"].number() == 0.1);
  CHECK(problem(r, "host_wait")["found"].boolean() == false);
  CHECK(host.run(problem_operators, R"({"step": 2})")["operators"]["count"].integer() == 2);
  CHECK(host.run(problem_operators, R"({"step": 3})").is_absent());
  CHECK(host.failure()->hint == "It has: 1, 2.");
}

TEST_CASE("a custom operator that synchronises inside: nested calls count once, the framework's own never") {
  Host host;
  Kernels kernels;
  kernels.add("a", "Mul", "AI_VECTOR_CORE", 10);
  host.add(0, std::move(kernels.table));
  Table ops(host_op::kTable, "trace_view.json");
  const auto op = [&ops](const char* name, int64_t start_ns, int64_t dur_ns, int64_t tid, int64_t pos) {
    ops.row()
        .set(host_op::name, name)
        .set(host_op::start_ns, start_ns)
        .set(host_op::dur_ns, dur_ns)
        .set(host_op::tid, tid)
        .set(host_op::src_pos, pos);
  };
  op("hash::lookup", 100, 100, 7, 11);
  op("aten::copy_", 300, 100, 7, 12);
  op("hash::lookup", 500, 100, 7, 13);
  op("hash::lookup", 700, 100, 7, 14);
  host.add(0, std::move(ops));
  Table calls(runtime_api::kTable, "trace_view.json");
  const auto api = [&calls](const char* name, int64_t start_ns, int64_t dur_ns, int64_t tid) {
    return calls.row()
        .set(runtime_api::name, name)
        .set(runtime_api::start_ns, start_ns)
        .set(runtime_api::dur_ns, dur_ns)
        .set(runtime_api::tid, tid);
  };
  api("aclrtSynchronizeStreamWithTimeout", 110, 50, 7);
  api("StreamSynchronize", 111, 40, 7).set(runtime_api::parent_id, 0);
  api("aclrtSynchronizeStreamWithTimeout", 310, 50, 7);  // in aten::copy_
  api("aclrtSynchronizeStreamWithTimeout", 510, 20, 8);  // another thread
  api("aclrtStreamWaitEvent", 710, 5, 7).set(runtime_api::link_id, 99);
  host.add(0, std::move(calls));
  Table tasks(device_task::kTable, "trace_view.json");
  tasks.row()
      .set(device_task::name, "EVENT_WAIT")
      .set(device_task::lane, "hardware")
      .set(device_task::dur_ns, 30)
      .set(device_task::connection_id, 99);
  host.add(0, std::move(tasks));
  const auto r = host.run(problem_operators, R"({"kind": "custom_op_sync"})");
  CHECK(r["total_rows"].integer() == 1);
  CHECK(r["rows"].at(0)["name"].text() == "hash::lookup");
  CHECK(r["rows"].at(0)["count"].integer() == 2);
  CHECK(r["rows"].at(0)["total_us"].number() == 0.08);
  CHECK(r["rows"].at(0)["value"].number() == 1);
  CHECK(r["rows"].at(0)["row"].integer() == 11);  // the longest
  CHECK(problem(r, "custom_op_sync")["found"].boolean() == true);
  CHECK(r["evidence"].at(1)["file"].text() == "trace_view.json");
}
