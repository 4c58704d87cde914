#include "parallel_groups.h"

#include "test_tables.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::cluster;
using namespace stepwise::cluster::testing;

namespace {

ParallelGroups read(sdk::testing::Host& host, std::string_view args) {
  static thread_local ParallelGroups found;
  found = {};
  host.run(
      [](sdk::Call& call) -> int32_t {
        found = read_parallel_groups(call);
        return call.emit(sdk::JsonWriter().begin_object().end_object());
      },
      args);
  return found;
}

}  // namespace

TEST_CASE("a group's hash is the one that operations carry") {
  // From a real run of four ranks: names in parallel_group_info, hashes in communication.json.
  CHECK(group_hash("group_name_0") == "5862276093215481612");
  CHECK(group_hash("group_name_19") == "3985310405473756128");
  CHECK(group_hash("") == "0");
}

TEST_CASE("numbers are found in lists however they are written; what does not fit is left out") {
  CHECK(numbers_in("[0, 2]") == std::vector<int64_t>{0, 2});
  CHECK(numbers_in("7,11") == std::vector<int64_t>{7, 11});
  CHECK(numbers_in("").empty());
  CHECK(numbers_in("99999999999999999999, 3") == std::vector<int64_t>{3});
}

TEST_CASE("groups and a rank's place in them come from the metadata, whose names may hold dots") {
  sdk::testing::Host host;
  host.add(2, metadata({{"parallel_group_info.10.0.0.1%eth_6.group_name", "tp"},
                        {"parallel_group_info.10.0.0.1%eth_6.group_rank", "1"},
                        {"parallel_group_info.10.0.0.1%eth_6.global_ranks", "[0, 2]"},
                        {"parallel_group_info.77.group_name", "dp_cp"},
                        {"parallel_group_info.77.group_rank", "3"},
                        {"parallel_group_info.77.global_ranks", "[1,2]"},
                        {"config.rank", "5"}}));
  const ParallelGroups groups = read(host, R"({"ranks": [2]})");
  const NamedGroup* tensor = groups.find(group_hash("10.0.0.1%eth_6"));
  REQUIRE(tensor != nullptr);
  CHECK(tensor->parallel == "tp");
  CHECK(tensor->ranks == std::vector<int64_t>{0, 2});
  // Some write the hash itself.
  REQUIRE(groups.find("77") != nullptr);
  CHECK(groups.find("77")->ranks == std::vector<int64_t>{1, 2});
  CHECK(groups.place(2).tensor == 1);
  CHECK(groups.place(2).data == 3);
  CHECK_FALSE(groups.place(2).pipeline.has_value());
  CHECK_FALSE(groups.place(0).any());
}

TEST_CASE("a cluster's files say the same for all ranks") {
  namespace comm_group = table::comm_group;
  sdk::testing::Table list(comm_group::kTable, "communication_group.json");
  list.row().set(comm_group::kind, "collective").set(comm_group::ranks, "0,4").set(comm_group::group_id, "12");
  list.row().set(comm_group::kind, "collective").set(comm_group::ranks, "0,1");
  sdk::testing::Host host;
  host.add(0, std::move(list));
  host.add(0, cluster_steps({{"rank", 3, 1, 0, 0, 0, 0, 0, 2}}));
  const ParallelGroups groups = read(host, R"({"ranks": [0]})");
  REQUIRE(groups.find("12") != nullptr);
  CHECK(groups.find("12")->ranks == std::vector<int64_t>{0, 4});
  CHECK(groups.by_id.size() == 1);
  CHECK(groups.place(3).pipeline == 2);
}
