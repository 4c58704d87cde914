// Stages of stretches of device time, by launch and by time, and of what makes host and device wait.
#include "test_steps.h"

using namespace recsys_stages_test;
using recsys_stages::stage_alignment;

namespace {

void add_task(Table& tasks, const char* name, const char* lane, int64_t start_us, int64_t dur_us) {
  tasks.row()
      .set(device_task::name, name)
      .set(device_task::lane, lane)
      .set(device_task::start_ns, start_us * kUs)
      .set(device_task::dur_ns, dur_us * kUs);
}

void add_flow(Table& flows, int64_t host_row, int64_t task) {
  flows.row()
      .set(flow::kind, "async_npu")
      .set(flow::src_table, "host_op")
      .set(flow::src_id, host_row)
      .set(flow::dst_table, "device_task")
      .set(flow::dst_id, task);
}

Value source_of(const Value& answer, std::string_view api, std::string_view stage) {
  for (size_t i = 0; i < answer["sync_sources"].size(); ++i) {
    const Value one = answer["sync_sources"].at(i);
    if (one["api"].text() == api && one["stage"].text() == stage) return one;
  }
  return {};
}

}  // namespace

TEST_CASE("spans have the stage that launched most of their communication, and the one that the host was in") {
  Calls calls;
  const int64_t fetch = calls.add("embedding_fetch", kMain, 0, 100);
  const int64_t backward = calls.add("loss.backward", kMain, 200, 100);
  Table tasks(device_task::kTable, "trace_view.json"), flows(flow::kTable, "trace_view.json");
  add_task(tasks, "hcom_alltoallv__1", "communication", 210, 50);   // [210, 260), launched by the fetch
  add_task(tasks, "hcom_allReduce__2", "communication", 255, 100);  // [255, 355), by the backward
  add_flow(flows, fetch, 0);
  add_flow(flows, backward, 1);
  Host host;
  host.add(0, calls.take());
  host.add(0, steps({{1, 0, 1000}}));
  host.add(0, std::move(tasks));
  host.add(0, std::move(flows));
  const Value answer =
      host.run(stage_alignment, R"({"spans": [[210000, 258000], [250000, 300000], [500000, 510000], [50000, 60000]]})");
  CHECK(answer["how"].text() == "launch");
  const Value stages = answer["stages"];
  REQUIRE(stages.size() == 4);
  CHECK(stages.at(0)["stage"].text() == "embedding_fetch");
  CHECK(stages.at(0)["stage_by_time"].text() == "backward");
  CHECK(stages.at(1)["stage"].text() == "backward");  // 45 of it against 10
  CHECK(stages.at(2)["stage"].text() == "unclassified");
  CHECK(stages.at(3)["stage"].text() == "embedding_fetch");  // nothing communicates: by time
}

TEST_CASE("without links a collective's kind and instant tell its stage") {
  Calls calls;
  calls.add("embedding_fetch", kMain, 0, 100);
  calls.add("loss.backward", kMain, 200, 100);
  Table kernels(kernel::kTable, "kernel_details.csv");
  for (const auto& [name, start_us] :
       {std::pair<const char*, int64_t>{"hcom_alltoallv__1", 150}, {"hcom_alltoallv__2", 400}}) {
    kernels.row()
        .set(kernel::name, name)
        .set(kernel::class_, "communication")
        .set(kernel::start_ns, start_us * kUs)
        .set(kernel::dur_ns, 50 * kUs);
  }
  Host host;
  host.add(0, calls.take());
  host.add(0, steps({{1, 0, 1000}}));
  host.add(0, std::move(kernels));
  const Value answer = host.run(stage_alignment, R"({"spans": [[150000, 200000], [400000, 450000]]})");
  CHECK(answer["how"].text() == "time");
  CHECK(answer["stages"].at(0)["stage"].text() == "embedding_fetch");
  CHECK(answer["stages"].at(1)["stage"].text() == "update_embedding");
  CHECK(answer["stages"].at(1)["stage_by_time"].text() == "unclassified");
  CHECK(answer["device_wait_us"].is_null());
}

TEST_CASE("waits of host and device by who waits and stage; nested ones and second showings once") {
  Calls calls;
  calls.add("aten::item", kMain, 15, 50);  // the driver's call below it counts
  calls.add("model.forward", kMain, 100, 100);
  calls.add("loss.backward", kMain, 1000, 500);
  const int64_t wait_event = calls.add("wait_event", kMain, 1010, 10);
  Table driver(runtime_api::kTable, "trace_view.json");
  const auto add = [&driver](const char* name, int64_t tid, int64_t start_us, int64_t dur_us, int64_t parent = -1) {
    auto row = driver.row();
    if (parent >= 0) row.set(runtime_api::parent_id, parent);
    row.set(runtime_api::name, name)
        .set(runtime_api::pid, 555)
        .set(runtime_api::tid, tid)
        .set(runtime_api::start_ns, start_us * kUs)
        .set(runtime_api::dur_ns, dur_us * kUs);
  };
  add("AscendCL@aclrtSynchronizeStream", kMain, 20, 40);
  add("Runtime@StreamSynchronize", kMain, 21, 38, 0);      // inside it
  add("AscendCL@aclrtSynchronizeStream", kMain, 110, 10);  // forward
  add("AscendCL@aclrtSynchronizeStream", 77, 120, 5);      // a queue's thread: what the host is in
  add("AscendCL@aclrtStreamWaitEvent", kMain, 130, 5);     // does not wait
  Table tasks(device_task::kTable, "trace_view.json"), flows(flow::kTable, "trace_view.json");
  add_task(tasks, "EVENT_WAIT", "hardware", 300, 30);        // launched by wait_event
  add_task(tasks, "Notify_Wait", "hardware", 150, 20);       // no link: the host is in forward
  add_task(tasks, "Notify_Wait", "communication", 150, 20);  // the same again
  add_task(tasks, "MatMul", "hardware", 170, 20);
  add_flow(flows, wait_event, 0);
  Host host;
  host.add(0, calls.take());
  host.add(0, steps({{1, 0, 900}, {2, 900, 1000}}));
  host.add(0, std::move(driver));
  host.add(0, std::move(tasks));
  host.add(0, std::move(flows));
  const Value answer = host.run(stage_alignment, R"({"spans": []})");
  const char* kSync = "AscendCL@aclrtSynchronizeStream";
  CHECK(answer["sync_sources"].size() == 4);
  CHECK(source_of(answer, kSync, "unclassified")["total_us"].number() == 40.0);
  CHECK(source_of(answer, kSync, "forward")["count"].integer() == 2);
  CHECK(source_of(answer, kSync, "forward")["total_us"].number() == 15.0);
  CHECK(source_of(answer, kSync, "forward")["max_us"].number() == 10.0);
  CHECK(source_of(answer, kSync, "forward")["side"].text() == "host");
  CHECK(source_of(answer, "EVENT_WAIT", "backward")["total_us"].number() == 30.0);
  CHECK(source_of(answer, "Notify_Wait", "forward")["count"].integer() == 1);
  CHECK(source_of(answer, "Notify_Wait", "forward")["side"].text() == "device");
  CHECK(answer["device_wait_us"].number() == 50.0);
  CHECK(host.run(stage_alignment, R"({"spans": [], "of_step": 2})")["sync_sources"].size() == 0);
}

TEST_CASE("whole microseconds: waits that begin where another ends are their own, unless the table has them inside") {
  Calls calls;
  calls.add("model.forward", kMain, 100, 100);
  Table driver(runtime_api::kTable, "trace.json");
  for (const int64_t dur_us : {2, 0, 0}) {  // [110, 112), and two without a printed length at 112
    driver.row()
        .set(runtime_api::name, "cudaStreamSynchronize")
        .set(runtime_api::pid, 7)
        .set(runtime_api::tid, kMain)
        .set(runtime_api::start_ns, (dur_us > 0 ? 110 : 112) * kUs)
        .set(runtime_api::dur_ns, dur_us * kUs);
  }
  Host host;
  host.add(0, calls.take());
  host.add(0, steps({{1, 0, 900}}));
  host.add(0, std::move(driver));
  CHECK(
      source_of(host.run(stage_alignment, R"({"spans": []})"), "cudaStreamSynchronize", "forward")["count"].integer() ==
      3);
  CHECK(host.run(stage_async)["waits"].at(0)["count"].integer() == 3);

  Table ops(host_op::kTable, "trace.json");
  int64_t row = 0;
  for (const char* name : {"aten::item", "aten::_local_scalar_dense", "aten::item", "aten::_local_scalar_dense"}) {
    auto one = ops.row();
    one.set(host_op::name, name).set(host_op::category, "cpu_op").set(host_op::pid, 7).set(host_op::tid, kMain);
    one.set(host_op::start_ns, 112 * kUs).set(host_op::dur_ns, 0);
    if (row % 2 == 1) one.set(host_op::parent_id, row - 1);
    ++row;
  }
  Host reads;
  reads.add(0, std::move(ops));
  reads.add(0, steps({{1, 0, 900}}));
  const Value item = source_of(reads.run(stage_alignment, R"({"spans": []})"), "aten::item", "unclassified");
  CHECK(item["count"].integer() == 2);
  const Value waits = reads.run(stage_async)["waits"];
  REQUIRE(waits.size() == 1);
  CHECK(waits.at(0)["count"].integer() == 2);
}

TEST_CASE("where the driver's calls are not shown the framework's count") {
  Calls calls;
  calls.add("aten::item", kMain, 15, 50);
  calls.add("aten::_local_scalar_dense", kMain, 16, 40);
  Host host;
  host.add(0, calls.take());
  host.add(0, steps({{1, 0, 900}}));
  const Value answer = host.run(stage_alignment, R"({"spans": []})");
  REQUIRE(answer["sync_sources"].size() == 1);
  CHECK(answer["sync_sources"].at(0)["api"].text() == "aten::item");
  CHECK(answer["sync_sources"].at(0)["total_us"].number() == 50.0);
}
