// Inference examples, read back naively and held against their truth.json.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "clients/example/example_test_support.h"

namespace stepwise::example {
namespace {

ExampleOptions inference(uint64_t seed = 1) {
  ExampleOptions options;
  options.kind = "recsys-infer";
  options.events = 3'000;
  options.ranks = 2;
  options.steps = 12;
  options.seed = seed;
  return options;
}

/// The only file of that name, apart from its time, of a device.
fs::path file_of(const Example& example, int device, const std::string& name) {
  const std::string run = "PROF_00000" + std::to_string(device + 1);
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(example.dir)) {
    const std::string path = fs::relative(entry.path(), example.dir).string();
    if (path.starts_with(run) && entry.path().filename().string().starts_with(name)) found.push_back(entry.path());
  }
  INFO(name);
  REQUIRE(found.size() == 1);
  return found.front();
}

int column(const std::vector<std::string>& header, const std::string& name) {
  const auto at = std::find(header.begin(), header.end(), name);
  INFO(name);
  REQUIRE(at != header.end());
  return static_cast<int>(at - header.begin());
}

TEST_CASE("recsys-infer: equal options give equal bytes, another seed gives others") {
  const Example one(inference()), again(inference()), other(inference(2));
  CHECK(all_files(one.dir) == all_files(again.dir));
  CHECK(all_files(one.dir) != all_files(other.dir));
  CHECK(all_files(one.dir).size() == static_cast<size_t>(one.report.files));
}

TEST_CASE("recsys-infer: op_summary's rows add up to op_statistic and to the truth, an iteration at a time") {
  const Example example(inference());
  for (int device : {0, 1}) {
    const Json& truth = example.truth["per_rank"][std::to_string(device)];
    const auto rows = csv(file_of(example, device, "op_summary_"));
    const auto& header = rows[0];
    const int type = column(header, "OP Type"), core = column(header, "Task Type"), infer = column(header, "Infer ID");
    std::map<std::string, std::pair<int64_t, int64_t>> sums;
    std::map<std::string, int64_t> by_iteration;
    int64_t previous_end = 0;
    for (size_t i = 1; i < rows.size(); ++i) {
      REQUIRE(rows[i].size() == header.size());
      const int64_t start = ns_of(rows[i][static_cast<size_t>(column(header, "Task Start Time(us)"))]);
      const int64_t dur = ns_of(rows[i][static_cast<size_t>(column(header, "Task Duration(us)"))]);
      CHECK(start >= previous_end);
      previous_end = start + dur;
      auto& [count, ns] = sums[rows[i][static_cast<size_t>(type)] + "," + rows[i][static_cast<size_t>(core)]];
      ++count;
      ns += dur;
      ++by_iteration[rows[i][static_cast<size_t>(infer)]];
    }
    CHECK(by_iteration.size() == 12);
    for (const auto& [iteration, count] : by_iteration) {
      CHECK(count == example.truth["facts"]["kernels_of_an_iteration"]);
    }
    const auto statistic = csv(file_of(example, device, "op_statistic_"));
    REQUIRE(statistic.size() - 1 == sums.size());
    for (size_t i = 1; i < statistic.size(); ++i) {
      const auto& [count, ns] = sums[statistic[i][2] + "," + statistic[i][3]];
      CHECK(statistic[i][4] == std::to_string(count));
      CHECK(ns_of(statistic[i][5]) == ns);
    }
    for (const Json& row : truth["top_operators"]["by_type"]) {
      const auto& [count, ns] = sums[row["op_type"].get<std::string>() + "," + row["core_type"].get<std::string>()];
      CHECK(row["count"] == count);
      CHECK(ns_of(row["total_us"]) == ns);
    }
  }
}

TEST_CASE("recsys-infer: the host's calls say what copying and executing take, and the first iteration compiles") {
  const Example example(inference());
  const Json& truth = example.truth["summarize_profile"];
  std::map<std::string, std::vector<std::string>> rows;
  for (const auto& row : csv(file_of(example, 0, "api_statistic_"))) rows[row[1] + "," + row[2]] = row;
  const auto total = [&](const std::string& name) { return ns_of(rows.at(name)[3]); };
  const auto& execute = rows.at("model,ModelExecute");
  CHECK(execute[0] == "host");
  CHECK(execute[4] == "12");
  const int64_t longest = ns_of(execute[7]);
  CHECK(ns_of(truth["iterations"]["first_compile_us"]) == longest);
  CHECK(longest > 5 * (total("model,ModelExecute") - longest) / 11);
  CHECK(truth["model_execute_us"].get<double>() == Approx((total("model,ModelExecute") - longest) / 11'000.0));
  CHECK(truth["h2d_us"].get<double>() == Approx(total("model,InputCopy") / 12'000.0));
  CHECK(truth["d2h_us"].get<double>() == Approx(total("model,OutputCopy") / 12'000.0));
  // Outer levels enclose the inner ones.
  CHECK(total("acl,aclmdlExecute") >
        total("model,InputCopy") + total("model,ModelExecute") + total("model,OutputCopy"));
  CHECK(total("runtime,MemCopySync") < total("model,InputCopy") + total("model,OutputCopy"));
  CHECK(total("runtime,ModelExecute") + total("runtime,StreamSynchronize") < total("model,ModelExecute"));

  const auto iterations = csv(file_of(example, 0, "step_trace_"));
  REQUIRE(iterations.size() == 13);
  int64_t sum = 0;
  for (size_t i = 1; i < iterations.size(); ++i) {
    CHECK(iterations[i][1] == std::to_string(i));
    sum += ns_of(iterations[i][5]);
    CHECK(ns_of(iterations[i][3]) - ns_of(iterations[i][2]) == ns_of(iterations[i][6]));
    CHECK(ns_of(iterations[i][4]) - ns_of(iterations[i][3]) == ns_of(iterations[i][7]));
  }
  CHECK(sum == total("model,ModelExecute"));
  CHECK(iterations[1][8] == "N/A");
}

TEST_CASE("recsys-infer: the timeline has as many events as asked for, and the kernels of op_summary") {
  const Example example(inference());
  const Json trace = parsed(file_of(example, 1, "msprof_"));
  CHECK(trace.size() == 3'000);
  const auto rows = csv(file_of(example, 1, "op_summary_"));
  std::multiset<std::string> places;
  for (size_t i = 1; i < rows.size(); ++i)
    places.insert(rows[i][6] + "@" + rows[i][10].substr(0, rows[i][10].find('\t')));
  size_t found = 0;
  for (const Json& event : trace) {
    if (event["ph"] != "X" || !event["args"].contains("Task Type")) continue;
    ++found;
    CHECK(places.count(event["name"].get<std::string>() + "@" + event["ts"].get<std::string>()) == 1);
  }
  CHECK(found == places.size());
}

TEST_CASE("recsys-infer: the graph's nodes that run are the operators of op_summary, in order") {
  const Example example(inference());
  const std::string dump = slurp(example.dir / "ge_dump_example" / "ge_onnx_00000127_graph_1_Build.pbtxt");
  std::vector<std::string> types;  // of nodes that run
  std::set<std::string> names;
  int64_t nodes = 0, edges = 0;
  std::istringstream lines(dump);
  std::string name;
  const std::set<std::string> silent{"ge:Data", "ge:Const", "ge:NetOutput"};
  for (std::string line; std::getline(lines, line);) {
    nodes += line == "  node {";
    edges += line.starts_with("    input: ");
    if (line.starts_with("    name: ")) name = line.substr(11, line.size() - 12);
    if (!line.starts_with("    op_type: ")) continue;
    const std::string type = line.substr(14, line.size() - 15);
    if (silent.count(type) == 1) continue;
    types.push_back(type.substr(3));
    CHECK(names.insert(name).second);
  }
  const auto rows = csv(file_of(example, 0, "op_summary_"));
  REQUIRE(types.size() == example.truth["facts"]["kernels_of_an_iteration"]);
  for (size_t i = 0; i < types.size(); ++i) {
    CHECK(rows[i + 1][7] == types[i]);
    CHECK(names.count(rows[i + 1][6]) == 1);
  }
  const Json& truth = example.truth["repeated_subgraphs"];
  CHECK(truth["topology"]["nodes"] == nodes);
  CHECK(truth["topology"]["edges"] == edges);
  for (const Json& known : truth["known"]) {
    const auto signature = known["signature"].get<std::vector<std::string>>();
    int count = 0;
    for (auto at = types.begin(); at != types.end();) {
      at = std::search(at, types.end(), signature.begin(), signature.end());
      if (at == types.end()) break;
      at += static_cast<std::ptrdiff_t>(signature.size());
      ++count;
    }
    CHECK(known["count"] == count);
  }
}

TEST_CASE("recsys-infer: a single iteration has nothing to tell its compilation from") {
  ExampleOptions options = inference();
  options.steps = 1;
  options.ranks = 1;
  options.events = 1;
  const Example example(options);
  CHECK(example.truth["summarize_profile"]["iterations"]["first_compile_us"].is_null());
  CHECK(example.report.events_per_rank == example.report.minimum_events);
}

}  // namespace
}  // namespace stepwise::example
