// Recordings of the same workers one after the other: told apart by the times in their names.
#include "core/ingest/discovery/recording_choice.h"

#include <algorithm>

#include "core/ingest/discovery/layout_test_tree.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

/// "0,1 2,3"
std::string recordings(const std::vector<RecordedRun>& runs) {
  std::string out;
  for (const auto& recording : recordings_of(runs)) {
    if (!out.empty()) out += " ";
    for (const size_t run : recording) out += (out.empty() || out.ends_with(" ") ? "" : ",") + std::to_string(run);
  }
  return out;
}

std::string named(std::string_view path) {
  const auto name = recording_name(path);
  return name ? name->worker + " " + name->host + " " + std::to_string(name->time_ms) : "none";
}

}  // namespace

TEST_CASE("recordings: what a name says") {
  CHECK(named("x/host_990_20250101000000123_ascend_pt") == "host_990 host 1735689600123");
  CHECK(named("node-1_7_20250101000000_ascend_ms") == "node-1_7 node-1 1735689600000");
  CHECK(named("worker0.1694128201545.pt.trace.json.gz") == "worker0 worker0 1694128201545");
  CHECK(named("host_12.1694128201545123456.pt.trace.json") == "host_12 host 1694128201545");
  CHECK(named("result_77_1695835535_trace.json") == "result_77 result 1695835535000");
  for (const char* const path : {"rank0_ascend_pt", "host_990_20251301000000000_ascend_pt", "worker0.pt.trace.json",
                                 "a1694128201545.json", "9999999999999999999.json", "20250101000000123/rank0", ""}) {
    INFO(path);
    CHECK(named(path) == "none");
  }
}

TEST_CASE("recordings: cut between, until no worker stands twice in one") {
  CHECK(recordings({{"h_1_20250101000000000_ascend_pt", 0}, {"h_2_20250101000000900_ascend_pt", 1}}) == "0,1");
  CHECK(recordings({{"h_1_20250101000000000_ascend_pt", 0},
                    {"h_1_20250101001000000_ascend_pt", 0},
                    {"h_2_20250101000000900_ascend_pt", 1},
                    {"h_2_20250101001000400_ascend_pt", 1}}) == "0,2 1,3");
  // A worker that is missing in the first, and one in the second of three; the job was started anew for the third.
  CHECK(recordings({{"worker0.1000000000000.pt.trace.json", 0},
                    {"worker1.1000000600000.pt.trace.json", 1},
                    {"worker0.1000000600300.pt.trace.json", 0}}) == "0 1,2");
  CHECK(recordings({{"h_1_20250101000000000_ascend_pt", 0},
                    {"h_2_20250101000001000_ascend_pt", 1},
                    {"h_1_20250101001000000_ascend_pt", 0},
                    {"h_8_20250102000000000_ascend_pt", 0},
                    {"h_9_20250102000000500_ascend_pt", 1}}) == "0,1 2 3,4");
  CHECK(recordings({{"h_1_20250101000000000_ascend_pt", {}},
                    {"h_2_20250101000000000_ascend_pt", {}},
                    {"h_1_20250101001000000_ascend_pt", {}}}) == "0,1 2");
}

TEST_CASE("recordings: runs that nothing tells apart stay together") {
  CHECK(recordings({{"a_1_20250101000000000_ascend_pt", 0}, {"b_1_20250101001000000_ascend_pt", 0}}) == "0,1");
  CHECK(recordings({{"a_1_20250101000000000_ascend_pt", 0}, {"a_2_20250101000000000_ascend_pt", 0}}) == "0,1");
  CHECK(recordings({{"a_1_20250101000000000_ascend_pt", 0}, {"a_ascend_pt", 0}}) == "0,1");
  CHECK(recordings({{"h_1_20250101000000000_ascend_pt", {}}, {"h_2_20250101001000000_ascend_pt", {}}}) == "0,1");
}

TEST_CASE("recordings: the last of those with most ranks is opened") {
  CHECK(recording_to_open({{0, 1}, {2, 3}}) == 1);
  CHECK(recording_to_open({{0, 1}, {2, 3}, {4}}) == 1);
  CHECK(recording_to_open({{0}}) == 0);
}

namespace {

/// "opened: 0 a, 1 b; left: c, d", of a layout that tells it.
std::string opened_of(const std::filesystem::path& path) {
  const auto found = discover(path);
  REQUIRE(found.ok());
  const ProfileLayout& layout = found.value();
  std::string out = "opened: " + ranks_of(path) + " left:";
  for (const SeparateRun& run : layout.runs) {
    if (run.path != layout.root) out += " " + run.path.lexically_relative(layout.root).string();
  }
  const bool is_told = std::any_of(layout.remarks.begin(), layout.remarks.end(), [](const LayoutRemark& remark) {
    return remark.code == "profile.several_runs" && contains(remark.text, "2 recordings of the same workers");
  });
  size_t noted = 0;
  for (const SourceFile& file : layout.unclaimed) noted += contains(file.why_not, "another recording") ? 1 : 0;
  CHECK(is_told == !layout.runs.empty());
  CHECK(noted + 1 == std::max<size_t>(layout.runs.size(), 1));
  return out;
}

}  // namespace

TEST_CASE("recordings: of torch_npu's repeats one is opened, and the others are named") {
  Tree tree;
  tree.run("host_990_20250101000000000_ascend_pt", "0").run("host_991_20250101000000100_ascend_pt", "1");
  CHECK(opened_of(tree.path()) ==
        "opened: 0 host_990_20250101000000000_ascend_pt; 1 host_991_20250101000000100_ascend_pt left:");
  tree.run("host_990_20250101001000000_ascend_pt", "0").run("host_991_20250101001000100_ascend_pt", "1");
  CHECK(opened_of(tree.path()) ==
        "opened: 0 host_990_20250101001000000_ascend_pt; 1 host_991_20250101001000100_ascend_pt left: "
        "host_990_20250101000000000_ascend_pt host_991_20250101000000100_ascend_pt");
  CHECK(opened_of(tree.path("host_990_20250101000000000_ascend_pt")) == "opened: 0  left:");
}

TEST_CASE("recordings: of traces that a handler leaves for each cycle one of each worker is opened") {
  Tree tree;
  constexpr const char* kTrace = R"({"traceEvents": [{}]})";
  for (const char* const name :
       {"worker0.1694128201545", "worker1.1694128201600", "worker0.1694128999545", "worker1.1694128999611"}) {
    tree.file(name + std::string(".pt.trace.json"), kTrace);
  }
  CHECK(opened_of(tree.path()) ==
        "opened: 0 worker0.1694128999545.pt.trace.json; 1 worker1.1694128999611.pt.trace.json left: "
        "worker0.1694128201545.pt.trace.json worker1.1694128201600.pt.trace.json");
}

TEST_CASE("recordings: the ranks' own directories, and nodes, are cut alike") {
  Tree tree;
  for (const char* const time : {"20250101000000000", "20250101001000000"}) {
    tree.run("nodes/n0/a_1_" + std::string(time) + "_ascend_pt", "0");
  }
  tree.run("nodes/n1/b_1_20250101000000300_ascend_pt", "1");  // its second one is not there
  CHECK(opened_of(tree.path()) ==
        "opened: 0 nodes/n0/a_1_20250101000000000_ascend_pt; 1 nodes/n1/b_1_20250101000000300_ascend_pt left: "
        "nodes/n0/a_1_20250101001000000_ascend_pt");
}

}  // namespace stepwise::ingest
