// What may not be read: told, never left out in silence.
#include "core/ingest/discovery/permission_test.h"

#include <fcntl.h>

#include <string>

#include "core/ingest/discovery/layout_test_tree.h"
#include "core/ingest/ingest_group_test_read.h"

namespace stepwise::ingest {
namespace {

bool may_open(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY);
  if (file >= 0) ::close(file);
  return file >= 0;
}

std::string remarks_of(const ProfileLayout& layout) {
  std::string remarks;
  for (const LayoutRemark& one : layout.remarks) remarks += one.code + ": " + one.text + "\n";
  return remarks;
}

std::string unclaimed_of(const ProfileLayout& layout) {
  std::string listed;
  for (const SourceFile& file : layout.unclaimed) listed += file.path + ": " + file.why_not + "\n";
  return listed;
}

}  // namespace

TEST_CASE("permissions: ranks in directories that may not be read are told, with the path") {
  Tree tree;
  tree.run("a_ascend_pt", "0").run("b_ascend_pt", "1").run("c_ascend_pt", "2").run("d_ascend_pt", "3");
  WithoutRights rights(tree.path());
  rights.set(tree.path("b_ascend_pt"), 0);                         // nothing of it
  rights.set(tree.path("c_ascend_pt/ASCEND_PROFILER_OUTPUT"), 0);  // what is below it
  rights.set(tree.path("d_ascend_pt"), 0444);                      // its names only
  REQUIRE_FALSE(may_open(tree.path("b_ascend_pt")));
  REQUIRE_FALSE(may_open(tree.path("c_ascend_pt/ASCEND_PROFILER_OUTPUT")));
  REQUIRE_FALSE(may_open(tree.path("d_ascend_pt/profiler_info_3.json")));

  const auto layout = discover(tree.path());
  REQUIRE(layout.ok());
  CHECK(ranks_of(tree.path()) == "0 a_ascend_pt");
  CHECK(remarks_of(layout.value()) ==
        "profile.unreadable_directory: Directories could not be read; ranks or graph dumps in them are missing. (3 of "
        "them) First: "
        "b_ascend_pt, c_ascend_pt/ASCEND_PROFILER_OUTPUT, d_ascend_pt.\n"
        "profile.unreadable_run: Runs were left out, since nothing in them can be read. First: c_ascend_pt.\n");
  const std::string unclaimed = unclaimed_of(layout.value());
  for (const char* const path : {"b_ascend_pt: ", "c_ascend_pt/ASCEND_PROFILER_OUTPUT: ", "d_ascend_pt: "}) {
    INFO(unclaimed);
    CHECK(contains(unclaimed, path + std::string("The directory cannot be read: Permission denied")));
  }
}

TEST_CASE("permissions: a profile of nothing else is an error that says which directory") {
  Tree tree;
  tree.run("a_ascend_pt", "0");
  WithoutRights rights(tree.path());
  rights.set(tree.path("a_ascend_pt"), 0);
  CHECK(contains(error_of(tree.path()), "Not usable: a_ascend_pt (The directory cannot be read: Permission denied"));
  rights.set(tree.path(), 0111);
  const std::filesystem::path root = tree.path();
  const auto nothing = discover(root);
  REQUIRE_FALSE(nothing.ok());
  CHECK(nothing.error().code == "profile.unreadable");
}

TEST_CASE("permissions: files that may not be read are told, those of runs and those that may be ranks") {
  Tree tree;
  tree.run("a_ascend_pt", "0").file("a_ascend_pt/ASCEND_PROFILER_OUTPUT/op_statistic.csv", "OP Type\n");
  tree.run("b_ascend_pt", "1");
  WithoutRights rights(tree.path());
  rights.set(tree.path("a_ascend_pt/ASCEND_PROFILER_OUTPUT/op_statistic.csv"), 0);
  rights.set(tree.path("b_ascend_pt/ASCEND_PROFILER_OUTPUT/step_trace_time.csv"), 0);
  const auto layout = discover(tree.path());
  REQUIRE(layout.ok());
  CHECK(ranks_of(tree.path()) == "0 a_ascend_pt");
  CHECK(remarks_of(layout.value()) ==
        "profile.unreadable_run: Runs were left out, since nothing in them can be read. First: b_ascend_pt.\n");
  Tables tables = read_files_group(layout.value());
  CHECK(tables.losses() == std::vector<std::string>{"file.unreadable 1"});
  CHECK(tables.row(table::diagnostic::kTable, 0, {"file"}) == "a_ascend_pt/ASCEND_PROFILER_OUTPUT/op_statistic.csv");
}

TEST_CASE("permissions: GPU traces, by whatever name, and graph dumps below a run") {
  constexpr const char* kTrace = R"({"distributedInfo": {"rank": 0}, "traceEvents": [{"ph": "X"}]})";
  Tree traces, run;
  traces.file("rank0.pt.trace.json", kTrace).file("rank1.pt.trace.json", kTrace).file("other.json", kTrace);
  run.run("a_ascend_pt", "0").file("a_ascend_pt/dumps/ge_proto_00000001_graph_1_Build.txt", "graph {}");
  WithoutRights of_traces(traces.path()), of_run(run.path());
  of_traces.set(traces.path("rank1.pt.trace.json"), 0);
  of_traces.set(traces.path("other.json"), 0);
  of_run.set(run.path("a_ascend_pt/dumps"), 0);
  const auto found = discover(traces.path());
  REQUIRE(found.ok());
  CHECK(remarks_of(found.value()) ==
        "profile.unreadable_file: Files that may be ranks could not be read. (2 of them) First: other.json, "
        "rank1.pt.trace.json.\n");
  const auto with_dumps = discover(run.path());
  REQUIRE(with_dumps.ok());
  CHECK(remarks_of(with_dumps.value()) ==
        "profile.unreadable_directory: Directories could not be read; ranks or graph dumps in them are missing. First: "
        "a_ascend_pt/dumps.\n");
}

}  // namespace stepwise::ingest
