// Real files of MindSpore before 2.4, against sums that a separate script made with Python's csv, json and decimal
// modules. Without the profiles the test is reported as skipped.
#include <string>
#include <vector>

#include "core/ingest/base/shared_data_test.h"
#include "core/ingest/exports/tables_test_files.h"
#include "core/ingest/ingest.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

struct Device {
  Device(const std::string& path, uint32_t rank) {
    const auto layout = discover(shared_data() / "npu-mindspore-legacy" / path);
    REQUIRE(layout.ok());
    CHECK(layout.value().kind == ProfileKind::mindspore);
    for (const RankLayout& one : layout.value().ranks) {
      if (one.rank != rank) continue;
      CancelFlag cancel;
      ProgressGauge progress;
      REQUIRE(ingest_group(layout.value(), one, table::Group::files, cancel, progress, {}, tables.builder()).ok());
      return;
    }
    FAIL("no such rank");
  }
  template <size_t I>
  int64_t sum(const table::TableDecl& decl, table::Col<table::Type::i64, I> column) {
    int64_t total = 0;
    if (!tables.has(decl)) return total;
    for (const int64_t value : tables.builder().table(decl).values(column)) total += value;
    return total;
  }

  Tables tables;
};

struct Sums {
  uint64_t rows;
  int64_t time_ns;
};

void check(Device& device, const table::TableDecl& decl, const Sums& expected, int64_t time_ns) {
  INFO(decl.name);
  CHECK(device.tables.rows(decl) == expected.rows);
  CHECK(time_ns == expected.time_ns);
}

}  // namespace

TEST_CASE("real MindSpore: rows and times of every device") {
  struct Expected {
    const char* path;
    uint32_t rank;
    Sums steps, types, names, kernels, links;
  };
  for (const Expected& one : {
           Expected{"cluster_propose", 0, {5, 895842030}, {0, 0}, {0, 0}, {0, 0}, {937, 13613130}},
           Expected{"cluster_propose", 1, {5, 927859380}, {0, 0}, {0, 0}, {0, 0}, {937, 13687540}},
           Expected{"cluster_propose", 2, {5, 2881305530}, {0, 0}, {0, 0}, {0, 0}, {984, 9557930}},
           Expected{"cluster_propose", 3, {5, 3093654330}, {0, 0}, {0, 0}, {0, 0}, {984, 9574980}},
           Expected{"profiler", 0, {20, 2518696570}, {0, 0}, {0, 0}, {1, 3100}, {0, 0}},
           Expected{"profiler", 1, {0, 0}, {5, 1331134}, {10, 455873}, {0, 0}, {0, 0}},
           Expected{"profiler", 10, {40, 5129485890}, {0, 0}, {0, 0}, {0, 0}, {0, 0}},
           // Sums by name and by type agree.
           Expected{"run_1", 1, {322, 66211550140}, {24, 3465350}, {69, 3465350}, {2817, 1771382850}, {0, 0}},
           Expected{"run_2", 1, {1, 23709050}, {21, 23088095}, {105, 23088095}, {107, 23137320}, {0, 0}},
           Expected{"run_3", 1, {1, 23709050}, {0, 0}, {0, 0}, {0, 0}, {0, 0}},
           Expected{"run_4", 1, {1, 23709050}, {0, 0}, {0, 0}, {0, 0}, {0, 0}},
       }) {
    INFO(one.path << " " << one.rank);
    Device device(one.path, one.rank);
    namespace names = table::op_name_stat;
    check(device, table::step::kTable, one.steps, device.sum(table::step::kTable, table::step::iteration_ns));
    check(device, table::op_stat::kTable, one.types, device.sum(table::op_stat::kTable, table::op_stat::total_ns));
    check(device, names::kTable, one.names, device.sum(names::kTable, names::total_ns));
    check(device, table::kernel::kTable, one.kernels, device.sum(table::kernel::kTable, table::kernel::dur_ns));
    check(device, table::comm_matrix::kTable, one.links,
          device.sum(table::comm_matrix::kTable, table::comm_matrix::transit_ns));
    // There the cluster analysis is of other steps than the iterations beside it, and once has no last line break.
    std::vector<std::string> losses;
    if (std::string(one.path) == "run_4") losses.emplace_back("csv.no_final_newline 1 @2");
    if (std::string(one.path).starts_with("run_") && one.types.rows == 0) losses.emplace_back("files.disagree 1");
    CHECK(device.tables.losses() == losses);
  }
}

TEST_CASE("real MindSpore: communication that nothing hid, out of the cluster analysis") {
  const int64_t alone_ns[] = {820592100, 852656200, 2259153900, 2473299600};
  const int64_t stage_ns[] = {612632900, 643598000, 873809600, 873914000};
  const int64_t receive_ns[] = {280885400, 281929800, 2001012200, 2213193400};
  const int64_t collective_ns[] = {539706800, 570726300, 258141800, 260106100};
  for (const uint32_t rank : {0u, 1u, 2u, 3u}) {
    INFO(rank);
    namespace step = table::step;
    Device device("cluster_propose", rank);
    CHECK(device.sum(step::kTable, step::not_overlapped_ns) == alone_ns[rank]);
    CHECK(device.sum(step::kTable, step::stage_ns) == stage_ns[rank]);
    CHECK(device.sum(step::kTable, step::bubble_ns) == receive_ns[rank]);
    CHECK(device.sum(step::kTable, step::not_overlapped_exclude_receive_ns) == collective_ns[rank]);
  }
}

TEST_CASE("real MindSpore: operators are completed by the framework's file, tasks of the AI CPU are there") {
  Device device("run_2", 1);
  namespace names = table::op_name_stat;
  CHECK(device.tables.row(
            names::kTable, 1,
            {"name", "op_type", "count", "total_ns", "block_dim", "input_shapes", "output_shapes", "output_formats"}) ==
        "Default/TransData-op118|TransData|1|47035|32|2,3,227,227|2,1,227,227,16|NC1HWC0");
  CHECK(device.tables.builder().table(names::kTable).column(names::block_dim).null_count == 0);
  CHECK(device.tables.rows(table::aicpu_task::kTable) == 5);
  CHECK(device.sum(table::aicpu_task::kTable, table::aicpu_task::total_ns) == 9694000);
  CHECK(device.sum(table::aicpu_task::kTable, table::aicpu_task::start_ns) == 774533461714000);
}

// The picture of a timeline beside the timeline itself: the same operators, from another first instant.
TEST_CASE("real MindSpore: a picture of the timeline has the operators that the timeline has") {
  struct Expected {
    const char* folder;
    const char* picture;
    size_t operators;
    std::vector<std::string_view> same;
  };
  // The framework's file of the first is of another graph, so that nothing tells shapes there.
  const std::vector<std::string_view> times = {"name", "op_type", "stream", "dur_ns"};
  const std::vector<std::string_view> all = {"name",          "op_type",       "stream",        "dur_ns",
                                             "input_shapes",  "input_dtypes",  "input_formats", "output_shapes",
                                             "output_dtypes", "output_formats"};
  for (const Expected& one : {Expected{"run_1", "timeline_display_1.json.gz", 2817, times},
                              Expected{"run_2", "ascend_timeline_display_1.json", 107, all}}) {
    INFO(one.folder);
    Device device(one.folder, 1);
    const auto folder = shared_data() / "npu-mindspore-legacy" / one.folder / "normal_run/profiler";
    Tables picture;
    read_into(picture, read_ms_display, folder / one.picture, limits::kCsvChunkBytes);
    CHECK(picture.losses().empty());
    REQUIRE(picture.rows(table::kernel::kTable) == one.operators);
    REQUIRE(device.tables.rows(table::kernel::kTable) == one.operators);
    namespace kernel = table::kernel;
    const auto& exact = device.tables.builder().table(kernel::kTable).values(kernel::start_ns);
    const auto& shown = picture.builder().table(kernel::kTable).values(kernel::start_ns);
    for (size_t i = 0; i < one.operators; ++i) {
      CHECK(picture.row(kernel::kTable, i, one.same) == device.tables.row(kernel::kTable, i, one.same));
      CHECK(shown[i] - shown[0] == exact[i] - exact[0]);
    }
  }
}

}  // namespace stepwise::ingest
