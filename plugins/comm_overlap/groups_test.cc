#include "groups.h"

#include <map>
#include <string>
#include <utility>

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
        const auto read = read_groups(call, std::nullopt);
        REQUIRE(read.has_value());
        const auto groups = read->judge(50'000'000);
        REQUIRE(groups.size() == 2);
        const sdk::CommGroup& g = groups.front();
        CHECK(g.id == "g");
        CHECK(g.ranks == std::vector<uint32_t>{0, 1});
        CHECK(g.collectives == 2);
        REQUIRE(g.r_wait.has_value());
        CHECK(*g.r_wait == 0.25);
        CHECK(g.insufficient.empty());
        CHECK(g.late_rank == 1u);
        CHECK(g.longest_wait_ns == 900'000);
        CHECK(g.shortest_wait_ns == 10'000);
        CHECK(groups.back().insufficient == "one_rank_at_hand");
        CHECK_FALSE(groups.back().late_rank.has_value());
        // 400 us are less than 0.5 % of 100 ms.
        CHECK(read->judge(100'000'000).front().insufficient == "transit_below_0.5_percent_of_step");
        CHECK(read->judge(std::nullopt).front().insufficient == "no_step_time");
        CHECK(read_groups(call, 2)->judge(50'000'000).empty());
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
        const auto read = read_groups(call, std::nullopt);
        REQUIRE(read.has_value());
        for (const sdk::CommGroup& one : read->judge(1'000'000)) {
          CHECK_FALSE(one.r_wait.has_value());
          CHECK_FALSE(one.late_rank.has_value());
          CHECK(one.insufficient == (one.id == "tiny" ? "transit_below_50_us" : "no_common_collectives"));
          CHECK(one.compares_ranks() == (one.id == "tiny"));
        }
      },
      kThreeRanks);
}

TEST_CASE("R_wait of one collective: its executions that all ranks have, where the group transfers enough") {
  sdk::testing::Host host;
  // c0 in two steps: 60 + 40 and 20 + 20 us, 1 - 70 / 100; the third is rank 0's alone.
  host.add(0, operations({{1, "c0", "g", 60'000, 0, 0},
                          {2, "c0", "g", 40'000, 0, 0},
                          {3, "c0", "g", 900'000, 0, 0},
                          {1, "c1", "g", 45'000, 0, 0},
                          {1, "alone", "g", 90'000, 0, 0},
                          {1, "p", "pipe", 90'000, 0, 0, "p2p"},
                          {1, "c0", "own", 90'000, 0, 0}}));
  host.add(1, operations({{1, "c0", "g", 20'000, 0, 0},
                          {2, "c0", "g", 20'000, 0, 0},
                          {1, "c1", "g", 45'000, 0, 0},
                          {1, "p", "pipe", 90'000, 0, 0, "p2p"}}));
  with_call(
      host,
      [](sdk::Call& call) {
        const auto groups = read_groups(call, std::nullopt);
        REQUIRE(groups.has_value());
        const auto judged = [&](int64_t step_ns, size_t count = 100) {
          auto operations = operations_of_file(call, 0, std::nullopt);
          compare_operations(*groups, step_ns, count, *operations);
          std::map<std::string, std::pair<std::optional<double>, std::string>> out;
          for (const Operation& one : operations->list)
            out[*one.group + " " + one.name] = {one.r_wait, one.insufficient};
          return out;
        };
        auto ops = judged(29'000'000);  // 0.5 % of it is 145 us, which the group has, but none of its collectives alone
        REQUIRE(ops["g c0"].first.has_value());
        CHECK(*ops["g c0"].first == Approx(0.3));
        CHECK(ops["g c0"].second.empty());
        CHECK_FALSE(ops["g c1"].first.has_value());
        CHECK(ops["g c1"].second == "transit_below_50_us");
        CHECK(ops["g alone"].second == "no_common_collectives");
        CHECK(ops["pipe p"].second == "no_common_collectives");
        CHECK(ops["own c0"].second == "one_rank_at_hand");
        CHECK(judged(29'001'000)["g c0"].second == "transit_below_0.5_percent_of_step");
        CHECK(judged(29'000'000, 1)["g c1"].second == Operation::kRanksUnknown);  // not listed, not compared
      },
      R"({"all_ranks": [0, 1]})");
}

TEST_CASE("no rank with communication.json: nothing can be told of groups") {
  sdk::testing::Host host;
  host.add(0, kernels({{1, "a", "compute", 0, 1}}));
  with_call(
      host, [](sdk::Call& call) { CHECK_FALSE(read_groups(call, std::nullopt).has_value()); }, kThreeRanks);
}
