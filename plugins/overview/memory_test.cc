#include "overview.h"
#include "stepwise/testing.hpp"
#include "tests/catch.h"

using namespace stepwise;
using sdk::testing::Host;
using sdk::testing::Table;
namespace api_stat = stepwise::table::api_stat;
namespace kernel = stepwise::table::kernel;
namespace l2_cache = stepwise::table::l2_cache;
namespace memory_block = stepwise::table::memory_block;
namespace meta = stepwise::table::meta;
namespace module_memory = stepwise::table::module_memory;
namespace samples = stepwise::table::memory;
namespace static_memory = stepwise::table::static_memory;

namespace {

sdk::Value run(Table table, const char* args = "{}") {
  Host host;
  host.add(0, std::move(table));
  return host.run(overview::memory, args);
}

Table::Row add_sample(Table& table, const char* component, int64_t ts_ns, int64_t reserved, int64_t row) {
  return table.row()
      .set(samples::component, component)
      .set(samples::device, "NPU:0")
      .set(samples::ts_ns, ts_ns)
      .set(samples::reserved_bytes, reserved)
      .set(samples::src_pos, row);
}

Table::Row add_block(Table& table, const char* name, int64_t bytes, int64_t row) {
  return table.row().set(memory_block::name, name).set(memory_block::bytes, bytes).set(memory_block::src_pos, row);
}

}  // namespace

TEST_CASE("peaks by device and component, and what was reserved in vain") {
  Table table(samples::kTable, "memory_record.csv");
  add_sample(table, "PTA", 1'000'000, 300, 1).set(samples::allocated_bytes, 250).set(samples::active_bytes, 260);
  add_sample(table, "PTA", 2'000'000, 500, 2).set(samples::allocated_bytes, 200).set(samples::active_bytes, 210);
  add_sample(table, "PTA", 3'000'000, 500, 3).set(samples::allocated_bytes, 240).set(samples::active_bytes, 490);
  add_sample(table, "APP", 1'500'000, 900, 4);
  const auto r = run(std::move(table), R"({"profile": {"origin_ns": "500000"}})");
  CHECK(r["peak"].size() == 2);
  const auto app = r["peak"].at(0), pta = r["peak"].at(1);
  CHECK(app["component"].text() == "APP");
  CHECK(app["reserved_bytes"].integer() == 900);
  CHECK(app["allocated_bytes"].is_null());
  CHECK(app["reserved_minus_active_bytes"].is_null());
  CHECK(pta["device"].text() == "NPU:0");
  CHECK(pta["allocated_bytes"].integer() == 250);
  CHECK(pta["active_bytes"].integer() == 490);
  CHECK(pta["reserved_minus_active_bytes"].integer() == 10);
  CHECK(pta["reserved_at_us"].number() == 1'500);
  CHECK(r["metrics"]["memory.reserved_bytes"].integer() == 900);
  CHECK(r["headroom_bytes"].is_null());  // nothing tells the device's size
  CHECK(r["status"].text() == "partial");
  CHECK(r["missing"].at(0)["costs"].text() == "no headroom_bytes: declare device_memory_bytes");
  CHECK(r["allocator"].is_null());
  CHECK(r["evidence"].at(0)["row"].integer() == 4);
}

TEST_CASE("headroom is the device's size minus the most that was reserved") {
  Host host;
  Table table(samples::kTable, "trace.json");
  add_sample(table, "GPU 0", 1, 700, 1);
  host.add(0, std::move(table));
  Table properties(meta::kTable, "trace.json");
  properties.row().set(meta::key, "deviceProperties.0.totalGlobalMem").set(meta::value, "1000");
  properties.row().set(meta::key, "deviceProperties.1.totalGlobalMem").set(meta::value, "2000");
  properties.row().set(meta::key, "deviceProperties.2.totalGlobalMem").set(meta::value, "many");
  host.add(0, std::move(properties));
  const auto r = host.run(overview::memory);
  CHECK(r["capacity_bytes"].integer() == 1'000);
  CHECK(r["headroom_bytes"].integer() == 300);
}

TEST_CASE("the device's size may be declared where no file tells it, and does not overrule one that does") {
  constexpr const char* kDeclared = R"({"profile": {"declare": {"device_memory_bytes": 5000}}})";
  Host host;
  Table table(samples::kTable, "memory_record.csv");
  add_sample(table, "PTA", 1, 700, 1);
  host.add(0, std::move(table));
  const auto r = host.run(overview::memory, kDeclared);
  CHECK(r["capacity_bytes"].integer() == 5'000);
  CHECK(r["headroom_bytes"].integer() == 4'300);
  CHECK(r["missing"].is_absent());
  CHECK(r["evidence"].at(1)["says"].text() == "capacity_bytes: declared by the caller");
  Table properties(meta::kTable, "trace.json");
  properties.row().set(meta::key, "deviceProperties.0.totalGlobalMem").set(meta::value, "1000");
  host.add(0, std::move(properties));
  CHECK(host.run(overview::memory, kDeclared)["headroom_bytes"].integer() == 300);
}

TEST_CASE("operators by size times duration; blocks that stay are counted apart") {
  Table table(memory_block::kTable, "operator_memory.csv");
  add_block(table, "aten::empty", 100, 1).set(memory_block::alloc_ns, 1).set(memory_block::dur_ns, 4'000);
  add_block(table, "aten::empty", 300, 2).set(memory_block::alloc_ns, 1).set(memory_block::dur_ns, 2'000);
  add_block(table, "aten::empty", 50, 3).set(memory_block::alloc_ns, 1);
  add_block(table, "aten::mm", 70, 4);  // seen only when it was released
  add_block(table, "aten::add", 1'001, 5).set(memory_block::alloc_ns, 1).set(memory_block::dur_ns, 1'000);
  const auto r = run(std::move(table));
  CHECK(r["total_rows"].integer() == 3);
  const auto first = r["rows"].at(0), second = r["rows"].at(1), third = r["rows"].at(2);
  CHECK(first["name"].text() == "aten::add");
  CHECK(first["byte_us"].number() == 1'001);
  CHECK(second["name"].text() == "aten::empty");
  CHECK(second["byte_us"].number() == 1'000);  // 100 x 4 + 300 x 2
  CHECK(second["count"].integer() == 3);
  CHECK(second["bytes"].integer() == 450);
  CHECK(second["max_bytes"].integer() == 300);
  CHECK(second["avg_dur_us"].number() == 3);
  CHECK(second["held_bytes"].integer() == 50);
  CHECK(third["byte_us"].number() == 0);
  CHECK(third["held_bytes"].integer() == 0);

  Table large(memory_block::kTable, "operator_memory.csv");  // 2 GiB for half a second
  constexpr int64_t kBytes = int64_t{2} << 30;
  add_block(large, "aten::empty", kBytes, 1).set(memory_block::alloc_ns, 1).set(memory_block::dur_ns, 500'000'000);
  CHECK(run(std::move(large))["rows"].at(0)["gib_s"].number() == 1);
  CHECK(third["avg_dur_us"].is_null());
}

TEST_CASE("calls of the allocator are of one level, and none of the host's memory") {
  Host host;
  Table table(samples::kTable, "memory_record.csv");
  add_sample(table, "PTA", 1, 1, 1);
  host.add(0, std::move(table));
  Table stat(api_stat::kTable, "api_statistic.csv");
  const auto add = [&stat](const char* level, const char* name, int64_t count, int64_t total_ns) {
    stat.row()
        .set(api_stat::level, level)
        .set(api_stat::name, name)
        .set(api_stat::count, count)
        .set(api_stat::total_ns, total_ns);
  };
  add("acl", "aclrtMallocPhysical", 2, 900);
  add("acl", "aclrtFree", 3, 100);
  add("acl", "aclrtMallocHost", 5, 5'000);
  add("acl", "aclrtMemcpy", 5, 5'000);
  add("runtime", "DevMalloc", 7, 800);
  host.add(0, std::move(stat));
  Table kernels(kernel::kTable, "kernel_details.csv");
  for (const int64_t number : {1, 2}) {
    kernels.row().set(kernel::name, "a").set(kernel::class_, "compute").set(kernel::step, number);
  }
  host.add(0, std::move(kernels));
  const auto allocator = host.run(overview::memory)["allocator"];
  CHECK(allocator["count"].integer() == 5);
  CHECK(allocator["total_us"].number() == 1);
  CHECK(allocator["per_step"].number() == 2.5);
  CHECK(allocator["us_per_step"].number() == 0.5);
  CHECK(allocator["calls"].size() == 2);
  CHECK(allocator["calls"].at(0)["name"].text() == "aclrtMallocPhysical");
}

TEST_CASE("L2 hits by operator: the mean of its tasks, ranked by their kernels' time") {
  Host host;
  Table cache(l2_cache::kTable, "l2_cache.csv");
  const auto task = [&cache](const char* name, int64_t id) {
    return cache.row().set(l2_cache::name, name).set(l2_cache::stream, 2).set(l2_cache::task_id, id);
  };
  task("short", 1).set(l2_cache::hit_ratio, 0.9);
  task("long", 2).set(l2_cache::hit_ratio, 0.2).set(l2_cache::victim_ratio, 0.1);
  task("long", 3).set(l2_cache::hit_ratio, 0.4);
  task("untimed", 9);
  host.add(0, std::move(cache));
  Table kernels(kernel::kTable, "kernel_details.csv");
  for (int64_t id = 1; id < 4; ++id) {
    kernels.row()
        .set(kernel::stream, 2)
        .set(kernel::task_id, id)
        .set(kernel::dur_ns, 100 * id)
        .set(kernel::class_, "compute");
  }
  host.add(0, std::move(kernels));
  const auto l2 = host.run(overview::memory)["l2"];
  CHECK(l2.size() == 3);
  CHECK(l2.at(0)["name"].text() == "long");
  CHECK(l2.at(0)["tasks"].integer() == 2);
  CHECK(l2.at(0)["hit_ratio"].number() == Approx(0.3));
  CHECK(l2.at(0)["victim_ratio"].number() == 0.1);
  CHECK(l2.at(0)["total_us"].number() == 0.5);
  CHECK(l2.at(2)["hit_ratio"].is_null());
  CHECK(l2.at(2)["total_us"].is_null());
}

TEST_CASE("what the driver's components reserve, and what a graph plans at once") {
  Host host;
  Table modules(module_memory::kTable, "npu_module_mem.csv");
  const auto module = [&modules](const char* name, int64_t bytes) {
    modules.row().set(module_memory::component, name).set(module_memory::reserved_bytes, bytes);
  };
  module("SLOG", 0);
  module("HCCL", 100);
  module("HCCL", 400);
  module("RUNTIME", 200);
  host.add(0, std::move(modules));
  Table plan(static_memory::kTable, "static_op_mem.csv");
  const auto op = [&plan](int64_t first, int64_t last, int64_t bytes) {
    plan.row()
        .set(static_memory::name, "op")
        .set(static_memory::model, "m")
        .set(static_memory::graph_id, 1)
        .set(static_memory::node_start, first)
        .set(static_memory::node_end, last)
        .set(static_memory::bytes, bytes);
  };
  op(1, 3, 10);
  op(3, 5, 20);
  op(4, 4, 15);
  host.add(0, std::move(plan));
  const auto r = host.run(overview::memory);
  CHECK(r["modules"].size() == 2);
  CHECK(r["modules"].at(0)["component"].text() == "HCCL");
  CHECK(r["modules"].at(0)["reserved_bytes"].integer() == 400);
  CHECK(r["planned"].at(0)["operators"].integer() == 3);
  CHECK(r["planned"].at(0)["peak_bytes"].integer() == 35);  // at node 4
}

TEST_CASE("memory: a cancelled call emits nothing") {
  Table table(memory_block::kTable, "operator_memory.csv");
  for (int i = 0; i < 9'000; ++i) add_block(table, "aten::empty", 1, i);
  for (const uint64_t looks : {0, 1, 3}) {
    Host host;
    host.add(0, table);
    host.cancel_after(looks);
    CHECK(host.run(overview::memory).is_absent());
  }
}
