// Calls of a GPU's timeline that has no numbers of them, against those of the execution trace beside it.
#include <string>
#include <tuple>
#include <vector>

#include "core/ingest/discovery/layout_test_tree.h"
#include "core/ingest/ingest_group_test_read.h"
#include "core/ingest/timeline/execution_trace_links.h"
#include "core/ingest/timeline/kineto_test_events.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

namespace host_op = table::host_op;

using Names = std::vector<std::string>;
using Codes = std::vector<int32_t>;

struct Thread {
  int number = 1;
  Names calls;
};

/// Calls are numbered through: 1, 2, 3... in the order of the threads, ids in steps of 3.
std::string execution_trace(const std::string& pid, const std::vector<Thread>& threads) {
  std::string nodes = R"({"id": 1, "name": "[process]", "rf_id": 0, "tid": 0})";
  int number = 0;
  for (const Thread& thread : threads) {
    for (const std::string& name : thread.calls) {
      ++number;
      nodes += ", {\"id\": " + std::to_string(number * 3) + ", \"name\": \"" + name +
               "\", \"rf_id\": " + std::to_string(number) + ", \"tid\": " + std::to_string(thread.number) +
               ", \"parent\": 1}";
    }
  }
  return "{\"schema\": \"1.0.1\", " + (pid.empty() ? "" : "\"pid\": " + pid + ", ") + "\"nodes\": [" + nodes + "]}";
}

/// One call behind the other, 10 us each; External ids count on each thread.
std::string timeline(const std::vector<Thread>& threads, const std::string& more_args = "") {
  std::vector<std::string> events;
  for (const Thread& thread : threads) {
    for (size_t i = 0; i < thread.calls.size(); ++i) {
      events.push_back(slice("cpu_op", thread.calls[i], "70", std::to_string(thread.number),
                             std::to_string(100 + i * 10), "9",
                             "\"External id\": " + std::to_string(i + 1) + more_args));
    }
  }
  return trace_of(events, R"("distributedInfo": {"rank": 0})");
}

struct Linked {
  std::vector<std::string> calls;  // of the timeline: "thread name number"
  std::vector<std::string> losses;
};

Linked link(const std::string& trace, const std::vector<std::string>& execution_traces) {
  Tree tree;
  tree.file("rank0.pt.trace.json", trace);
  int number = 0;
  for (const std::string& text : execution_traces) tree.file("et/" + std::to_string(number++) + "_et.json", text);
  const auto layout = discover(tree.path());
  REQUIRE(layout.ok());
  Tables tables = read_group(layout.value(), layout.value().ranks[0], table::Group::trace);
  Linked linked;
  for (uint64_t i = 0; i < tables.rows(host_op::kTable); ++i) {
    linked.calls.push_back(tables.row(host_op::kTable, i, {"tid", "name", "external_id"}));
  }
  linked.losses = tables.losses();
  return linked;
}

const Names kStep{"zero_grad", "aten::linear", "aten::t", "aten::addmm", "aten::relu"};
const Names kBackward{"ReluBackward0", "aten::mul", "AddmmBackward0", "aten::mm"};

}  // namespace

TEST_CASE("the only place of a list in another") {
  CHECK(only_place_of(Codes{1, 2}, Codes{1, 2}) == 0);
  CHECK(only_place_of(Codes{1, 2}, Codes{3, 1, 1, 2, 3}) == 2);
  CHECK(only_place_of(Codes{1, 1, 2}, Codes{1, 1, 1, 1, 2}) == 2);
  CHECK(only_place_of(Codes{1}, Codes{2, 2, 1}) == 2);
  CHECK(only_place_of(Codes{1, 2}, Codes{1, 2, 1, 2}) == SIZE_MAX);  // two places
  CHECK(only_place_of(Codes{1, 1}, Codes{1, 1, 1}) == SIZE_MAX);     // that overlap
  CHECK(only_place_of(Codes{1, 2}, Codes{2, 1}) == SIZE_MAX);
  CHECK(only_place_of(Codes{1, 2}, Codes{1}) == SIZE_MAX);
  CHECK(only_place_of(Codes{}, Codes{1}) == SIZE_MAX);
}

TEST_CASE("calls get the numbers of the execution trace, thread by thread") {
  Names longer = kStep;
  longer.insert(longer.begin(), "ProfilerStep#1");  // began before the execution trace
  const Linked linked =
      link(timeline({{70, longer}, {71, kBackward}}), {execution_trace("70", {{1, kStep}, {2, kBackward}})});
  CHECK(linked.calls == Names{"70|ProfilerStep#1|null", "71|ReluBackward0|6", "70|zero_grad|1", "71|aten::mul|7",
                              "70|aten::linear|2", "71|AddmmBackward0|8", "70|aten::t|3", "71|aten::mm|9",
                              "70|aten::addmm|4", "70|aten::relu|5"});
  CHECK(linked.losses == Names{"calls.linked_by_order 9"});
}

TEST_CASE("an execution trace that holds more than the timeline") {
  const Linked linked = link(timeline({{70, {"aten::t", "aten::addmm"}}}), {execution_trace("70", {{1, kStep}})});
  CHECK(linked.calls == Names{"70|aten::t|3", "70|aten::addmm|4"});
  CHECK(linked.losses == Names{"calls.linked_by_order 2", "calls.not_linked 3"});
}

TEST_CASE("calls that start at one time stand in the order of their own ids") {
  // aten::t lasts no time, and began before aten::addmm, which lasts longer.
  const std::string trace = trace_of({
      slice("cpu_op", "aten::linear", "70", "70", "100", "9", R"("External id": 1)"),
      slice("cpu_op", "aten::t", "70", "70", "101", "0", R"("External id": 2)"),
      slice("cpu_op", "aten::addmm", "70", "70", "101", "5", R"("External id": 3)"),
  });
  const Linked linked = link(trace, {execution_trace("70", {{1, {"aten::linear", "aten::t", "aten::addmm"}}})});
  CHECK(linked.calls == Names{"70|aten::linear|1", "70|aten::addmm|3", "70|aten::t|2"});
}

TEST_CASE("calls whose order does not tell which they are get no numbers") {
  Names twice = kStep;
  twice.insert(twice.end(), kStep.begin(), kStep.end());
  Names other = kStep;
  other[2] = "aten::view";
  const std::vector<Thread> step{{1, kStep}};
  for (const auto& [trace, execution] : std::vector<std::pair<std::string, std::string>>{
           {timeline({{70, twice}}), execution_trace("70", step)},               // two steps alike
           {timeline({{70, kStep}, {71, kStep}}), execution_trace("70", step)},  // two threads alike
           {timeline({{70, other}}), execution_trace("70", step)},               // another call among them
           {timeline({{70, kStep}}), execution_trace("69", step)},               // another process
       }) {
    INFO(trace);
    const Linked linked = link(trace, {execution});
    for (const std::string& call : linked.calls) CHECK(call.ends_with("|null"));
    CHECK(linked.losses == Names{"calls.not_linked 5"});
  }
}

TEST_CASE("a thread of few calls, which stand in a longer one by chance, takes nothing from it") {
  const Linked linked =
      link(timeline({{70, kStep}, {71, {"aten::relu"}}}), {execution_trace("", {{1, kStep}, {2, {"aten::mul"}}})});
  CHECK(linked.calls == Names{"70|zero_grad|1", "71|aten::relu|null", "70|aten::linear|2", "70|aten::t|3",
                              "70|aten::addmm|4", "70|aten::relu|5"});
  CHECK(linked.losses == Names{"calls.linked_by_order 5", "calls.not_linked 1"});
}

TEST_CASE("several execution traces: each of its own process, or of its own steps") {
  const Linked linked = link(timeline({{70, kStep}, {71, kBackward}}),
                             {execution_trace("69", {{1, kStep}}), execution_trace("70", {{1, kStep}}),
                              execution_trace("70", {{2, kBackward}})});
  CHECK(linked.calls[0] == "70|zero_grad|1");
  CHECK(linked.calls[1] == "71|ReluBackward0|1");
  CHECK(linked.losses == Names{"calls.not_linked 5", "calls.linked_by_order 5", "calls.linked_by_order 4"});
}

TEST_CASE("a timeline with numbers of its own keeps them, and nothing is told") {
  const Linked linked =
      link(timeline({{70, kStep}}, R"(, "Record function id": 40)"), {execution_trace("70", {{1, kStep}})});
  for (const std::string& call : linked.calls) CHECK(call.ends_with("|40"));
  CHECK(linked.losses.empty());
}

TEST_CASE("an execution trace that is cut or has no threads leaves the timeline as it is") {
  const std::string whole = execution_trace("70", {{1, kStep}});
  for (const std::string& text :
       {whole.substr(0, whole.size() / 2), std::string(R"({"schema": "1", "nodes": []})"),
        std::string(R"({"schema": "1", "nodes": [{"id": 1, "name": "aten::t", "rf_id": 3}]})")}) {
    INFO(text);
    const Linked linked = link(timeline({{70, kBackward}}), {text});
    CHECK(linked.calls.size() == kBackward.size());
    for (const std::string& call : linked.calls) CHECK(call.ends_with("|null"));
  }
}

TEST_CASE("calls that do not say their thread are told like others that fit nowhere") {
  const Linked linked =
      link(timeline({{70, {"aten::t"}}}), {R"({"schema": "1", "nodes": [{"id": 1, "name": "aten::t", "rf_id": 3}]})"});
  CHECK(linked.calls == Names{"70|aten::t|null"});
  CHECK(linked.losses == Names{"calls.not_linked 1"});
}

TEST_CASE("the key of a GPU's timeline follows the execution traces that number its calls") {
  Tree tree;
  tree.file("rank0.pt.trace.json", timeline({{70, kStep}}));
  const auto key = [&] {
    const auto layout = discover(tree.path());
    REQUIRE(layout.ok());
    return segment_key(layout.value(), layout.value().ranks[0], table::Group::trace);
  };
  const auto without = key();
  tree.file("rank0_et.json", execution_trace("70", {{1, kStep}}));
  const auto with = key();
  CHECK(with.source_print != without.source_print);
  tree.file("ge_proto_00000001_graph_1_Build.txt", "graph {}");
  CHECK(key() == with);
}

}  // namespace stepwise::ingest
