// What discover() makes of cluster analyses: beside ranks, alone, several, damaged.
#include <string>

#include "core/ingest/discovery/layout.h"
#include "core/ingest/exports/tables_test_files.h"
#include "core/ingest/ingest.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSteps =
    "Step,Type,Index,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble\n"
    "2,rank,7,1,2,3,4,5,6,7\n2,rank,5,1,2,3,4,5,6,7\n2,stage,\"(0, 1)\",1,2,3,4,5,6,7\n";

class Tree {
 public:
  Tree& file(const std::string& path, std::string_view text) {
    fs::create_directories((folder_.path() / path).parent_path());
    folder_.write(path, text);
    return *this;
  }
  fs::path path(const std::string& below = "") const { return fs::canonical(folder_.path()) / below; }

 private:
  TemporaryFolder folder_;
};

std::string why_not(const ProfileLayout& layout, const std::string& path) {
  for (const SourceFile& file : layout.unclaimed) {
    if (file.path == path) return file.why_not;
  }
  return "not listed";
}

}  // namespace

TEST_CASE("cluster: an analysis belongs to the lowest rank of the profile that it lies in") {
  Tree tree;
  for (const char* rank : {"2", "4"}) {
    const std::string run = std::string("rank_") + rank + "_ascend_pt/";
    tree.file(run + "ASCEND_PROFILER_OUTPUT/op_statistic.csv", "OP Type,Count,Total Time(us)\na,1,1\n");
    tree.file(run + "profiler_info_" + rank + ".json", "{}");
  }
  tree.file("cluster_analysis_output/cluster_step_trace_time.csv", kSteps)
      .file("cluster_analysis_output/communication_group.json", R"({"collective": [[0, 1]]})")
      .file("cluster_analysis_output/cluster_communication.json", "")
      .file("cluster_analysis_output/notes.txt", "x")
      .file("a/cluster_step_trace_time.csv", kSteps)
      .file("b/deep/cluster_analysis_output/communication_group.json", "{}");
  const auto found = discover(tree.path());
  REQUIRE(found.ok());
  const ProfileLayout& layout = found.value();
  CHECK(layout.kind == ProfileKind::torch_npu);
  REQUIRE(layout.ranks.size() == 2);
  const SourceFile* const steps = layout.ranks[0].find(FileKind::cluster_step_trace);
  REQUIRE(steps != nullptr);
  CHECK(steps->path == "cluster_analysis_output/cluster_step_trace_time.csv");
  CHECK(layout.ranks[1].find(FileKind::cluster_step_trace) == nullptr);
  CHECK(could_have(layout, layout.ranks[0], "comm_group"));
  CHECK_FALSE(could_have(layout, layout.ranks[0], "cluster_comm_op"));  // its file is empty
  CHECK_FALSE(could_have(layout, layout.ranks[1], "cluster_step"));
  CHECK(group_of(layout.kind, "cluster_step") == table::Group::cluster);
  CHECK(why_not(layout, "a/cluster_step_trace_time.csv").find("another cluster analysis") == 0);
  CHECK(why_not(layout, "b/deep/cluster_analysis_output/communication_group.json").find("another") == 0);
  CHECK(why_not(layout, "cluster_analysis_output/notes.txt") == "its name is none that a profiler gives");

  Tables tables;
  CancelFlag cancel;
  ProgressGauge progress;
  const auto ingest = [&](table::Group group) {
    REQUIRE(ingest_group(layout, layout.ranks[0], group, cancel, progress, {}, tables.builder()).ok());
  };
  ingest(table::Group::cluster);
  CHECK(tables.rows(table::cluster_step::kTable) == 3);
  CHECK(tables.rows(table::comm_group::kTable) == 1);
  CHECK(tables.losses() == std::vector<std::string>{"file.empty 1"});
  CHECK_FALSE(tables.has(table::op_stat::kTable));
}

TEST_CASE("cluster: an analysis alone is a profile of the lowest rank that it names") {
  Tree tree;
  tree.file("cluster_analysis_output/cluster_step_trace_time.csv", kSteps)
      .file("groups/communication_group.json",
            R"({"collective": [[9, 3]], "p2p": [], "comm_group_parallel_info": [{"group_id": "ip%nic_1_0_2"}]})")
      .file("none/cluster_communication_matrix.json", "{}");
  const auto rank_of = [&](const char* path) {
    const auto found = discover(tree.path(path));
    REQUIRE(found.ok());
    CHECK(found.value().ranks.size() == 1);
    CHECK(found.value().framework == "unknown");
    return found.value().ranks[0].rank;
  };
  CHECK(rank_of("cluster_analysis_output") == 5);
  CHECK(rank_of("cluster_analysis_output/cluster_step_trace_time.csv") == 5);
  CHECK(rank_of("groups") == 3);
  CHECK(rank_of("none") == 0);
}

TEST_CASE("cluster: a database is read for what the text files do not have") {
  Tree tree;
  tree.file("c/cluster_analysis.db", "no database");
  const auto broken = discover(tree.path("c"));
  REQUIRE_FALSE(broken.ok());
  CHECK(to_text(broken.error()).find("cluster_analysis.db (it is no SQLite database)") != std::string::npos);
}

}  // namespace stepwise::ingest
