// The device work of stages: by flows, by links, by time.
#include "test_steps.h"

using namespace recsys_stages_test;

TEST_CASE("device work is of the stage that launched it, wherever and whenever it ran: flows") {
  Calls calls;
  calls.add("ProfilerStep#1", kMain, 0, 1000);
  const int64_t forward = calls.add("model.forward", kMain, 100, 100);
  const int64_t inner = calls.add("aten::addmm", kMain, 110, 10);
  const int64_t item = calls.add("aten::item", kMain, 300, 10);
  Table tasks(device_task::kTable, "trace_view.json"), flows(flow::kTable, "trace_view.json");
  int64_t count = 0;
  const auto launch = [&](int64_t from, const char* name, const char* type, int64_t start_us, int64_t dur_us) {
    tasks.row()
        .set(device_task::name, name)
        .set(device_task::lane, "hardware")
        .set(device_task::task_type, type)
        .set(device_task::start_ns, start_us * kUs)
        .set(device_task::dur_ns, dur_us * kUs);
    flows.row()
        .set(flow::kind, "async_npu")
        .set(flow::src_table, "host_op")
        .set(flow::src_id, from)
        .set(flow::dst_table, "device_task")
        .set(flow::dst_id, count++);
  };
  launch(inner, "MatMul", "AI_CORE", 500, 100);         // [500, 600)
  launch(forward, "Relu", "AI_VECTOR_CORE", 550, 100);  // [550, 650): union 150
  launch(forward, "EVENT_WAIT", "EVENT_WAIT_SQE", 700, 200);
  launch(item, "MEMCPY_ASYNC", "PCIE_DMA_SQE", 800, 5);
  flows.row()
      .set(flow::kind, "x")
      .set(flow::src_table, "host_op")
      .set(flow::src_id, 99)
      .set(flow::dst_table, "device_task");
  Host host;
  host.add(0, calls.take());
  host.add(0, steps({{1, 0, 1000}}));
  host.add(0, std::move(tasks));
  host.add(0, std::move(flows));
  const Value answer = host.run(stage_breakdown);
  CHECK(us(answer, "forward", "device_us") == 150);
  CHECK(answer["unclassified"]["device_us"].number() == 5.0);
}

namespace {

struct KernelRow {
  const char* name;
  const char* class_;
  int64_t start_us, dur_us;
  std::optional<int64_t> host_op_id;
};

void add_kernels(Host& host, std::initializer_list<KernelRow> rows, bool linked) {
  Table kernels(kernel::kTable, "trace.json"), links(kernel_link::kTable, "trace.json");
  int64_t id = 0;
  for (const KernelRow& row : rows) {
    kernels.row()
        .set(kernel::name, row.name)
        .set(kernel::class_, row.class_)
        .set(kernel::start_ns, row.start_us * kUs)
        .set(kernel::dur_ns, row.dur_us * kUs);
    auto link = links.row();
    link.set(kernel_link::kernel_id, id++).set(kernel_link::how, "correlation");
    if (row.host_op_id) link.set(kernel_link::host_op_id, *row.host_op_id);
  }
  host.add(0, std::move(kernels));
  if (linked) host.add(0, std::move(links));
}

}  // namespace

TEST_CASE("device work on GPUs: kernel links; kernels without a launching call are told") {
  Calls calls;
  calls.add("ProfilerStep#1", kMain, 0, 100, "user_annotation");
  const int64_t forward = calls.add("## forward ##", kMain, 10, 20, "user_annotation");
  const int64_t comms = calls.add("record_param_comms", kMain, 40, 10);
  Host host;
  host.add(0, calls.take());
  host.add(0, steps({{1, 0, 100}}));
  add_kernels(host,
              {{"sgemm", "compute", 200, 30, forward},
               {"memcpy", "copy", 220, 20, forward},
               {"ncclKernel_AllReduce_RING", "communication", 300, 50, comms},
               {"orphan", "compute", 15, 7, std::nullopt},  // began when the host was in forward
               {"outside", "compute", 400, 70, std::nullopt}},
              true);
  const Value answer = host.run(stage_breakdown);
  CHECK(us(answer, "forward", "device_us") == 47);
  CHECK(us(answer, "backward", "device_us") == 50);
  CHECK(us(answer, "backward", "all_threads_us") == 0);
  CHECK(warns(answer, "stages.device_unlinked"));
  CHECK(answer["missing"].size() == 1);  // calls of the driver
}

TEST_CASE("without any link device work is of what the host did at that time") {
  Calls calls;
  calls.add("ProfilerStep#1", kMain, 0, 100);
  calls.add("model.forward", kMain, 10, 20);
  calls.add("AddmmBackward0", kBackward, 25, 40);
  Host host;
  host.add(0, calls.take());
  host.add(0, steps({{1, 0, 100}}));
  add_kernels(host,
              {{"a", "compute", 12, 5, {}},    // forward
               {"b", "compute", 28, 4, {}},    // both: the main thread decides
               {"c", "compute", 50, 6, {}},    // backward
               {"d", "compute", 90, 3, {}},    // nothing
               {"e", "compute", 150, 3, {}}},  // outside
              false);
  const Value answer = host.run(stage_breakdown);
  CHECK(us(answer, "forward", "device_us") == 9);
  CHECK(us(answer, "backward", "device_us") == 6);
  CHECK(answer["unclassified"]["device_us"].number() == 3.0);
  CHECK(answer["missing"].size() == 2);
}
