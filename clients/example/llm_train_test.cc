// The language model's training run: what it has beyond the recommendation model's.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "clients/example/example_test_support.h"

namespace stepwise::example {
namespace {

ExampleOptions four_ranks(uint64_t seed = 1) {
  ExampleOptions options;
  options.kind = "llm-train";
  options.events = 12'000;
  options.ranks = 4;
  options.steps = 2;
  options.seed = seed;
  return options;
}

TEST_CASE("llm-train: equal options give equal bytes, another seed gives others") {
  const Example one(four_ranks()), again(four_ranks()), other(four_ranks(2));
  CHECK(all_files(one.dir) == all_files(again.dir));
  CHECK(all_files(one.dir) != all_files(other.dir));
}

TEST_CASE("llm-train: a step is computing, uncovered communication and free time less its bubble, which is receives") {
  const Example example(four_ranks());
  int64_t overlapped_ns = 0;
  for (int rank = 0; rank < 4; ++rank) {
    const auto rows = csv(example.output(rank) / "step_trace_time.csv");
    const Json& steps = example.truth["per_rank"][std::to_string(rank)]["summarize_profile"]["steps"];
    std::map<std::string, int64_t> receives;  // by step
    for (const auto& row : csv(example.output(rank) / "kernel_details.csv")) {
      if (row[5] == "hcom_receive_") receives[row[0]] += ns_of(row[9]);
    }
    REQUIRE(rows.size() == steps.size() + 1);
    for (size_t i = 0; i < steps.size(); ++i) {
      const auto& row = rows[i + 1];
      CHECK(ns_of(row[7]) == receives[row[0]]);
      CHECK(ns_of(row[7]) > 0);
      CHECK(ns_of(row[7]) == ns_of(steps[i]["bubble_us"]));
      CHECK(ns_of(row[6]) == ns_of(steps[i]["stage_us"]));
      CHECK(ns_of(row[1]) + ns_of(row[2]) + ns_of(row[5]) == ns_of(row[6]) + ns_of(row[7]));
      CHECK(ns_of(row[8]) == std::max<int64_t>(ns_of(row[2]) - ns_of(row[7]), 0));
      overlapped_ns += ns_of(row[3]);
    }
  }
  CHECK(overlapped_ns > 0);  // gradients are reduced under the backward pass
}

TEST_CASE("llm-train: both ends of a transfer, and all of a group's ranks, are through at the same instant") {
  const Example example(four_ranks(3));
  std::map<std::string, std::set<int64_t>> ends;  // by group and index
  std::map<std::string, int> ranks_seen;
  for (int rank = 0; rank < 4; ++rank) {
    const Json communication = parsed(example.output(rank) / "communication.json");
    const Json groups = parsed(example.output(rank) / ".." / "profiler_metadata.json")["parallel_group_info"];
    REQUIRE(groups.size() == 3);
    for (const Json& step : communication) {
      for (const char* kind : {"p2p", "collective"}) {
        REQUIRE(step[kind].contains("Total Op Info"));
        for (const auto& [name, operation] : step[kind].items()) {
          if (name == "Total Op Info") continue;
          const std::string group = name.substr(name.find('@') + 1);
          REQUIRE(groups.contains(group));
          CHECK((groups[group]["group_name"] == "pp") == (std::string(kind) == "p2p"));
        }
      }
    }
    for (const auto& row : csv(example.output(rank) / "kernel_details.csv")) {
      if (row[7] != "HCCL") continue;
      // hcom_send__123_4_1 and hcom_receive__123_4_1 are two ends of one transfer
      const std::string place = row[4].substr(row[4].find("__"));
      ends[place].insert(ns_of(row[8]) + ns_of(row[9]));
      ++ranks_seen[place];
    }
  }
  REQUIRE_FALSE(ends.empty());
  for (const auto& [place, instants] : ends) {
    INFO(place);
    CHECK(instants.size() == 1);
  }
  CHECK(std::any_of(ranks_seen.begin(), ranks_seen.end(), [](const auto& seen) { return seen.second == 2; }));
}

TEST_CASE("llm-train: ranks of a group agree on who is in it") {
  ExampleOptions options = four_ranks();
  options.ranks = 8;
  const Example example(options);
  CHECK(example.truth["facts"]["world_size"] == 8);
  std::map<std::string, Json> members;
  std::map<std::string, int> names;
  for (int rank = 0; rank < 8; ++rank) {
    const Json metadata = parsed(example.output(rank) / ".." / "profiler_metadata.json");
    CHECK(metadata["distributed_args"]["rank"] == rank);
    for (const auto& [hash, group] : metadata["parallel_group_info"].items()) {
      const Json& ranks = group["global_ranks"];
      CHECK(ranks[group["group_rank"].get<size_t>()] == rank);
      if (members.count(hash) == 0) ++names[group["group_name"]];
      members.emplace(hash, ranks);
      CHECK(members[hash] == ranks);
    }
  }
  CHECK(names == std::map<std::string, int>{{"tp", 4}, {"pp", 4}, {"dp", 4}});
}

TEST_CASE("llm-train: the links' totals are the sizes of the transfers") {
  const Example example(four_ranks());
  const Json matrix = parsed(example.output(0) / "communication_matrix.json");
  const Json communication = parsed(example.output(0) / "communication.json");
  for (const auto& [step, kinds] : matrix.items()) {
    for (const char* kind : {"p2p", "collective"}) {
      double moved = 0;
      for (const auto& [name, links] : kinds[kind].items()) {
        if (name.find("-total@") == std::string::npos) continue;
        for (const auto& [link, figures] : links.items()) {
          CHECK_FALSE(figures.contains("Op Name"));
          if (figures["Transport Type"] == "HCCS") moved += figures["Transit Size(MB)"].get<double>();
        }
      }
      const Json& total = communication[step][kind]["Total Op Info"]["Communication Bandwidth Info"]["HCCS"];
      CHECK(moved == Approx(total["Transit Size(MB)"].get<double>()));
    }
  }
}

TEST_CASE("llm-train: any number of ranks, steps and events works") {
  for (const auto& [ranks, steps, events] : {std::array{1, 1, 1}, std::array{5, 1, 1}, std::array{17, 1, 9'000}}) {
    ExampleOptions options = four_ranks();
    options.ranks = ranks;
    options.steps = steps;
    options.events = events;
    const Example example(options);
    const Json trace = parsed(example.output(ranks - 1) / "trace_view.json");
    CHECK(static_cast<int64_t>(trace.size()) == example.report.events_per_rank);
    CHECK(example.report.events_per_rank >= events);
  }
}

}  // namespace
}  // namespace stepwise::example
