#include "links.h"

#include "cluster.h"
#include "test_tables.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::cluster::testing;
using cluster::cluster_summary;
using sdk::Value;
using sdk::testing::Host;

namespace {

constexpr const char* kThreeRanks = R"({"ranks": [0, 1, 2], "profile": {"kind": "torch_npu"}})";
constexpr const char* kRanks57 = R"({"ranks": [5, 7], "profile": {"kind": "torch_npu"}})";

}  // namespace

TEST_CASE("totals of digests are added over operations; a link below 0.8 of its kind's median is slow") {
  Host host;
  // Of rank 0: 40 MB in 2 ms and 20 MB in 2 ms: 15 GB/s. Ranks 1 and 2: 60 MB in 3 ms, 60 MB in 3 ms: 20 GB/s.
  host.add(0, links({{"allreduce-top1", "g", 0, 1, 9'000'000, 1'000},
                     {"allreduce-total", "g", 0, 1, 40'000'000, 2'000'000},
                     {"allgather-total", "g", 0, 1, 20'000'000, 2'000'000},
                     {"allreduce-total", "g", 0, 0, 40'000'000, 100'000, "LOCAL"}}));
  host.add(1, links({{"allreduce-total", "g", 1, 2, 60'000'000, 3'000'000},
                     {"allreduce-total", "g", 1, 0, 4'000'000, 4'000'000, "RDMA"}}));
  host.add(2, links({{"allreduce-total", "g", 2, 0, 60'000'000, 3'000'000},
                     {"allreduce-total", "g", 2, 1, 900'000, 900'000}}));
  const Value answer = host.run(cluster_summary, kThreeRanks);
  REQUIRE(answer["links"].size() == 5);
  const Value slowest = answer["links"].at(0);
  CHECK(slowest["src"].integer() == 0);
  CHECK(slowest["dst"].integer() == 1);
  CHECK(slowest["bytes"].integer() == 60'000'000);
  CHECK(slowest["bandwidth_gb_s"].number() == 15.0);
  CHECK(slowest["of_median_ratio"].number() == 0.75);
  CHECK(slowest["slow"].boolean() == true);
  CHECK(answer["links"].at(1)["slow"].boolean() == false);
  // One link of its transport, and one with less than a megabyte, are compared with nothing.
  CHECK(answer["links_total"].to_json() == R"({"compared":3,"links":5,"slow":1,"slow_below_ratio":0.8})");
  CHECK(answer["links"].at(4)["of_median_ratio"].is_null());
  CHECK(*answer["metrics"]["cluster.slowest_link_ratio"].number() == 0.75);
}

TEST_CASE("a link at 0.8 of its median is not slow, and one just below is") {
  // 60 MB in 3 ms are 20 GB/s; in 3.75 ms 16, which is 0.8 of that.
  for (const int64_t transit_ns : {3'750'000, 3'750'010}) {
    Host host;
    host.add(0, links({{"allreduce-total", "g", 0, 1, 60'000'000, transit_ns}}));
    host.add(1, links({{"allreduce-total", "g", 1, 2, 60'000'000, 3'000'000}}));
    host.add(2, links({{"allreduce-total", "g", 2, 0, 60'000'000, 3'000'000}}));
    const Value answer = host.run(cluster_summary, kThreeRanks);
    CHECK(answer["links"].at(0)["src"].integer() == 0);
    CHECK(answer["links"].at(0)["slow"].boolean() == (transit_ns > 3'750'000));
    CHECK(answer["links_total"]["slow"].integer() == (transit_ns > 3'750'000 ? 1 : 0));
  }
}

TEST_CASE("two links are too few to call one slow") {
  Host host;
  host.add(0, links({{"allreduce-total", "g", 0, 1, 60'000'000, 30'000'000}}));
  host.add(1, links({{"allreduce-total", "g", 1, 0, 60'000'000, 3'000'000}}));
  const Value answer = host.run(cluster_summary, R"({"ranks": [0, 1], "profile": {"kind": "torch_npu"}})");
  CHECK(answer["links_total"]["compared"].integer() == 0);
  CHECK(answer["links"].at(0)["slow"].boolean() == false);
}

TEST_CASE("files of whole names count each operation, and not their sum again") {
  Host host;
  host.add(0, links({{"hcom_send__1", "g", 0, 1, 2'000'000, 100'000},
                     {"hcom_send__2", "g", 0, 1, 2'000'000, 300'000},
                     {"Total Op Info", "g", 0, 1, 4'000'000, 400'000}}));
  const Value answer = host.run(cluster_summary, R"({"ranks": [0, 1], "profile": {"kind": "torch_npu"}})");
  REQUIRE(answer["links"].size() == 1);
  CHECK(answer["links"].at(0)["bytes"].integer() == 4'000'000);
  CHECK(answer["links"].at(0)["bandwidth_gb_s"].number() == 10.0);
}

TEST_CASE("numbers within a group become ranks, by the ranks whose files have the group or by what is said of it") {
  Host host;
  host.add(5, links({{"allreduce-total", "g", 0, 1, 100, 10}}));
  host.add(7, links({{"allreduce-total", "g", 1, 0, 100, 10}}));
  const Value answer = host.run(cluster_summary, kRanks57);
  REQUIRE(answer["links"].size() == 2);
  CHECK(answer["links"].at(0)["src"].integer() == 5);
  CHECK(answer["links"].at(0)["dst"].integer() == 7);
  CHECK(answer["links"].at(0)["numbers_of_group"].is_absent());

  // group_name_19 is known as this number; rank 7 is third in it, and the fourth is not at hand.
  const char* hash = "3985310405473756128";
  Host named;
  named.add(7, metadata({{"parallel_group_info.group_name_19.group_name", "dp"},
                         {"parallel_group_info.group_name_19.global_ranks", "[3, 5, 7, 9]"}}));
  named.add(7, links({{"allreduce-total", hash, 2, 3, 100, 10}}));
  const Value told = named.run(cluster_summary, R"({"ranks": [7], "profile": {"kind": "torch_npu"}})");
  REQUIRE(told["links"].size() == 1);
  CHECK(told["links"].at(0)["src"].integer() == 7);
  CHECK(told["links"].at(0)["dst"].integer() == 9);
}

TEST_CASE("numbers that nothing explains stay the group's, and a warning says so") {
  Host host;
  host.add(5, links({{"allreduce-total", "g", 0, 2, 100, 10}}));
  host.add(7, links({{"allreduce-total", "g", 1, 0, 100, 10}}));
  const Value answer = host.run(cluster_summary, kRanks57);
  REQUIRE(answer["links"].size() == 2);
  CHECK(answer["links"].at(0)["numbers_of_group"].text() == "g");
  CHECK(answer["warnings"].at(0)["code"].text() == "cluster.link_numbers");

  // Ranks 0 and 1 have these numbers in any group that they begin; who is third cannot be known.
  Host first;
  first.add(0, links({{"allreduce-total", "g", 0, 2, 100, 10}}));
  first.add(1, links({{"allreduce-total", "g", 1, 0, 100, 10}}));
  const Value unknown = first.run(cluster_summary, R"({"ranks": [0, 1], "profile": {"kind": "torch_npu"}})");
  CHECK(unknown["links"].at(0)["numbers_of_group"].text() == "g");

  // Rank 7 under its own number: its group holds all ranks up to 7, whoever numbers them.
  Host global;
  global.add(5, links({{"allreduce-total", "g", 5, 7, 100, 10}}));
  global.add(7, links({{"allreduce-total", "g", 7, 5, 100, 10}}));
  const Value known = global.run(cluster_summary, kRanks57);
  CHECK(known["links"].at(0)["dst"].integer() == 7);
  CHECK(known["links"].at(0)["numbers_of_group"].is_absent());
}

TEST_CASE("a cluster's matrix tells of ranks without their own") {
  namespace matrix = table::cluster_comm_matrix;
  sdk::testing::Table of_cluster(matrix::kTable, "cluster_communication_matrix.json");
  for (const int64_t src : {0, 1}) {
    of_cluster.row()
        .set(matrix::step, 1)
        .set(matrix::name, "allreduce-total")
        .set(matrix::kind, "collective")
        .set(matrix::src_rank, src)
        .set(matrix::dst_rank, 1 - src)
        .set(matrix::transport, "HCCS")
        .set(matrix::bytes, 777)
        .set(matrix::transit_ns, 10);
  }
  Host host;
  host.add(0, links({{"allreduce-total", "g", 0, 1, 100, 10}}));
  host.add(0, std::move(of_cluster));
  const Value answer = host.run(cluster_summary, R"({"ranks": [0], "profile": {"kind": "torch_npu"}})");
  REQUIRE(answer["links"].size() == 2);
  CHECK(answer["links"].at(0)["bytes"].integer() == 100);
  CHECK(answer["links"].at(1)["src"].integer() == 1);
  CHECK(answer["links"].at(1)["bytes"].integer() == 777);
}
