#include "groups.h"

#include "test_tables.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::comm_overlap;
using namespace stepwise::comm_overlap::testing;

namespace {

constexpr const char* kThreeRanks = R"({"all_ranks": [0, 1, 2]})";

}  // namespace

TEST_CASE("R_wait compares the ranks' transfer in the collectives that all have; the late rank waits least") {
  sdk::testing::Host host;
  // Common: c0 and c1. Transfer 300 + 100 = 400 and 100 + 100 = 200 us: 1 - 300 / 400 = 0.25.
  host.add(0, operations({{1, "c0", "g", 300'000, 900'000, 0},
                          {1, "c1", "g", 100'000, 0, 0},
                          {1, "only here", "g", 9'000'000, 0, 0}}));
  host.add(1, operations({{1, "c0", "g", 100'000, 10'000, 0}, {1, "c1", "g", 100'000, 0, 0}}));
  host.add(2, operations({{1, "c0", "other", 100'000, 0, 0}}));
  with_call(
      host,
      [](sdk::Call& call) {
        const auto groups = find_groups(call, std::nullopt, 50'000'000);
        REQUIRE(groups.has_value());
        REQUIRE(groups->size() == 2);
        const sdk::CommGroup& g = groups->front();
        CHECK(g.id == "g");
        CHECK(g.ranks == std::vector<uint32_t>{0, 1});
        CHECK(g.collectives == 2);
        REQUIRE(g.r_wait.has_value());
        CHECK(*g.r_wait == 0.25);
        CHECK(g.insufficient.empty());
        CHECK(g.late_rank == 1u);
        CHECK(g.longest_wait_ns == 900'000);
        CHECK(g.shortest_wait_ns == 10'000);
        CHECK(groups->back().insufficient == "one_rank_at_hand");
        CHECK_FALSE(groups->back().late_rank.has_value());
        // 400 us are less than 0.5 % of 100 ms.
        CHECK(find_groups(call, std::nullopt, 100'000'000)->front().insufficient ==
              "transit_below_0.5_percent_of_step");
        CHECK(find_groups(call, std::nullopt, std::nullopt)->front().insufficient == "no_step_time");
        CHECK(find_groups(call, 2, 50'000'000)->empty());
      },
      kThreeRanks);
}

TEST_CASE("little transfer or nothing in common gives no R_wait; waits that hardly differ name nobody") {
  sdk::testing::Host host;
  host.add(0, operations({{1, "c0", "tiny", 49'000, 49'999, 0},
                          {1, "a", "apart", 90'000, 0, 0},
                          {1, "p", "pipe", 90'000, 0, 0, "p2p"}}));
  host.add(
      1, operations(
             {{1, "c0", "tiny", 1'000, 0, 0}, {1, "b", "apart", 90'000, 0, 0}, {1, "p", "pipe", 90'000, 0, 0, "p2p"}}));
  with_call(
      host,
      [](sdk::Call& call) {
        const auto groups = find_groups(call, std::nullopt, 1'000'000);
        REQUIRE(groups.has_value());
        for (const sdk::CommGroup& one : *groups) {
          CHECK_FALSE(one.r_wait.has_value());
          CHECK_FALSE(one.late_rank.has_value());
          CHECK(one.insufficient == (one.id == "tiny" ? "transit_below_50_us" : "no_common_collectives"));
        }
      },
      kThreeRanks);
}

TEST_CASE("no rank with communication.json: nothing can be told of groups") {
  sdk::testing::Host host;
  host.add(0, kernels({{1, "a", "compute", 0, 1}}));
  with_call(
      host, [](sdk::Call& call) { CHECK_FALSE(find_groups(call, std::nullopt, 1000).has_value()); }, kThreeRanks);
}
