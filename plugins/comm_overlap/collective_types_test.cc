#include "collective_types.h"

#include "comm_overlap.h"
#include "operations.h"
#include "test_tables.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::comm_overlap;
using namespace stepwise::comm_overlap::testing;

namespace {

constexpr const char* kSendRecv = "ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*, unsigned long)";

struct HostCall {
  const char* name;
  std::optional<int64_t> parent = std::nullopt;
};

sdk::testing::Table host_calls(std::initializer_list<HostCall> rows) {
  namespace host_op = table::host_op;
  sdk::testing::Table table(host_op::kTable, "trace.json");
  for (const HostCall& one : rows) {
    auto row = table.row();
    row.set(host_op::name, one.name);
    if (one.parent) row.set(host_op::parent_id, *one.parent);
  }
  return table;
}

/// The host call that launched each kernel, in the kernels' order.
sdk::testing::Table links(std::initializer_list<int64_t> host_ops) {
  namespace kernel_link = table::kernel_link;
  sdk::testing::Table table(kernel_link::kTable, "trace.json");
  int64_t kernel = 0;
  for (const int64_t host_op : host_ops) {
    table.row().set(kernel_link::kernel_id, kernel++).set(kernel_link::host_op_id, host_op);
  }
  return table;
}

}  // namespace

TEST_CASE("names of calls and kernels tell what kind of operation runs") {
  CHECK(collective_type("nccl:all_reduce") == "allReduce");
  CHECK(collective_type("c10d::allreduce_") == "allReduce");
  CHECK(collective_type("_c10d_functional::all_gather_into_tensor") == "allGather");
  CHECK(collective_type("nccl:_reduce_scatter_base") == "reduceScatter");
  CHECK(collective_type("c10d::alltoall_base_") == "alltoall");
  CHECK(collective_type("nccl:recv 0<-1") == "receive");
  CHECK(collective_type("nccl:reduce") == "reduce");
  CHECK(collective_type("ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)") == "allGather");
  CHECK(collective_type("ncclKernel_Broadcast_RING_LL_Sum_int8_t(ncclDevComm*)") == "broadcast");
  CHECK(collective_type("hcom_batchSendRecv__128_3_1") == "batchSendRecv");
  CHECK_FALSE(collective_type(kSendRecv).has_value());
  CHECK_FALSE(collective_type("nccl:coalesced").has_value());
  CHECK_FALSE(collective_type("aten::scatter_reduce").has_value());
  CHECK_FALSE(collective_type("## all2all_data:kjt values ##").has_value());
}

TEST_CASE("kernels of one name are told apart by the innermost call that says what it launched") {
  sdk::testing::Host host;
  host.add(0, kernels({{1, kSendRecv, "communication", 0, 100},
                       {1, kSendRecv, "communication", 200, 10},
                       {1, kSendRecv, "communication", 300, 20},
                       {1, "ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*)", "communication", 400, 5},
                       {1, kSendRecv, "communication", 500, 1}}));
  host.add(0, host_calls({{"c10d::alltoall_base_"},
                          {"nccl:coalesced", 0},
                          {"c10d::allreduce_"},
                          {"nccl:all_reduce", 2},
                          {"aten::copy_"}}));
  host.add(0, links({1, 3, 1, 4, 4}));
  with_call(host, [](sdk::Call& call) {
    const auto found = operations_of_kernels(call, 0, std::nullopt);
    REQUIRE(found.has_value());
    REQUIRE(found->list.size() == 4);
    CHECK(found->list[0].type == "alltoall");
    CHECK(found->list[0].count == 2);
    CHECK(found->list[0].elapse_ns == 120);
    CHECK(found->list[1].type == "allReduce");
    CHECK(found->list[1].elapse_ns == 10);
    CHECK(found->list[2].type == "allReduce");  // its own name tells, though the call does not
    CHECK(found->list[2].elapse_ns == 5);
    CHECK_FALSE(found->list[3].type.has_value());
    CHECK(found->all.elapse_ns == 136);
  });
}

TEST_CASE("links to nowhere and calls within themselves tell nothing") {
  sdk::testing::Host host;
  host.add(0, kernels({{1, kSendRecv, "communication", 0, 100}, {1, kSendRecv, "communication", 200, 10}}));
  host.add(0, host_calls({{"a", 1}, {"b", 0}}));
  host.add(0, links({0, 99, 0}));
  with_call(host, [](sdk::Call& call) {
    const auto found = operations_of_kernels(call, 0, std::nullopt);
    REQUIRE(found->list.size() == 1);
    CHECK_FALSE(found->list[0].type.has_value());
  });
}

TEST_CASE("an all-to-all that runs as SendRecv does not lead to pipeline stages") {
  const auto next = [](const char* launched_by) {
    sdk::testing::Host host;
    host.add(0, kernels({{1, "gemm", "compute", 0, 100}, {1, kSendRecv, "communication", 100, 100}}, "trace.json"));
    host.add(0, host_calls({{launched_by}}));
    host.add(0, links({0, 0}));
    host.answer("stage_alignment", R"({"how": "launch", "stages": [], "sync_sources": [], "device_wait_us": null})");
    return host.run(stepwise::comm_overlap::comm_overlap, R"({"all_ranks": [0, 1], "profile": {"kind": "kineto"}})");
  };
  const auto why = [&next](const char* launched_by) { return *next(launched_by)["next"].at(0)["why"].text(); };
  CHECK(why("nccl:send 0->1").find("pipeline") != std::string::npos);
  CHECK(why("nccl:all_to_all").find("pipeline") == std::string::npos);
  // Nothing says here whether ranks have a collective in common: find_stragglers might not apply.
  CHECK(next("nccl:all_to_all")["next"].at(0)["tool"].text() == "cluster_summary");
}
