#include "cluster.h"
#include "test_tables.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::cluster::testing;
using cluster::cluster_summary;
using sdk::Value;
using sdk::testing::Host;

namespace {

constexpr const char* kTwoRanks = R"({"ranks": [0, 1], "profile": {"kind": "torch_npu"}})";

Value rank_in(const Value& answer, int64_t rank) {
  for (size_t i = 0; i < answer["ranks"].size(); ++i) {
    if (answer["ranks"].at(i)["rank"].integer() == rank) return answer["ranks"].at(i);
  }
  return {};
}

bool warns(const Value& answer, std::string_view code) {
  for (size_t i = 0; i < answer["warnings"].size(); ++i) {
    if (answer["warnings"].at(i)["code"].text() == code) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("ranks are means over the steps that all of them have, most computing first, and add up to the totals") {
  Host host;
  host.add(0, steps({{1, 10'000, 4'000, 1'000, 6'000, 20'000}, {2, 90'000, 0, 0, 0, 90'000}}));
  host.add(1, steps({{1, 16'000, 1'000, 2'000, 2'000, 17'000, 2'000}}));
  host.add(0, operations({{1, "a", "g", 0, 5'000, 3'000, 1'500}, {2, "a", "g", 0, 900, 900, 0}}));
  const Value answer = host.run(cluster_summary, kTwoRanks);
  REQUIRE(answer.is_object());
  CHECK(answer["window"].text() == "step 1");
  REQUIRE(answer["ranks"].size() == 2);
  const Value first = answer["ranks"].at(0), second = answer["ranks"].at(1);
  CHECK(first["rank"].integer() == 1);
  CHECK(first["computing_us"].number() == 16.0);
  CHECK(first["deviation_us"].number() == 3.0);  // the median of 10 and 16 is 13
  CHECK(*first["deviation_ratio"].number() == 3.0 / 13.0);
  CHECK(first["communication_us"].number() == 3.0);
  CHECK(first["wall_us"].number() == 19.0);  // stage and bubble
  CHECK(first["wait_us"].is_null());
  CHECK(second["wait_us"].number() == 1.5);  // of step 1 alone
  CHECK(second["transit_us"].number() == 3.0);
  CHECK(answer["ranks_total"]["computing_us"].number() == 26.0);
  CHECK(answer["ranks_total"]["not_overlapped_us"].number() == 5.0);
  CHECK(answer["ranks_total"]["without_figures"].integer() == 0);
  CHECK(*answer["metrics"]["cluster.computing_imbalance_ratio"].number() == 16.0 / 13.0 - 1);
  CHECK(answer["links"].is_null());
}

TEST_CASE("what is not shown is summed: shown and other ranks are the total, for more ranks than a list holds") {
  Host host;
  std::string ranks;
  for (uint32_t rank = 0; rank < 200; ++rank) {
    host.add(rank, steps({{1, 1'000 + rank, 0, 0, 0, 2'000}}));
    ranks += (rank == 0 ? "" : ", ") + std::to_string(rank);
  }
  const auto run = [&](const std::string& limit) {
    return host.run(cluster_summary, "{" + limit + R"("profile": {"kind": "torch_npu"}, "ranks": [)" + ranks + "]}");
  };
  CHECK(run("")["ranks"].size() == 8);
  CHECK(run(R"("limit": 5, )")["ranks"].size() == 5);
  const Value answer = run(R"("shown": 3, )");
  REQUIRE(answer["ranks"].size() == 3);
  CHECK(answer["ranks"].at(0)["rank"].integer() == 199);
  CHECK(answer["ranks_other"]["ranks"].integer() == 197);
  // 1.000 to 1.199 us: 200 us and 0 + ... + 199 = 19900 ns; the three on top are 1.199, 1.198 and 1.197.
  CHECK(*answer["ranks_total"]["computing_us"].number() == Approx(219.9).margin(1e-9));
  CHECK(*answer["ranks_other"]["computing_us"].number() == Approx(216.306).margin(1e-9));
  CHECK(*answer["ranks_total"]["computing_median_us"].number() == Approx(1.0995).margin(1e-9));
}

TEST_CASE("ranks without a step in common are told so, and each counts its own") {
  Host host;
  host.add(0, steps({{1, 10'000, 0, 0, 0, 20'000}, {2, 20'000, 0, 0, 0, 20'000}}));
  host.add(1, steps({{7, 16'000, 0, 0, 0, 20'000}}));
  const Value answer = host.run(cluster_summary, kTwoRanks);
  CHECK(rank_in(answer, 0)["computing_us"].number() == 15.0);
  CHECK(rank_in(answer, 1)["computing_us"].number() == 16.0);
  CHECK(warns(answer, "cluster.steps_differ"));
}

TEST_CASE("without a step file the kernels tell, by step; of a GPU trace as a whole, with copies apart") {
  Host host;
  host.add(0, kernels({{1, "a", "compute", 0, 100},
                       {1, "hcom_a", "communication", 50, 150},
                       {1, "b", "compute", 300, 100},
                       {std::nullopt, "c", "compute", 900, 100}}));
  host.add(1, kernels({{1, "a", "compute", 0, 100}}));
  const Value of_step = host.run(cluster_summary, kTwoRanks);
  const Value rank = rank_in(of_step, 0);
  CHECK(rank["computing_us"].number() == 0.2);
  CHECK(rank["communication_us"].number() == 0.15);
  CHECK(rank["not_overlapped_us"].number() == 0.1);
  CHECK(rank["free_us"].number() == 0.1);  // [200, 300)
  CHECK(rank["wall_us"].number() == 0.4);
  CHECK(of_step["sources"]["kernels"].integer() == 2);
  CHECK(of_step["window"].text() == "step 1, from the first kernel's start to the last kernel's end");

  Host gpu;
  gpu.add(0, kernels({{1, "a", "compute", 0, 100},
                      {1, "nccl", "communication", 50, 150},
                      {1, "copy", "copy", 150, 100},
                      {std::nullopt, "set", "memset", 400, 100}}));
  gpu.add(1, kernels({{1, "a", "compute", 0, 100}}));
  const Value whole = gpu.run(cluster_summary, R"({"ranks": [0, 1], "profile": {"kind": "kineto"}})");
  CHECK(whole["window"].text() == "the whole run");
  CHECK(rank_in(whole, 0)["computing_us"].number() == 0.2);
  CHECK(rank_in(whole, 0)["not_overlapped_us"].number() == 0.1);
  CHECK(rank_in(whole, 0)["free_us"].number() == 0.15);  // [250, 400): [200, 250) is a copy
  const Value step = gpu.run(cluster_summary, R"({"step": 1, "ranks": [0, 1], "profile": {"kind": "kineto"}})");
  CHECK(rank_in(step, 0)["wall_us"].number() == 0.25);
}

TEST_CASE("a cluster's files cover ranks without their own, and rows of stages are of no rank") {
  Host host;
  host.add(0, steps({{1, 10'000, 4'000, 0, 6'000, 20'000}}));
  host.add(0, cluster_steps({{"rank", 0, 1, 99'000, 0, 0, 0, 99'000, 0},
                             {"rank", 1, 1, 12'000, 5'000, 1'000, 3'000, 20'000, 1},
                             {"stage", std::nullopt, 1, 77'000, 0, 0, 0, 77'000},
                             {"rank", -3, 1, 77'000, 0, 0, 0, 77'000}}));
  host.add(0, operations({{1, "c0", "g", 0, 900'000, 300'000, 600'000}}));
  host.add(0, cluster_operations({{"c0", "g", 0, 0, 1, 1, 0},  // the rank's own file counts
                                  {"c0", "g", 1, 0, 900'000, 100'000, 10'000}}));
  const Value answer = host.run(cluster_summary, R"({"ranks": [0], "profile": {"kind": "torch_npu"}})");
  REQUIRE(answer["ranks"].size() == 2);
  CHECK(rank_in(answer, 0)["computing_us"].number() == 10.0);
  CHECK(rank_in(answer, 1)["computing_us"].number() == 12.0);
  CHECK(rank_in(answer, 1)["communication_us"].number() == 6.0);
  CHECK(rank_in(answer, 1)["wait_us"].number() == 10.0);
  CHECK(rank_in(answer, 1)["pp"].integer() == 1);
  CHECK(answer["sources"]["cluster_file"].integer() == 1);
  CHECK(warns(answer, "cluster.pipeline_stages"));
  // Transfers of 300 and 100 us: 1 - 200 / 300; rank 1 waits 590 us less.
  REQUIRE(answer["groups"].size() == 1);
  CHECK(*answer["groups"].at(0)["r_wait"].number() == Approx(1.0 / 3).margin(1e-12));
  CHECK(answer["groups"].at(0)["late_rank"].integer() == 1);
}

TEST_CASE(
    "an unknown step is refused; a profile without device work does not apply; a cancelled call answers nothing") {
  Host host;
  host.add(0, steps({{1, 10'000, 0, 0, 0, 20'000}}));
  CHECK(host.run(cluster_summary, R"({"step": 9})").is_absent());
  REQUIRE(host.failure().has_value());
  CHECK(host.failure()->code == "step.unknown");

  Host timed;
  sdk::testing::Table only_timed(table::step::kTable, "rank0.pt.trace.json");
  only_timed.row().set(table::step::step, 1).set(table::step::start_ns, 0);
  timed.add(0, std::move(only_timed));
  CHECK(timed.run(cluster_summary)["status"].text() == "not_applicable");
  Host alone;
  alone.add(0, steps({{1, 10'000, 0, 0, 0, 20'000}}));
  CHECK(alone.run(cluster_summary)["why"].text() == "The profile is of one rank alone.");

  Host cancelled;
  cancelled.add(0, steps({{1, 10'000, 0, 0, 0, 20'000}}));
  cancelled.add(1, steps({{1, 10'000, 0, 0, 0, 20'000}}));
  cancelled.cancel_after(0);
  CHECK(cancelled.run(cluster_summary).is_absent());
  CHECK(cancelled.returned() == SW_CANCELLED);
}

TEST_CASE("copies among an NPU's kernels are free time; a GPU trace tells them apart") {
  const auto of_kind = [](const char* kind) {
    Host host;
    for (const uint32_t rank : {0U, 1U}) {
      host.add(rank, kernels({{1, "memcpy", "copy", 0, 10'000},
                              {1, "a", "compute", 100'000, 20'000},
                              {1, "memcpy", "copy", 125'000, 10'000},
                              {1, "b", "compute", 140'000, 20'000}}));
    }
    return host.run(cluster_summary, std::string(R"({"ranks": [0, 1], "profile": {"kind": ")") + kind + R"("}})");
  };
  const Value npu = rank_in(of_kind("msprof"), 0), gpu = rank_in(of_kind("kineto"), 0);
  CHECK(npu["computing_us"].number() == 40.0);
  CHECK(npu["free_us"].number() == 20.0);
  CHECK(npu["wall_us"].number() == 60.0);
  CHECK(gpu["computing_us"].number() == 40.0);
  CHECK(gpu["free_us"].number() == 100.0);
  CHECK(gpu["wall_us"].number() == 160.0);
}
