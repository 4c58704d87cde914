// Examples on disk, read back naively and held against their truth.json.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "clients/example/example_test_support.h"

namespace stepwise::example {
namespace {

ExampleOptions small(uint64_t seed = 1) {
  ExampleOptions options;
  options.events = 9'000;
  options.ranks = 2;
  options.steps = 3;
  options.seed = seed;
  return options;
}

TEST_CASE("equal options give equal bytes, another seed gives others") {
  const Example one(small()), again(small()), other(small(2));
  CHECK(all_files(one.dir) == all_files(again.dir));
  CHECK(all_files(one.dir) != all_files(other.dir));
  CHECK(all_files(one.dir).size() == static_cast<size_t>(one.report.files));
}

TEST_CASE("the headers are those of January 2025, byte for byte") {
  const Example example(small());
  auto head = [&](const char* file, const std::string& expected) {
    INFO(file);
    CHECK(slurp(example.output(0) / file).substr(0, expected.size()) == expected);
  };
  head(
      "kernel_details.csv",
      "Step Id,Model ID,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,Start Time(us),Duration(us),Wait "
      "Time(us),Block Dim,Mix Block Dim,HF32 Eligible,Input Shapes,Input Data Types,Input Formats,Output Shapes,Output "
      "Data Types,Output Formats,Context ID,aicore_time(us),aic_total_cycles,aic_mac_time(us),aic_mac_ratio,"
      "aic_scalar_time(us),aic_scalar_ratio,aic_mte1_time(us),aic_mte1_ratio,aic_mte2_time(us),aic_mte2_ratio,"
      "aic_fixpipe_time(us),aic_fixpipe_ratio,aic_icache_miss_rate,aiv_time(us),aiv_total_cycles,aiv_vec_time(us),"
      "aiv_vec_ratio,aiv_scalar_time(us),aiv_scalar_ratio,aiv_mte2_time(us),aiv_mte2_ratio,aiv_mte3_time(us),"
      "aiv_mte3_ratio,aiv_icache_miss_rate,cube_utilization(%)\r\n");
  head("step_trace_time.csv",
       "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,Communication(Not "
       "Overlapped and Exclude Receive),Preparing\r\n");
  head("op_statistic.csv", "OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)\n");
  head("api_statistic.csv", "Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance\n");
  head("operator_details.csv",
       "Name,Input Shapes,Call Stack,Host Self Duration(us),Host Total Duration(us),Device Self Duration(us),Device "
       "Total Duration(us),Device Self Duration With AICore(us),Device Total Duration With AICore(us)\n");
  head("trace_view.json", "[{\"ph\": \"X\", \"name\": \"");
  head("communication.json", "{\"step");
}

TEST_CASE("a trace has as many events as asked for, and they are what the truth counts") {
  const Example example(small());
  CHECK(example.report.events_per_rank == 9'000);
  for (int rank : {0, 1}) {
    const Json trace = parsed(example.output(rank) / "trace_view.json");
    const Json& truth = example.truth["per_rank"][std::to_string(rank)];
    CHECK(trace.size() == 9'000);
    CHECK(truth["trace"]["events"] == 9'000);
    std::map<std::string, int64_t> by_category;
    int64_t counters = 0, arrows = 0;
    for (const Json& event : trace) {
      const std::string phase = event["ph"];
      counters += phase == "C";
      arrows += phase == "s" || phase == "f";
      if (phase == "X") ++by_category[event.value("cat", "")];
    }
    CHECK(by_category["cpu_op"] == truth["describe_tables"]["host_op"]);
    CHECK(by_category["python_function"] == truth["describe_tables"]["python_call"]);
    CHECK(by_category["enqueue"] + by_category["dequeue"] == truth["describe_tables"]["queue"]);
    CHECK(counters == truth["describe_tables"]["counter"]);
    CHECK(arrows == truth["trace"]["flow_events"]);
  }
}

TEST_CASE("too few events are raised to what the model needs") {
  ExampleOptions options = small();
  options.events = 10;
  const Example example(options);
  CHECK(example.report.events_per_rank == example.report.minimum_events);
  CHECK(example.report.minimum_events > 1'000);
  CHECK(parsed(example.output(0) / "trace_view.json").size() == static_cast<size_t>(example.report.events_per_rank));
}

TEST_CASE("every arrow ends in a slice, later than it starts") {
  const Example example(small(3));
  const Json trace = parsed(example.output(1) / "trace_view.json");
  std::set<std::string> slice_starts;
  std::map<std::string, int64_t> starts;  // (category, id) to ns
  auto place = [](const Json& event) {
    return dump_json(event["pid"]) + "/" + dump_json(event["tid"]) + "/" + event["ts"].get<std::string>();
  };
  auto key = [](const Json& event) { return event["cat"].get<std::string>() + dump_json(event["id"]); };
  for (const Json& event : trace) {
    if (event["ph"] == "X") slice_starts.insert(place(event));
    if (event["ph"] == "s") starts[key(event)] = ns_of(event["ts"].get<std::string>());
  }
  int64_t ends = 0;
  for (const Json& event : trace) {
    if (event["ph"] != "f") continue;
    ++ends;
    INFO(dump_json(event));
    REQUIRE(slice_starts.count(place(event)) == 1);
    REQUIRE(starts.count(key(event)) == 1);
    REQUIRE(starts[key(event)] < ns_of(event["ts"].get<std::string>()));
  }
  CHECK(ends > 1'000);
}

TEST_CASE("step figures are conserved to the ns, in the truth and in the file") {
  for (uint64_t seed : {1, 2, 3, 4}) {
    const Example example(small(seed));
    for (int rank : {0, 1}) {
      const auto rows = csv(example.output(rank) / "step_trace_time.csv");
      const Json& steps = example.truth["per_rank"][std::to_string(rank)]["summarize_profile"]["steps"];
      REQUIRE(rows.size() == 1 + 3);
      REQUIRE(steps.size() == 3);
      for (size_t i = 0; i < 3; ++i) {
        const auto& row = rows[i + 1];
        const Json& step = steps[i];
        CHECK(row[0] == dump_json(step["step"]));
        CHECK(ns_of(row[1]) == ns_of(step["computing_us"]));
        CHECK(ns_of(row[2]) == ns_of(step["not_overlapped_us"]));
        CHECK(ns_of(row[5]) == ns_of(step["free_us"]));
        CHECK(ns_of(row[6]) == ns_of(step["stage_us"]));
        CHECK(ns_of(row[1]) + ns_of(row[2]) + ns_of(row[5]) == ns_of(row[6]) + ns_of(row[7]));
        CHECK(ns_of(row[3]) + ns_of(row[2]) == ns_of(row[4]));
        CHECK(ns_of(row[3]) >= 0);
      }
    }
  }
}

TEST_CASE("kernel rows add up to op_statistic and to the truth") {
  const Example example(small());
  std::map<std::string, std::pair<int64_t, int64_t>> sums;  // type,core to count, ns
  const auto rows = csv(example.output(0) / "kernel_details.csv");
  int64_t previous_end = 0, collectives = 0;
  for (size_t i = 1; i < rows.size(); ++i) {
    const auto& row = rows[i];
    REQUIRE(row.size() == rows[0].size());
    const int64_t start = ns_of(row[8]), dur = ns_of(row[9]);
    CHECK(ns_of(row[10]) == (i == 1 ? 0 : std::max<int64_t>(start - previous_end, 0)));
    previous_end = start + dur;
    if (row[7] == "HCCL") {
      ++collectives;
      continue;
    }
    auto& [count, ns] = sums[row[5] + "," + row[7]];
    ++count;
    ns += dur;
  }
  CHECK(collectives == example.truth["describe_tables"]["comm_op"]);
  CHECK(rows.size() - 1 == example.truth["describe_tables"]["kernel"]);

  const auto statistic = csv(example.output(0) / "op_statistic.csv");
  CHECK(statistic.size() - 1 == sums.size());
  for (size_t i = 1; i < statistic.size(); ++i) {
    const auto& row = statistic[i];
    const auto& [count, ns] = sums[row[0] + "," + row[1]];
    CHECK(row[2] == std::to_string(count));
    CHECK(ns_of(row[3]) == ns);
    if (i > 1) CHECK(ns_of(row[3]) <= ns_of(statistic[i - 1][3]));
  }
  for (const Json& row : example.truth["top_operators"]["by_type"]) {
    const auto& [count, ns] = sums[row["op_type"].get<std::string>() + "," + row["core_type"].get<std::string>()];
    CHECK(row["count"] == count);
    CHECK(ns_of(row["total_us"]) == ns);
  }
  CHECK(sums.count("UniqueWithCountsAndSorting,AI_CPU") == 1);
  CHECK(sums.count("TransData,AI_VECTOR_CORE") == 1);
  CHECK(sums.count("Cast,AI_VECTOR_CORE") == 1);
}

TEST_CASE("a collective's time is transit, waiting and idling, and ends at the same instant on every rank") {
  const Example example(small(5));
  std::map<std::string, std::set<std::string>> ends;  // by collective
  for (int rank : {0, 1}) {
    const Json communication = parsed(example.output(rank) / "communication.json");
    for (const Json& kinds : communication) {
      CHECK(kinds["p2p"].empty());
      for (const Json& operation : kinds["collective"]) {
        const Json& time = operation["Communication Time Info"];
        auto ns = [&](const char* key) { return static_cast<int64_t>(time[key].get<double>() * 1e6 + 0.5); };
        CHECK(ns("Elapse Time(ms)") == ns("Transit Time(ms)") + ns("Wait Time(ms)") + ns("Idle Time(ms)"));
      }
    }
    for (const auto& row : csv(example.output(rank) / "kernel_details.csv")) {
      if (row[7] == "HCCL") ends[row[4]].insert(std::to_string(ns_of(row[8]) + ns_of(row[9])));
    }
    parsed(example.output(rank) / "communication_matrix.json");
    parsed(example.output(rank) / ".." / ("profiler_info_" + std::to_string(rank) + ".json"));
    parsed(example.output(rank) / ".." / "profiler_metadata.json");
  }
  CHECK(ends.size() == example.truth["describe_tables"]["comm_op"]);
  for (const auto& [name, instants] : ends) CHECK(instants.size() == 1);
}

TEST_CASE("the late rank waits least") {
  for (uint64_t seed : {1, 2, 3}) {
    ExampleOptions options = small(seed);
    options.ranks = 3;
    const Example example(options);
    const Json& answer = example.truth["find_stragglers"];
    std::vector<std::pair<double, int>> waits;
    for (const Json& row : answer["communication_wait"]) {
      waits.emplace_back(row["wait_us"].get<double>(), row["rank"].get<int>());
    }
    CHECK(std::min_element(waits.begin(), waits.end())->second == answer["late_rank"]);
  }
}

TEST_CASE("seeds vary the facts") {
  std::set<std::string> depths, late, pairs, shapes;
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    ExampleOptions options = small(seed);
    options.events = 1;
    options.steps = 2;
    const Example example(options);
    const Json& async = example.truth["stage_async"];
    depths.insert(dump_json(async["prefetch"]["depth"]));
    pairs.insert(dump_json(async["updates_side_by_side"]) + dump_json(async["preprocess_beside_fetch"]));
    late.insert(dump_json(example.truth["find_stragglers"]["late_rank"]));
    shapes.insert(dump_json(example.truth["summarize_profile"]["shapes_vary"]));
  }
  CHECK(depths.size() == 4);
  CHECK(pairs.size() == 4);
  CHECK(late.size() == 2);
  CHECK(shapes.size() == 2);
}

TEST_CASE("one rank works and has no late rank") {
  ExampleOptions options = small();
  options.ranks = 1;
  const Example example(options);
  CHECK(example.truth["find_stragglers"]["late_rank"].is_null());
  CHECK(example.truth["open_profile"]["rank_count"] == 1);
  CHECK(example.truth["detect_execution_mode"] == Json{{"value", "eager"}, {"proof", "model_id"}});
}

TEST_CASE("what cannot be is a usage error that says what can") {
  ExampleOptions options = small();
  options.dir = fs::temp_directory_path() / "stepwise_example_test_never";
  options.kind = "recsys";
  auto kind = write_example(options);
  REQUIRE_FALSE(kind.ok());
  CHECK(kind.error().kind == ErrorKind::usage);
  CHECK(kind.error().code == "example.kind");
  CHECK(kind.error().hint.find("recsys-train") != std::string::npos);

  options = small();
  options.ranks = 65;
  auto ranks = write_example(options);
  REQUIRE_FALSE(ranks.ok());
  CHECK(ranks.error().code == "example.option");
  CHECK(ranks.error().hint.find("64") != std::string::npos);
  CHECK_FALSE(fs::exists(options.dir));

  options = small();
  options.dir = "/proc/stepwise";
  auto nowhere = write_example(options);
  REQUIRE_FALSE(nowhere.ok());
  CHECK(nowhere.error().code == "example.write");
}

}  // namespace
}  // namespace stepwise::example
