// What discover() makes of directories that MindSpore before 2.4 left: one for all devices of a host.
#include <string>

#include "core/ingest/discovery/layout.h"
#include "core/ingest/exports/mindspore_legacy.h"
#include "core/ingest/exports/tables_test_files.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

namespace fs = std::filesystem;

void write(const TemporaryFolder& folder, const std::string& path, std::string_view text = "a,b\n1,2\n") {
  fs::create_directories((folder.path() / path).parent_path());
  folder.write(path, text);
}

const SourceFile* find(const std::vector<SourceFile>& files, const std::string& path) {
  for (const SourceFile& file : files) {
    if (file.path == path) return &file;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("MindSpore: the device in a file's name") {
  CHECK(legacy_device("a/aicore_intermediate_3_type.csv") == 3);
  CHECK(legacy_device("step_trace_raw_10_detail_time.csv.gz") == 10);
  CHECK(legacy_device("ascend_cluster_analyse_model-parallel_1_2_7.csv") == 7);
  CHECK(legacy_device("d_9/output_timeline_data_0.txt") == 0);
  for (const char* path : {"step_trace_point_info.json", "", "x_-1.csv", "x_4294967296.csv", "_", "5_a/x.csv"}) {
    CHECK_FALSE(legacy_device(path).has_value());
  }
}

TEST_CASE("MindSpore: each device of a directory is a rank") {
  TemporaryFolder folder;
  write(folder, "a/step_trace_raw_0_detail_time.csv");
  write(folder, "a/aicore_intermediate_10_type.csv");
  write(folder, "a/framework_raw_10.csv");
  write(folder, "a/framework_raw_3.csv");
  write(folder, "a/minddata_pipeline_raw_0.csv");
  write(folder, "a/step_trace_point_info.json", "{}");
  write(folder, "b/c/hccl_raw_1.csv");
  write(folder, "b/c/aicore_intermediate_1_detail.csv");
  write(folder, "b/c/framework_raw_1.csv");
  const auto found = discover(folder.path());
  REQUIRE(found.ok());
  const ProfileLayout& layout = found.value();
  CHECK(layout.kind == ProfileKind::mindspore);
  CHECK(layout.framework == "mindspore");
  REQUIRE(layout.ranks.size() == 3);
  CHECK(layout.ranks[0].rank == 0);
  CHECK(layout.ranks[0].dir == "a");
  CHECK(layout.ranks[0].files.size() == 2);
  CHECK(layout.ranks[1].rank == 1);
  CHECK(layout.ranks[1].dir == "b/c");
  CHECK_FALSE(layout.ranks[1].claimed.has_value());
  CHECK(layout.ranks[2].rank == 10);

  CHECK(could_have(layout, layout.ranks[0], "step"));
  CHECK(could_have(layout, layout.ranks[2], "op_stat"));
  CHECK_FALSE(could_have(layout, layout.ranks[2], "kernel"));
  CHECK(could_have(layout, layout.ranks[1], "comm_matrix"));
  // Why each other file is not read.
  const SourceFile* const pipeline = find(layout.ranks[0].files, "a/minddata_pipeline_raw_0.csv");
  REQUIRE(pipeline != nullptr);
  CHECK(pipeline->why_not.find("input pipeline") != std::string::npos);
  CHECK(layout.ranks[1].find(FileKind::ms_framework) != nullptr);
  CHECK(layout.ranks[2].find(FileKind::ms_framework) == nullptr);  // nothing there that it could complete
  for (const char* path : {"a/framework_raw_3.csv", "a/step_trace_point_info.json"}) {
    const SourceFile* const file = find(layout.unclaimed, path);
    REQUIRE(file != nullptr);
    CHECK_FALSE(file->why_not.empty());
  }

  const auto one = discover(folder.path() / "b/c/hccl_raw_1.csv");
  REQUIRE(one.ok());
  CHECK(one.value().ranks.size() == 1);
  CHECK(one.value().root == fs::canonical(folder.path() / "b/c"));
}

TEST_CASE("MindSpore: the picture of a timeline stands in where the timeline is not there") {
  TemporaryFolder folder;
  write(folder, "p/ascend_timeline_display_0.json", "[]");
  write(folder, "p/timeline_display_1.json", "[]");
  write(folder, "p/output_timeline_data_1.txt");
  write(folder, "p/framework_raw_0.csv");
  write(folder, "p/gpu_timeline_display_0.json", "[]");
  const auto found = discover(folder.path());
  REQUIRE(found.ok());
  const auto& ranks = found.value().ranks;
  REQUIRE(ranks.size() == 2);
  CHECK(ranks[0].find(FileKind::ms_display) != nullptr);
  CHECK(ranks[0].find(FileKind::ms_framework) != nullptr);
  CHECK(could_have(found.value(), ranks[0], "kernel"));
  CHECK(find(ranks[0].files, "p/gpu_timeline_display_0.json")->why_not.find("GPU") != std::string::npos);
  CHECK(ranks[1].find(FileKind::ms_display) == nullptr);
  CHECK(find(ranks[1].files, "p/timeline_display_1.json")->why_not.starts_with("p/output_timeline_data_1.txt holds"));
}

TEST_CASE("MindSpore: damaged files are told, and exports of msprof below are left to their own path") {
  TemporaryFolder folder;
  write(folder, "p/aicore_intermediate_0_type.csv", "");
  const auto empty = discover(folder.path() / "p");
  REQUIRE_FALSE(empty.ok());
  CHECK(to_text(empty.error()).find("aicore_intermediate_0_type.csv (it is empty)") != std::string::npos);

  write(folder, "p/step_trace_raw_0_detail_time.csv");
  write(folder, "p/PROF_1/mindstudio_profiler_output/op_summary_1.csv");
  const auto both = discover(folder.path() / "p");
  REQUIRE(both.ok());
  CHECK(both.value().kind == ProfileKind::mindspore);
  CHECK(both.value().ranks.size() == 1);
  const SourceFile* const below = find(both.value().unclaimed, "PROF_1");
  REQUIRE(below != nullptr);
  CHECK(below->why_not.find("beside another profile") != std::string::npos);
}

}  // namespace stepwise::ingest
