#include "pipeline.h"

#include "cluster.h"
#include "test_tables.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::cluster::testing;
using cluster::cluster_summary;
using cluster::find_stragglers;
using sdk::Value;
using sdk::testing::Host;

namespace {

constexpr const char* kFourRanks = R"({"ranks": [0, 1, 2, 3], "profile": {"kind": "torch_npu"}})";

// Two stages of two ranks; steps of 1 ms. Stage 0 computes so long, stage 1 400 us.
void add_two_stages(Host& host, int64_t computing_ns) {
  for (const uint32_t rank : {0u, 1u, 2u, 3u}) {
    const int64_t own_ns = rank < 2 ? computing_ns : 400'000;
    // Of stage 0 rank 0 waits 100 us less than rank 1, and is idle instead.
    const int64_t free_ns = rank == 0 ? 200'000 : 100'000;
    host.add(rank, steps({{1, own_ns, 1'000'000 - own_ns - free_ns, 0, free_ns, 1'000'000}}));
    host.add(rank, operations({{1, "c0", "g", 0, 200'000}}));
    host.add(rank, metadata({{"parallel_group_info.n.group_name", "pp"},
                             {"parallel_group_info.n.group_rank", rank < 2 ? "0" : "1"}}));
  }
  host.add(3, kernels({{1, "m", "compute", 0, 400'000, "MatMulV2"}}));
}

/// What is said of them.
struct TwoStages {
  Host host;
  Value stragglers;

  explicit TwoStages(int64_t computing_ns) {
    add_two_stages(host, computing_ns);
    stragglers = host.run(find_stragglers, kFourRanks);
  }
};

bool says(const Value& list, const char* key, std::string_view words) {
  for (size_t i = 0; i < list.size(); ++i) {
    if (list.at(i)[key].text().value_or("").find(words) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("who waits least is said of the ranks of its pipeline stage") {
  TwoStages stages(200'000);
  const Value& answer = stages.stragglers;
  CHECK(answer["late_rank"].integer() == 0);
  CHECK(answer["rows"].at(0)["compared"].text() == "ranks 0, 1 of pipeline stage pp 0");
  CHECK(says(answer["evidence"], "says", "of ranks 0, 1 of pipeline stage pp 0, rank 0 waits least"));
}

TEST_CASE("a stage that computes at least a tenth more than the mean of all is named, with the operators to look at") {
  TwoStages stages(200'000);
  const Value& answer = stages.stragglers;
  CHECK(answer["pipeline"]["uneven"].boolean() == true);
  CHECK(answer["pipeline"]["longest_pp"].integer() == 1);
  CHECK(*answer["pipeline"]["imbalance_ratio"].number() == Approx(400.0 / 300 - 1));
  CHECK(answer["pipeline"]["stages"].at(0)["ranks"].to_json() == "[0,1]");
  CHECK(answer["pipeline"]["stages"].at(0)["computing_us"].number() == 200.0);
  CHECK(answer["pipeline"]["stages"].at(0)["not_overlapped_us"].number() == 650.0);
  CHECK(*answer["metrics"]["cluster.pipeline_imbalance_ratio"].number() == Approx(400.0 / 300 - 1));
  CHECK(says(answer["evidence"], "says", "pp 1 (ranks 2, 3) computes 0.4 ms a step, pp 0 (ranks 0, 1) 0.2 ms"));
  CHECK(answer["next"].at(0)["tool"].text() == "top_operators");
  CHECK(answer["next"].at(0)["arguments"]["rank"].integer() == 3);  // rank 2 has no kernels
  const Value summary = stages.host.run(cluster_summary, kFourRanks);
  CHECK(summary["pipeline"]["longest_pp"].integer() == 1);
  CHECK(summary["next"].at(0)["arguments"]["rank"].integer() == 3);
  CHECK(says(summary["warnings"], "text", "pp 1 (ranks 2, 3) computes 0.4 ms a step"));
}

TEST_CASE("stages that compute nearly alike are no finding") {
  // 400 / ((400 + 328) / 2) = 1.0989
  TwoStages stages(328'000);
  const Value& answer = stages.stragglers;
  CHECK(answer["pipeline"]["uneven"].boolean() == false);
  CHECK_FALSE(says(answer["evidence"], "says", "computes"));
  CHECK(answer["next"].at(0)["tool"].text() == "stage_breakdown");
  CHECK_FALSE(says(stages.host.run(cluster_summary, kFourRanks)["warnings"], "text", "wait for the longest"));
}

TEST_CASE("ranks of one stage, or of none that is known, are no pipeline") {
  cluster::Figures figures;
  figures.ranks.resize(2);
  for (uint32_t rank : {0u, 1u}) figures.ranks[rank] = {rank, "", "", {}, {}, 1, std::nullopt};
  cluster::ParallelGroups groups;
  CHECK_FALSE(read_pipeline(figures, groups).has_value());
  groups.places[0].pipeline = groups.places[1].pipeline = 4;
  CHECK_FALSE(read_pipeline(figures, groups).has_value());
  groups.places[1].pipeline = 5;
  REQUIRE(read_pipeline(figures, groups).has_value());
  CHECK_FALSE(read_pipeline(figures, groups)->imbalance_ratio().has_value());  // nobody computes
}
