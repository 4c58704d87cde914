#include <string>
#include "cluster.h"
#include "test_tables.h"

#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::cluster::testing;
using cluster::find_stragglers;
using sdk::Value;
using sdk::testing::Host;

namespace {

constexpr const char* kThreeRanks = R"({"ranks": [0, 1, 2], "profile": {"kind": "torch_npu"}})";

// Steps of 1 ms; rank 2 computes 90 us longer and is 10 us longer without work, so it waits 100 us less.
void add_figures(Host& host) {
  host.add(0, steps({{1, 400'000, 300'000, 0, 300'000, 1'000'000}}));
  host.add(1, steps({{1, 400'000, 300'000, 0, 300'000, 1'000'000}}));
  host.add(2, steps({{1, 490'000, 200'000, 0, 310'000, 1'000'000}}));
}

void add_collectives(Host& host) {
  host.add(0, operations({{1, "c0", "g", 1'000'000, 200'000}, {1, "c1", "g", 1'500'000, 100'000}}));
  // Its clock is 7 us ahead; the ends agree but for 1 us.
  host.add(1, operations({{1, "c0", "g", 1'007'000, 200'000}, {1, "c1", "g", 1'508'000, 100'000}}));
  host.add(2, operations({{1, "c0", "g", 1'100'000, 100'000}, {1, "c1", "g", 1'500'000, 100'000}}));
}

}  // namespace

TEST_CASE("the rank whose communication is shortest is late, and what it did more is the cause") {
  Host host;
  add_figures(host);
  add_collectives(host);
  for (const uint32_t rank : {0u, 1u}) {
    host.add(rank, kernels({{1, "m", "compute", 0, 300'000, "MatMulV2"}, {1, "a", "compute", 0, 100'000, "Add"}}));
  }
  host.add(2, kernels({{1, "m", "compute", 0, 390'500, "MatMulV2"}, {1, "a", "compute", 0, 99'500, "Add"}}));
  const Value answer = host.run(find_stragglers, kThreeRanks);
  REQUIRE(answer.is_object());
  CHECK(answer["late_rank"].integer() == 2);
  REQUIRE(answer["rows"].size() == 3);
  const Value late = answer["rows"].at(0);
  CHECK(late["rank"].integer() == 2);
  CHECK(late["late_us"].number() == 100.0);
  // c0 begins at 1,100 us, against 1,000 and 1,007 - 7.5 of the others; at c1 it is 0.25 us earlier than their mean.
  CHECK(late["arrived_later_us"].number() == 100.25);
  CHECK(*late["late_ratio"].number() == 0.1);
  CHECK(late["cause"].text() == "computing");
  CHECK(late["cause_us"].number() == 90.0);
  CHECK(late["more_us"]["idle"].number() == 10.0);
  CHECK(late["more_us"]["began_later"].number() == 0.0);
  CHECK(late["operators"].to_json() == R"([{"more_us":90.5,"op_type":"MatMulV2"}])");
  const Value other = answer["rows"].at(1);
  CHECK(other["late_us"].number() == -50.0);  // the others are 250 us, it is 300
  CHECK(other["cause"].is_null());
  CHECK(answer["matched"]["collectives"].integer() == 2);
  CHECK(answer["matched"]["by"].text() == "communication_file");
  CHECK(answer["next"].at(0)["tool"].text() == "top_operators");
}

TEST_CASE("clocks are aligned by the median of the ends, counted from the lowest rank") {
  Host host;
  add_figures(host);
  add_collectives(host);
  const Value rows = host.run(find_stragglers, kThreeRanks)["rows"];
  REQUIRE(rows.size() == 3);
  for (size_t i = 0; i < 3; ++i) {
    // Ends of rank 1 are 7 and 8 us later.
    const double expected = rows.at(i)["rank"].integer() == 1 ? 7.5 : 0.0;
    CHECK(rows.at(i)["clock_offset_us"].number() == expected);
  }
}

TEST_CASE("when a collective ran is read from its kernel, which is more exact than the operation") {
  Host host;
  add_figures(host);
  add_collectives(host);
  host.add(0,
           kernels({{1, "c0", "communication", 1'000'040, 200'000}, {1, "c1", "communication", 1'500'000, 100'000}}));
  host.add(1, kernels({{1, "c0", "communication", 1'007'000, 200'040}, {1, "c1", "communication", 1'508'000, 99'000}}));
  // Its other kernel of that name begins elsewhere: that one is not the operation.
  host.add(2, kernels({{1, "c0", "communication", 900'000, 100'000}, {1, "c0", "communication", 1'100'100, 99'940}}));
  const Value rows = host.run(find_stragglers, kThreeRanks)["rows"];
  REQUIRE(rows.at(0)["rank"].integer() == 2);
  // Rank 1's clock is 7 us ahead at c0, 7 at c1. At c0 rank 2 is 100.06 and 100.1 us later.
  CHECK(rows.at(0)["arrived_later_us"].number() == Approx(100.08));
  for (size_t i = 0; i < 3; ++i) {
    CHECK(rows.at(i)["clock_offset_us"].number() == (rows.at(i)["rank"].integer() == 1 ? 7.0 : 0.0));
  }
}

TEST_CASE("shorter steps mean a later beginning") {
  Host host;
  host.add(0, steps({{1, 400'000, 300'000, 0, 300'000, 1'000'000}}));
  host.add(1, steps({{1, 400'000, 200'000, 0, 310'000, 910'000}}));
  host.add(0, operations({{1, "c0", "g", 0, 200'000}}));
  host.add(1, operations({{1, "c0", "g", 100'000, 100'000}}));
  const Value late = host.run(find_stragglers, R"({"ranks": [0, 1], "profile": {"kind": "torch_npu"}})")["rows"].at(0);
  CHECK(late["rank"].integer() == 1);
  CHECK(late["cause"].text() == "began_later");
  CHECK(late["cause_us"].number() == 90.0);
  CHECK(late["more_us"]["idle"].number() == 10.0);
}

TEST_CASE("lateness of less than 50 us, or of half a percent of the step, names nobody") {
  Host host;
  host.add(0, steps({{1, 0, 50'000, 0, 50'000, 100'000}}));
  host.add(1, steps({{1, 0, 1'000, 0, 99'000, 100'000}}));
  host.add(2, steps({{1, 0, 50'000, 0, 50'000, 100'000}}));
  add_collectives(host);
  const Value little = host.run(find_stragglers, kThreeRanks);
  CHECK(little["late_rank"].is_null());
  CHECK(little["rows"].at(0)["late_us"].number() == 49.0);
  CHECK(little["rows"].at(0)["cause"].is_null());

  Host rare;
  rare.add(0, steps({{1, 0, 1'000'000, 0, 99'000'000, 100'000'000}}));
  rare.add(1, steps({{1, 0, 600'000, 0, 99'400'000, 100'000'000}}));
  rare.add(2, steps({{1, 0, 1'000'000, 0, 99'000'000, 100'000'000}}));
  add_collectives(rare);
  const Value short_share = rare.run(find_stragglers, kThreeRanks);
  CHECK(short_share["rows"].at(0)["late_us"].number() == 400.0);
  CHECK(short_share["late_rank"].is_null());
}

TEST_CASE("ranks that no collective connects are not compared, nor are pipeline stages") {
  Host host;
  add_figures(host);
  host.add(0, operations({{1, "c0", "g", 0, 200'000}, {1, "p", "pipe", 0, 50'000, 0, 0, "p2p"}}));
  host.add(1, operations({{1, "c0", "g", 0, 200'000}}));
  host.add(2, operations({{1, "c9", "g2", 0, 200'000}, {1, "p", "pipe", 0, 50'000, 0, 0, "p2p"}}));
  const Value answer = host.run(find_stragglers, kThreeRanks);
  REQUIRE(answer["rows"].size() == 2);
  CHECK(answer["late_rank"].is_null());
  CHECK(answer["unmatched_ranks"].to_json() == "[2]");

  Host stages;
  add_figures(stages);
  add_collectives(stages);
  for (const uint32_t rank : {0u, 1u, 2u}) {
    stages.add(rank, metadata({{"parallel_group_info.n.group_name", "pp"},
                               {"parallel_group_info.n.group_rank", rank == 2 ? "1" : "0"}}));
  }
  const Value staged = stages.run(find_stragglers, kThreeRanks);
  REQUIRE(staged["rows"].size() == 2);
  CHECK(staged["rows"].at(0)["pp"].integer() == 0);
  CHECK(staged["rows"].at(0)["peers"].integer() == 1);
  CHECK(staged["unmatched_ranks"].to_json() == "[2]");
}

TEST_CASE("of late ranks of several pipeline stages the one that waits least against its peers is the latest") {
  // Four ranks in two stages. Rank 1 hides 300 us more than rank 0, rank 3 200 us more than rank 2.
  const auto run = [](int64_t wait_of_0_ns) {
    Host host;
    host.add(0, steps({{1, 400'000, 500'000, 0, 100'000, 1'000'000}}));
    host.add(1, steps({{1, 400'000, 200'000, 0, 400'000, 1'000'000}}));
    host.add(2, steps({{1, 600'000, 300'000, 0, 100'000, 1'000'000}}));
    host.add(3, steps({{1, 600'000, 100'000, 0, 300'000, 1'000'000}}));
    // What the stages wait for each other is no matter of who is late in one.
    host.add(0,
             operations({{1, "c", "g", 0, 900'000, 0, wait_of_0_ns}, {1, "p", "pp", 0, 900'000, 0, 800'000, "p2p"}}));
    host.add(1, operations({{1, "c", "g", 0, 900'000, 0, 10'000}}));
    host.add(2, operations({{1, "c", "g", 0, 900'000, 0, 150'000}}));
    host.add(3, operations({{1, "c", "g", 0, 900'000, 0, 30'000}}));
    for (const uint32_t rank : {0u, 1u, 2u, 3u}) {
      host.add(rank, metadata({{"parallel_group_info.n.group_name", "pp"},
                               {"parallel_group_info.n.group_rank", rank < 2 ? "0" : "1"}}));
    }
    return host.run(find_stragglers, R"({"ranks": [0, 1, 2, 3], "profile": {"kind": "torch_npu"}})");
  };
  const Value later = run(100'000);  // 90 us against 120
  CHECK(later["late_rank"].integer() == 3);
  CHECK(later["late_rank_compared"].text() == "ranks 2, 3 of pipeline stage pp 1");
  CHECK(later["rows"].at(0)["rank"].integer() == 3);
  CHECK(later["rows"].at(0)["waits_less_us"].number() == 120.0);
  CHECK(later["rows"].at(1)["rank"].integer() == 1);
  CHECK(later["rows"].at(1)["waits_less_us"].number() == 90.0);
  CHECK(later["rows"].at(1)["compared"].text() == "ranks 0, 1 of pipeline stage pp 0");
  CHECK(later["metrics"]["cluster.late_ratio"].number() == 0.2);
  CHECK(later["warnings"].at(0)["code"].text() == "cluster.pipeline_stages");
  CHECK(later["warnings"].at(0)["text"].text()->find("rank 3 of pp 1, rank 1 of pp 0") != std::string::npos);
  CHECK(run(140'000)["late_rank"].integer() == 1);  // 130 us
}

TEST_CASE("ranks that are equal are late by nothing, not by minus nothing") {
  Host host;
  for (const uint32_t rank : {0u, 1u}) {
    host.add(rank, steps({{1, 400'000, 300'000, 0, 300'000, 1'000'000}}));
    host.add(rank, operations({{1, "c0", "g", 0, 200'000, 0, 20'000}}));
  }
  const Value rows = host.run(find_stragglers, R"({"ranks": [0, 1], "profile": {"kind": "torch_npu"}})")["rows"];
  REQUIRE(rows.size() == 2);
  CHECK(rows.to_json().find("-0") == std::string::npos);
  CHECK(rows.at(0)["late_us"].number() == 0.0);
}

TEST_CASE("operations that are called alike but do not end together match nothing") {
  Host host;
  host.add(0, steps({{1, 400'000, 300'000, 0, 300'000, 1'000'000}}));
  host.add(1, steps({{1, 490'000, 200'000, 0, 310'000, 1'000'000}}));
  host.add(0, operations({{1, "c0", "g", 0, 200'000}, {1, "c1", "g", 10'000'000, 200'000}}));
  host.add(1, operations({{1, "c0", "g", 0, 200'000}, {1, "c1", "g", 20'000'000, 200'000}}));
  const Value answer = host.run(find_stragglers, R"({"ranks": [0, 1], "profile": {"kind": "torch_npu"}})");
  CHECK(answer["status"].text() == "not_applicable");
}

TEST_CASE("a GPU trace's kernels are matched by name and order, where every rank has as many of a name") {
  Host host;
  // Rank 1 comes 60 us later to the first; of `once` and `more` there are not as many on both.
  host.add(0, kernels({{std::nullopt, "gemm", "compute", 0, 100'000},
                       {std::nullopt, "nccl", "communication", 100'000, 70'000},
                       {std::nullopt, "more", "communication", 180'000, 1'000},
                       {std::nullopt, "nccl", "communication", 200'000, 10'000}}));
  host.add(1, kernels({{std::nullopt, "gemm", "compute", 5'000, 160'000},
                       {std::nullopt, "nccl", "communication", 165'000, 10'000},
                       {std::nullopt, "once", "communication", 180'000, 1'000},
                       {std::nullopt, "more", "communication", 181'000, 1'000},
                       {std::nullopt, "more", "communication", 182'000, 1'000},
                       {std::nullopt, "nccl", "communication", 205'000, 10'000}}));
  const Value answer = host.run(find_stragglers, R"({"ranks": [0, 1], "profile": {"kind": "kineto"}})");
  REQUIRE(answer["rows"].size() == 2);
  CHECK(answer["matched"]["by"].text() == "kernels");
  CHECK(answer["matched"]["collectives"].integer() == 2);
  const Value late = answer["rows"].at(0);
  CHECK(late["rank"].integer() == 1);
  CHECK(late["clock_offset_us"].number() == 5.0);
  CHECK(late["late_us"].number() == 58.0);  // 81 and 23 us of communication
  CHECK(late["cause"].text() == "computing");
  CHECK(late["operators"].at(0)["op_type"].text() == "gemm");
  CHECK(late["operators"].at(0)["more_us"].number() == 60.0);
}

TEST_CASE("a GPU trace's kernels of several process groups are matched group by group") {
  Host host;
  // Two groups of two ranks, which work 10 ms apart: that is no difference of clocks.
  for (const uint32_t rank : {0u, 1u, 2u, 3u}) {
    const char* const group = rank < 2 ? "1" : "2";
    const int64_t from_ns = rank < 2 ? 0 : 10'000'000, late_ns = rank % 2 == 0 ? 0 : 80'000;
    host.add(rank, kernels({{std::nullopt, "gemm", "compute", from_ns, 100'000 + late_ns},
                            {std::nullopt, "nccl", "communication", from_ns + 100'000 + late_ns, 100'000 - late_ns,
                             nullptr, group},
                            {std::nullopt, "nccl", "communication", from_ns + 300'000, 10'000, nullptr, group}}));
  }
  const Value answer = host.run(find_stragglers, R"({"ranks": [0, 1, 2, 3], "profile": {"kind": "kineto"}})");
  CHECK(answer["matched"]["collectives"].integer() == 4);
  REQUIRE(answer["rows"].size() == 4);
  for (size_t i = 0; i < 4; ++i) CHECK(answer["rows"].at(i)["clock_offset_us"].number() == 0.0);
}

TEST_CASE("ranks that only a cluster's files tell of are compared, without operators") {
  Host host;
  host.add(0, cluster_steps({{"rank", 0, 1, 400'000, 300'000, 0, 300'000, 1'000'000},
                             {"rank", 9, 1, 500'000, 200'000, 0, 300'000, 1'000'000},
                             {"rank", 5, 1, 500'000, 200'000, 0, 300'000, 1'000'000}}));
  host.add(0,
           cluster_operations(
               {{"c0", "g", 0, 0, 200'000}, {"c0", "g", 9, 100'000, 100'000}, {"c0", "g", 5, std::nullopt, 100'000}}));
  const Value answer = host.run(find_stragglers, R"({"ranks": [0], "profile": {"kind": "torch_npu"}})");
  REQUIRE(answer["rows"].size() == 2);  // nothing says when rank 5's ended
  CHECK(answer["late_rank"].integer() == 9);
  CHECK(answer["rows"].at(0)["cause"].text() == "computing");
  CHECK(answer["rows"].at(0)["operators"].is_absent());
}

TEST_CASE("one rank alone is nothing to compare, and a cancelled call answers nothing") {
  Host host;
  host.add(0, steps({{1, 400'000, 300'000, 0, 300'000, 1'000'000}}));
  host.add(0, operations({{1, "c0", "g", 0, 200'000}}));
  CHECK(host.run(find_stragglers, R"({"ranks": [0]})")["status"].text() == "not_applicable");
  host.cancel_after(0);
  CHECK(host.run(find_stragglers, R"({"ranks": [0]})").is_absent());
  CHECK(host.returned() == SW_CANCELLED);
}

TEST_CASE("ranks are taken alike: where one has kernels only, all are taken by them, else a warning says so") {
  // The host ends the step 100 us after the last kernel; rank 1 has no file of steps.
  const auto ask = [](int32_t (*tool)(sdk::Call&), bool first_has_kernels) {
    Host host;
    host.add(0, steps({{1, 100'000, 50'000, 0, 100'000, 250'000}}));
    const auto work = [] {
      return kernels({{1, "MatMul", "compute", 0, 100'000}, {1, "a", "communication", 100'000, 50'000}});
    };
    if (first_has_kernels) host.add(0, work());
    host.add(1, work());
    for (const uint32_t rank : {0U, 1U}) host.add(rank, operations({{1, "a", "g", 100'000, 50'000}}));
    return host.run(tool, R"({"ranks": [0, 1], "profile": {"kind": "torch_npu"}})");
  };
  const auto warns = [](const Value& answer) {
    return answer["warnings"].to_json().find("cluster.ends_differ") != std::string::npos;
  };
  const Value ranks = ask(cluster::cluster_summary, true)["ranks"];
  for (size_t i = 0; i < 2; ++i) {
    CHECK(ranks.at(i)["wall_us"].number() == 150.0);
    CHECK(ranks.at(i)["free_us"].number() == 0.0);
  }
  CHECK_FALSE(warns(ask(find_stragglers, true)));
  CHECK(warns(ask(find_stragglers, false)));
  CHECK(warns(ask(cluster::cluster_summary, false)));
}
