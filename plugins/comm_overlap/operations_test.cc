#include "operations.h"

#include "test_tables.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::comm_overlap;
using namespace stepwise::comm_overlap::testing;

TEST_CASE("wait ratio: 0 where nothing took time, 1 without transfer") {
  CHECK(Times{}.wait_ratio() == 0);
  CHECK(Times{0, 20, 0, 0}.wait_ratio() == 1);
  CHECK(Times{30, 10, 0, 99}.wait_ratio() == 0.25);
}

TEST_CASE("operations are summed by name and group, by steps if asked, longest first") {
  sdk::testing::Host host;
  host.add(0, operations({{1, "short", "g", 10, 0, 0},
                          {1, "long", "g", 100, 200, 300},
                          {2, "long", "g", 1, 2, 3},
                          {2, "long", "h", 5, 5, 5}}));
  with_call(host, [](sdk::Call& call) {
    const auto all = operations_of_file(call, 0, std::nullopt);
    REQUIRE(all.has_value());
    REQUIRE(all->list.size() == 3);
    CHECK(all->list[0].name == "long");
    CHECK(all->list[0].group == "g");
    CHECK(all->list[0].count == 2);
    CHECK(all->list[0].elapse_ns == 606);
    CHECK(all->list[0].times->wait_ns == 202);
    CHECK(all->list[0].longest_row == 2);
    CHECK(all->all.elapse_ns == 631);
    CHECK(all->all.times->idle_ns == 308);
    const auto second = operations_of_file(call, 0, 2);
    CHECK(second->all.count == 2);
    CHECK(second->all.elapse_ns == 21);
    CHECK_FALSE(operations_of_file(call, 1, std::nullopt).has_value());
  });
}

TEST_CASE("bandwidth is that of the transport that moved most; SDMA repeats the others and is never added") {
  namespace comm_link = table::comm_link;
  sdk::testing::Table links(comm_link::kTable, "communication.json");
  const auto link = [&links](int64_t op, const char* transport, int64_t bytes, int64_t ns) {
    links.row()
        .set(comm_link::comm_op_id, op)
        .set(comm_link::transport, transport)
        .set(comm_link::bytes, bytes)
        .set(comm_link::transit_ns, ns);
  };
  link(0, "SDMA", 1000, 50);
  link(0, "HCCS", 1000, 50);
  link(0, "RDMA", 0, 0);
  link(1, "HCCS", 500, 50);
  link(1, "SDMA", 500, 50);
  link(2, "RDMA", 0, 0);
  sdk::testing::Host host;
  host.add(0, operations({{1, "a", "g", 10, 0, 5}, {2, "a", "g", 10, 0, 5}, {2, "b", "g", 1, 0, 0}}));
  host.add(0, std::move(links));
  with_call(host, [](sdk::Call& call) {
    const auto found = operations_of_file(call, 0, std::nullopt);
    REQUIRE(found->list.size() == 2);
    REQUIRE(found->list[0].traffic.has_value());
    CHECK(found->list[0].traffic->transport == "HCCS");
    CHECK(found->list[0].traffic->bytes == 1500);
    CHECK(found->list[0].traffic->transit_ns == 100);
    CHECK_FALSE(found->list[1].traffic.has_value());
  });
}

TEST_CASE("without communication.json operations are the communication kernels, without a split") {
  sdk::testing::Host host;
  host.add(0, kernels({{1, "nccl", "communication", 0, 10},
                       {1, "gemm", "compute", 0, 99},
                       {2, "nccl", "communication", 20, 30}}));
  with_call(host, [](sdk::Call& call) {
    const auto found = operations_of_kernels(call, 0, std::nullopt);
    REQUIRE(found.has_value());
    REQUIRE(found->list.size() == 1);
    CHECK(found->list[0].count == 2);
    CHECK(found->list[0].elapse_ns == 40);
    CHECK_FALSE(found->list[0].times.has_value());
    CHECK_FALSE(found->all.times.has_value());
    CHECK(operations_of_kernels(call, 0, 2)->all.elapse_ns == 30);
  });
}

TEST_CASE("communication kernels of two process groups are operations of their own") {
  sdk::testing::Host host;
  host.add(0, kernels({{1, "nccl", "communication", 0, 10, "tp"},
                       {1, "nccl", "communication", 20, 30, "dp"},
                       {1, "nccl", "communication", 60, 5, "tp"},
                       {1, "nccl", "communication", 70, 1}}));
  with_call(host, [](sdk::Call& call) {
    const auto found = operations_of_kernels(call, 0, std::nullopt);
    REQUIRE(found->list.size() == 3);
    CHECK(found->list[0].group == "dp");
    CHECK(found->list[1].group == "tp");
    CHECK(found->list[1].count == 2);
    CHECK(found->list[1].elapse_ns == 15);
    CHECK_FALSE(found->list[2].group.has_value());
    CHECK(found->all.count == 4);
  });
}
