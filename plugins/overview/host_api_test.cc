#include "host_rows.h"
#include "overview.h"
#include "stepwise/testing.hpp"
#include "tests/catch.h"

using namespace stepwise;
using overview::host_api;
using sdk::testing::Host;
using sdk::testing::Table;
namespace api_stat = stepwise::table::api_stat;
namespace device_task = stepwise::table::device_task;
namespace host_op = stepwise::table::host_op;
namespace kernel = stepwise::table::kernel;
namespace runtime_api = stepwise::table::runtime_api;
namespace step = stepwise::table::step;

namespace {

Table two_steps(int64_t computing_ns = 1'000) {
  Table table(step::kTable, "step_trace_time.csv");
  for (const int64_t number : {5, 6}) {
    table.row().set(step::step, number).set(step::computing_ns, computing_ns).set(step::stage_ns, 2 * computing_ns);
  }
  return table;
}

void add_stat(Table& table, const char* level, const char* name, int64_t count, int64_t total_ns, int64_t row) {
  table.row()
      .set(api_stat::level, level)
      .set(api_stat::name, name)
      .set(api_stat::count, count)
      .set(api_stat::total_ns, total_ns)
      .set(api_stat::max_ns, total_ns)
      .set(api_stat::src_pos, row);
}

Table::Row add_call(Table& table, const char* name, const char* category, int64_t number, int64_t dur_ns) {
  Table::Row row = table.row();
  row.set(runtime_api::name, name).set(runtime_api::category, category).set(runtime_api::dur_ns, dur_ns);
  row.set(runtime_api::step, number);
  return row;
}

Table::Row add_op(Table& table, const char* name, int64_t number, int64_t dur_ns) {
  Table::Row row = table.row();
  row.set(host_op::name, name).set(host_op::dur_ns, dur_ns).set(host_op::step, number);
  return row;
}

sdk::Value flag(const sdk::Value& result, std::string_view name) {
  for (size_t i = 0; i < result["flags"].size(); ++i) {
    if (result["flags"].at(i)["flag"].text() == name) return result["flags"].at(i);
  }
  return result["flags"].at(result["flags"].size());
}

}  // namespace

TEST_CASE("rows: the profiler's sums by level beside the framework's operators with their own time") {
  Host host;
  host.add(0, two_steps());
  Table stat(api_stat::kTable, "api_statistic.csv");
  add_stat(stat, "acl", "aclnnAdd", 4, 8'000, 1);
  add_stat(stat, "hccl", "Launch_Ffts", 1, 500, 2);
  host.add(0, std::move(stat));
  Table ops(host_op::kTable, "trace_view.json");
  add_op(ops, "ProfilerStep#5", 5, 90'000);
  add_op(ops, "aten::to", 5, 10'000).set(host_op::parent_id, 0);
  add_op(ops, "aten::copy_", 5, 7'000).set(host_op::parent_id, 1);
  add_op(ops, "aten::to", 6, 2'000);
  host.add(0, std::move(ops));
  const auto r = host.run(host_api);
  CHECK(r["total_rows"].integer() == 4);
  const auto first = r["rows"].at(0);
  CHECK(first["name"].text() == "aten::to");
  CHECK(first["level"].text() == "framework");
  CHECK(first["count"].integer() == 2);
  CHECK(first["total_us"].number() == 12);
  CHECK(first["avg_us"].number() == 6);
  CHECK(first["max_us"].number() == 10);
  CHECK(first["self_us"].number() == 5);  // 10 - 7 + 2
  CHECK(first["per_step"].number() == 1);
  CHECK(r["rows"].at(1)["name"].text() == "aclnnAdd");
  CHECK(r["rows"].at(1)["per_step"].number() == 2);
  CHECK(r["rows"].at(1)["self_us"].is_absent());
  CHECK(r["rows"].at(3)["level"].text() == "communication");
  CHECK(r["iterations"]["count"].integer() == 2);

  const auto one = host.run(host_api, R"({"step": 6})");  // the profiler's sums know no steps
  CHECK(one["total_rows"].integer() == 1);
  CHECK(one["rows"].at(0)["total_us"].number() == 2);
  CHECK(host.run(host_api, R"({"step": 7})").is_absent());
  CHECK(host.failure()->code == "step.unknown");
}

TEST_CASE("synchronisations: one level, nested ones once, mean and worst step") {
  Host host;
  host.add(0, two_steps());
  Table calls(runtime_api::kTable, "trace_view.json");
  for (int i = 0; i < 5; ++i) add_call(calls, "AscendCL@aclrtSynchronizeStreamWithTimeout", "AscendCL", 5, 10'000);
  for (int i = 0; i < 16; ++i) add_call(calls, "AscendCL@aclrtSynchronizeDevice", "AscendCL", 6, 12'000'000);
  for (int i = 0; i < 90; ++i) add_call(calls, "Runtime@StreamSynchronize", "Runtime", 6, 9'000);
  add_call(calls, "AscendCL@aclrtSynchronizeStream", "AscendCL", 6, 1'000).set(runtime_api::parent_id, 5);
  host.add(0, std::move(calls));
  const auto r = host.run(host_api);
  const auto often = flag(r, "synchronisations");
  CHECK(often["value"].number() == 10.5);
  CHECK(often["threshold"].number() == 10);
  CHECK(often["found"].boolean() == true);
  CHECK(often["worst"].number() == 16);
  CHECK(often["worst_step"].integer() == 6);
  CHECK(often["level"].text() == "acl");
  CHECK(often["calls"].text() == "aclrtSynchronizeDevice");
  const auto longest = flag(r, "synchronisation_time");
  CHECK(longest["value"].number() == (16 * 12'000.0 + 50) / 2);
  CHECK(longest["found"].boolean() == false);  // 96,025 us of 100,000
  CHECK(longest["worst"].number() == 192'000);
  CHECK(r["metrics"]["host.synchronisations_per_step"].number() == 10.5);
  // Where no operator encloses them there is nothing to ask problem_operators for.
  CHECK(r["next"].size() == 0);
  Table op(host_op::kTable, "trace_view.json");
  add_op(op, "aten::item", 6, 1'000);
  host.add(0, std::move(op));
  Table kernels(kernel::kTable, "kernel_details.csv");
  kernels.row().set(kernel::name, "k").set(kernel::class_, "compute").set(kernel::step, 6).set(kernel::dur_ns, 10);
  host.add(0, std::move(kernels));
  CHECK(host.run(host_api)["next"].at(0)["arguments"]["kind"].text() == "custom_op_sync");
  CHECK(r["evidence"].at(0)["file"].text() == "trace_view.json");
}

TEST_CASE("synchronisations outside all steps are none of a step's, nor what its figures point at") {
  Host host;
  host.add(0, two_steps());
  Table calls(runtime_api::kTable, "trace.json");
  for (int i = 0; i < 30; ++i) {
    add_call(calls, "cudaStreamSynchronize", "cuda_runtime", 5, 1'000).set(runtime_api::src_pos, 100 + i);
  }
  const auto outside = [&calls](const char* name, const char* category, int64_t dur_ns) {
    calls.row().set(runtime_api::name, name).set(runtime_api::category, category).set(runtime_api::dur_ns, dur_ns);
  };
  outside("cudaDeviceSynchronize", "cuda_runtime", 9'000'000);
  outside("aclrtSynchronizeDevice", "AscendCL", 8'000'000);  // of the level that would be told first
  for (int i = 0; i < 99; ++i) outside("cudaLaunchKernel", "cuda_runtime", 5'000);
  add_call(calls, "cudaLaunchKernel", "cuda_runtime", 5, 3'000);
  host.add(0, std::move(calls));
  Table ops(host_op::kTable, "trace.json");
  for (int i = 0; i < 99; ++i) {
    ops.row().set(host_op::name, "aten::item").set(host_op::dur_ns, 1'000'000);
    ops.row().set(host_op::name, "aten::copy_").set(host_op::dur_ns, 1'000'000);
  }
  add_op(ops, "aten::item", 6, 100);
  add_op(ops, "aten::to", 6, 100);
  host.add(0, std::move(ops));
  const auto r = host.run(host_api);
  for (const char* name : {"synchronisations", "synchronisation_time"}) {
    CHECK(flag(r, name)["value"].number() == 15);
    CHECK(flag(r, name)["calls"].text() == "cudaStreamSynchronize");
    CHECK(flag(r, name)["worst"].number() == 30);
  }
  CHECK(r["evidence"].at(1)["row"].integer() == 100);
  CHECK(flag(r, "launches")["value"].number() == 0.5);
  CHECK(flag(r, "launches")["avg_us"].number() == 3);
  CHECK(flag(r, "copies")["calls"].text() == "aten::to");
  CHECK(flag(r, "copies")["value"].number() == 0.5);
}

TEST_CASE("a scalar read counts once, wherever the timeline's times put its inner call") {
  Host host;
  host.add(0, two_steps());
  Table ops(host_op::kTable, "trace.json");
  for (int i = 0; i < 24; ++i) {
    add_op(ops, "aten::item", 5, 1'000);
    add_op(ops, "aten::_local_scalar_dense", 5, 0);
  }
  add_op(ops, "aten::_local_scalar_dense", 6, 500);  // one that no item made
  host.add(0, std::move(ops));
  const auto r = host.run(host_api);
  CHECK(flag(r, "synchronisations")["value"].number() == 12.5);
  CHECK(flag(r, "synchronisations")["worst"].number() == 24);
}

TEST_CASE("the framework's reads of scalars count where they are more: the outermost of each") {
  Host host;
  host.add(0, two_steps());
  Table ops(host_op::kTable, "trace_view.json");
  for (int64_t i = 0; i < 21; ++i) {
    add_op(ops, "aten::item", 5, 30);
    add_op(ops, "aten::_local_scalar_dense", 5, 20).set(host_op::parent_id, 2 * i);
  }
  host.add(0, std::move(ops));
  const auto r = host.run(host_api);
  CHECK(flag(r, "synchronisations")["value"].number() == 10.5);
  CHECK(flag(r, "synchronisations")["level"].text() == "framework");
  CHECK(flag(r, "synchronisation_time")["worst"].number() == 0.63);
  CHECK(flag(r, "launches").is_absent());  // no calls of the driver: cannot tell
}

TEST_CASE("copies are counted by name, since one wraps the other") {
  Host host;
  host.add(0, two_steps());
  Table ops(host_op::kTable, "trace_view.json");
  for (int i = 0; i < 1'001; ++i) add_op(ops, "aten::copy_", 5, 1);
  for (int i = 0; i < 700; ++i) add_op(ops, "aten::to", 6, 5);
  host.add(0, std::move(ops));
  const auto copies = flag(host.run(host_api), "copies");
  CHECK(copies["value"].number() == 500.5);
  CHECK(copies["found"].boolean() == true);
  CHECK(copies["calls"].text() == "aten::copy_");
  CHECK(copies["worst"].number() == 1'001);
}

TEST_CASE("launches: more than 1,000 a step, and short ones, by the profiler's sums") {
  const auto launches = [](int64_t count, int64_t total_ns) {
    Host host;
    host.add(0, two_steps());
    Table stat(api_stat::kTable, "api_statistic.csv");
    add_stat(stat, "node", "launch", count, total_ns, 1);
    add_stat(stat, "runtime", "KernelLaunchWithHandle", 9 * count, total_ns, 2);
    host.add(0, std::move(stat));
    return flag(host.run(host_api), "launches");
  };
  const auto many = launches(2'002, 2'002 * 19'999);
  CHECK(many["value"].number() == 1'001);
  CHECK(many["avg_us"].number() == 19.999);
  CHECK(many["level"].text() == "node");
  CHECK(many["found"].boolean() == true);
  CHECK(many["worst"].is_absent());
  CHECK(launches(2'002, 2'002 * 20'000)["found"].boolean() == false);
  CHECK(launches(2'000, 2'000)["found"].boolean() == false);
}

TEST_CASE("waits of the device: those for other cards stand in two processes and count once") {
  const auto waits = [](bool in_hardware) {
    Host host;
    host.add(0, two_steps(1'000));
    Table stat(api_stat::kTable, "api_statistic.csv");
    add_stat(stat, "acl", "aclnnAdd", 1, 1, 1);
    host.add(0, std::move(stat));
    Table tasks(device_task::kTable, "trace_view.json");
    const auto task = [&tasks](const char* name, const char* lane, int64_t dur_ns) {
      tasks.row().set(device_task::name, name).set(device_task::lane, lane).set(device_task::dur_ns, dur_ns);
    };
    task("EVENT_WAIT", "hardware", 150);
    task("MatMul", "hardware", 900);
    task("Notify_Wait", "communication", 60);
    if (in_hardware) task("Notify Wait", "hardware", 60);
    host.add(0, std::move(tasks));
    return flag(host.run(host_api), "device_waits");
  };
  CHECK(waits(true)["value"].number() == 210.0 / 2'000);
  CHECK(waits(true)["found"].boolean() == true);
  CHECK(waits(false)["value"].number() == 210.0 / 2'000);
  CHECK(waits(true)["threshold"].number() == 0.1);
}

TEST_CASE("waits of the device belong to the step whose kernels had begun") {
  Host host;
  host.add(0, two_steps(1'000));
  Table kernels(kernel::kTable, "kernel_details.csv");
  for (const int64_t number : {5, 6}) {
    kernels.row()
        .set(kernel::name, "a")
        .set(kernel::class_, "compute")
        .set(kernel::step, number)
        .set(kernel::start_ns, 10'000 * number);
  }
  host.add(0, std::move(kernels));
  Table stat(api_stat::kTable, "api_statistic.csv");
  add_stat(stat, "acl", "aclnnAdd", 1, 1, 1);
  host.add(0, std::move(stat));
  Table tasks(device_task::kTable, "trace_view.json");
  const auto wait = [&tasks](int64_t start_ns, int64_t dur_ns) {
    tasks.row()
        .set(device_task::name, "DAVID_EVENT_WAIT")
        .set(device_task::lane, "hardware")
        .set(device_task::start_ns, start_ns)
        .set(device_task::dur_ns, dur_ns);
  };
  wait(10, 5);  // before the first
  wait(50'000, 100);
  wait(59'999, 40);
  wait(60'000, 300);
  host.add(0, std::move(tasks));
  Table calls(runtime_api::kTable, "trace_view.json");
  add_call(calls, "Node@launch", "Node", 5, 1);
  host.add(0, std::move(calls));
  const auto all = flag(host.run(host_api), "device_waits");
  CHECK(all["value"].number() == 445.0 / 2'000);
  CHECK(all["worst"].number() == 0.3);
  CHECK(all["worst_step"].integer() == 6);
  CHECK(flag(host.run(host_api, R"({"step": 5})"), "device_waits")["value"].number() == 0.14);
}

TEST_CASE("host calls: a cancelled call emits nothing") {
  Table ops(host_op::kTable, "trace_view.json");
  for (int i = 0; i < 9'000; ++i) add_op(ops, "aten::copy_", 5, 1);
  for (const uint64_t looks : {0, 2, 6}) {
    Host host;
    host.add(0, ops);
    host.cancel_after(looks);
    CHECK(host.run(host_api).is_absent());
  }
}

TEST_CASE("without iterations nothing is said of a step, and without a timeline nothing of one") {
  Host host;
  Table stat(api_stat::kTable, "api_statistic.csv");
  add_stat(stat, "acl", "aclrtMalloc", 3, 900, 1);
  host.add(0, std::move(stat));
  const auto r = host.run(host_api);
  CHECK(r["rows"].at(0)["per_step"].is_null());
  CHECK(r["flags"].size() == 0);
  CHECK(r["metrics"]["host.copies_per_step"].is_null());
  CHECK(host.run(host_api, R"({"step": 1})")["status"].text() == "not_applicable");
}

TEST_CASE("levels and names of calls as timelines write them") {
  CHECK(overview::level_of("AscendCL") == "acl");
  CHECK(overview::level_of("Hccl") == "communication");
  CHECK(overview::level_of("cuda_runtime") == "runtime");
  CHECK(overview::level_of(std::nullopt) == "runtime");
  CHECK(overview::bare_name("Node@launch") == "launch");
  CHECK(overview::bare_name("cudaLaunchKernel") == "cudaLaunchKernel");
}
