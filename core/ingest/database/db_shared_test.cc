// Real databases: against sums that a separate script made with Python's sqlite3 module, and against the text files of
// the same run. Without the profiles the test is reported as skipped.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/ingest/base/shared_data_test.h"
#include "core/ingest/exports/tables_test_files.h"
#include "core/ingest/ingest.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

namespace fs = std::filesystem;
namespace kernel = table::kernel;
using Rows = std::vector<std::string>;

struct Rank {
  Rank(const std::string& path, std::initializer_list<table::Group> groups) {
    auto layout = discover(shared_data() / path);
    REQUIRE(layout.ok());
    number = layout.value().ranks.at(0).rank;
    for (const table::Group group : groups) {
      CancelFlag cancel;
      ProgressGauge progress;
      REQUIRE(
          ingest_group(layout.value(), layout.value().ranks[0], group, cancel, progress, {}, tables.builder()).ok());
    }
  }
  template <size_t I>
  int64_t sum(const table::TableDecl& decl, table::Col<table::Type::i64, I> column) {
    int64_t total = 0;
    for (const int64_t value : tables.builder().table(decl).values(column)) total += value;
    return total;
  }
  uint64_t count(const table::TableDecl& decl, const std::string& column, const std::string& value) {
    uint64_t found = 0;
    for (uint64_t i = 0; i < tables.rows(decl); ++i) found += tables.row(decl, i, {column}) == value ? 1 : 0;
    return found;
  }

  uint32_t number = 0;
  Tables tables;
};

/// "append of list object at 0xfffcd9c88c40": another address in each run.
std::string without_address(std::string text) {
  for (size_t at = text.find(" at 0x"); at != std::string::npos; at = text.find(" at 0x", at + 1)) {
    size_t end = at + 6;
    while (end < text.size() && std::isxdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    text.erase(at, end - at);
  }
  return text;
}

Rows sorted_rows(Tables& tables, const table::TableDecl& decl, const std::vector<std::string_view>& columns) {
  Rows out;
  for (uint64_t i = 0; i < tables.rows(decl); ++i) out.push_back(without_address(tables.row(decl, i, columns)));
  std::sort(out.begin(), out.end());
  return out;
}

Tables read_alone(Reader* reader, const fs::path& file) {
  Tables tables;
  read_into(tables, reader, file, limits::kCsvChunkBytes);
  return tables;
}

}  // namespace

TEST_CASE("real databases: the convnet's summary tables") {
  Rank rank("npu-pt-alexnet-ddp-db/level1/rank0_ascend_pt", {table::Group::files});
  CHECK(rank.number == 0);
  CHECK(rank.tables.rows(kernel::kTable) == 187 + 4);
  CHECK(rank.count(kernel::kTable, "class", "communication") == 4);
  CHECK(rank.count(kernel::kTable, "core_type", "AI_VECTOR_CORE") == 149);
  CHECK(rank.count(kernel::kTable, "core_type", "HCCL") == 4);
  CHECK(rank.count(kernel::kTable, "step", "50") == 191);
  CHECK(rank.sum(kernel::kTable, kernel::dur_ns) == 8'903'431 + 102'108'100);
  CHECK(rank.sum(kernel::kTable, kernel::wait_ns) == 110'326'111);
  CHECK(rank.sum(kernel::kTable, kernel::aic_time_ns) == 2'768'994);
  CHECK(rank.sum(kernel::kTable, kernel::aiv_time_ns) == 5'587'401);
  double vec = 0;
  for (const double ratio : rank.tables.builder().table(kernel::kTable).column(kernel::aiv_vec_ratio).f64) vec += ratio;
  CHECK(vec == Approx(13.849).margin(0.001));
  CHECK(rank.tables.row(table::step::kTable, 0,
                        {"step", "computing_ns", "not_overlapped_ns", "overlapped_ns", "communication_ns", "free_ns",
                         "stage_ns", "bubble_ns", "preparing_ns"}) ==
        "50|8903431|98071947|4036153|102108100|25258144|132233522|0|18055693");
  CHECK(rank.tables.row(table::op_stat::kTable, 0, {"op_type", "core_type", "count", "total_ns"}) ==
        "ForeachAddList|AI_VECTOR_CORE|3|1947618");
  CHECK(rank.sum(table::op_stat::kTable, table::op_stat::total_ns) == 8'903'431);
  CHECK(rank.sum(table::api_stat::kTable, table::api_stat::count) == 710);
  CHECK(rank.sum(table::api_stat::kTable, table::api_stat::total_ns) == 126'874'070);
  CHECK(rank.tables.rows(table::comm_op::kTable) == 4);
  CHECK(rank.sum(table::comm_op::kTable, table::comm_op::elapse_ns) / 1000 == 102'108);
  CHECK(rank.tables.rows(table::comm_matrix::kTable) == 48);
  CHECK(rank.count(table::meta::kTable, "key", "NPU_INFO.0.name") == 1);
  CHECK(rank.tables.losses() == Rows{"db.table_unused 8"});
}

TEST_CASE("real databases: the convnet's timeline") {
  Rank rank("npu-pt-alexnet-ddp-db/level1/rank0_ascend_pt", {table::Group::trace});
  CHECK(rank.tables.rows(table::host_op::kTable) == 860);
  CHECK(rank.sum(table::host_op::kTable, table::host_op::dur_ns) == 481'579'750);
  CHECK(rank.tables.rows(table::python_call::kTable) == 1282);
  CHECK(rank.tables.rows(table::queue::kTable) == 318);
  CHECK(rank.tables.rows(table::runtime_api::kTable) == 710);
  CHECK(rank.sum(table::runtime_api::kTable, table::runtime_api::dur_ns) == 126'874'070);
  CHECK(rank.count(table::device_task::kTable, "lane", "hardware") == 552);
  CHECK(rank.count(table::device_task::kTable, "lane", "communication") == 296 + 4);
  CHECK(rank.count(table::overlap_span::kTable, "kind", "Communication(Not Overlapped)") == 101);
  CHECK(rank.sum(table::overlap_span::kTable, table::overlap_span::dur_ns) ==
        8'903'431 + 102'108'100 + 98'071'947 + 25'258'144);
  // As many as the trace of the other run of the same program has.
  CHECK(rank.count(table::flow::kTable, "kind", "async_task_queue") == 159);
  CHECK(rank.count(table::flow::kTable, "kind", "fwdbwd") == 27);
  CHECK(rank.tables.row(table::step_range::kTable, 0, {"step", "start_ns", "dur_ns"}) ==
        "50|1736410576386409710|151888750");
  // HBM 104, LLC 26 twice, ACC_PMU 688 of four with two series, SOC_BANDWIDTH_LEVEL 16 twice, AICORE_FREQ 3, NPU_MEM 28
  // three times.
  CHECK(rank.tables.rows(table::counter::kTable) == 104 + 2 * 26 + 8 * 688 + 2 * 16 + 3 + 3 * 28);
}

TEST_CASE("real databases: both runs of one program have the same operators, kernels and calls") {
  Rank db("npu-pt-alexnet-ddp-db/level1/rank0_ascend_pt", {table::Group::files, table::Group::trace});
  Rank text("npu-pt-alexnet-ddp-text/level1/rank0_ascend_pt", {table::Group::files, table::Group::trace});
  for (Rank* const one : {&db, &text}) one->tables.builder().drop(table::diagnostic::kTable);
  CHECK(sorted_rows(db.tables, table::host_op::kTable, {"name", "category", "depth", "step", "shapes", "stack"}) ==
        sorted_rows(text.tables, table::host_op::kTable, {"name", "category", "depth", "step", "shapes", "stack"}));
  CHECK(sorted_rows(db.tables, table::python_call::kTable, {"name", "category"}) ==
        sorted_rows(text.tables, table::python_call::kTable, {"name", "category"}));
  CHECK(sorted_rows(db.tables, table::queue::kTable, {"name", "kind"}) ==
        sorted_rows(text.tables, table::queue::kTable, {"name", "kind"}));
  const std::vector<std::string_view> of_operators = {
      "step",         "op_type",      "core_type",     "class",         "stream",        "block_dim",     "model_id",
      "input_shapes", "input_dtypes", "input_formats", "output_shapes", "output_dtypes", "output_formats"};
  CHECK(sorted_rows(db.tables, kernel::kTable, of_operators) == sorted_rows(text.tables, kernel::kTable, of_operators));
  CHECK(sorted_rows(db.tables, table::op_stat::kTable, {"op_type", "core_type", "count"}) ==
        sorted_rows(text.tables, table::op_stat::kTable, {"op_type", "core_type", "count"}));
  CHECK(sorted_rows(db.tables, table::api_stat::kTable, {"level", "name"}) ==
        sorted_rows(text.tables, table::api_stat::kTable, {"level", "name"}));
}

TEST_CASE("real databases: analysis.db says what the text files of the same run say") {
  for (int number = 0; number < 4; ++number) {
    const fs::path output = shared_data() / ("npu-pt-llm-pp2dp2-level2/rank_" + std::to_string(number) + "_ascend_pt") /
                            "ASCEND_PROFILER_OUTPUT";
    INFO(output.string());
    Tables db = read_alone(read_analysis_db, output / "analysis.db");
    Tables operations = read_alone(read_communication, output / "communication.json");
    Tables matrix = read_alone(read_communication_matrix, output / "communication_matrix.json");
    const std::vector<std::string_view> of_operations = {"step",     "name",     "type",      "kind",
                                                         "group_id", "start_ns", "elapse_ns", "transit_ns",
                                                         "wait_ns",  "sync_ns",  "idle_ns"};
    REQUIRE(db.rows(table::comm_op::kTable) > 0);
    CHECK(sorted_rows(db, table::comm_op::kTable, of_operations) ==
          sorted_rows(operations, table::comm_op::kTable, of_operations));
    // The text names transports without traffic, too.
    Rows links = sorted_rows(operations, table::comm_link::kTable,
                             {"transport", "bytes", "transit_ns", "bandwidth_gb_s", "large_packet_ratio"});
    std::erase_if(links, [](const std::string& row) { return row.find("|0|0|0|0") != std::string::npos; });
    CHECK(sorted_rows(db, table::comm_link::kTable,
                      {"transport", "bytes", "transit_ns", "bandwidth_gb_s", "large_packet_ratio"}) == links);
    const std::vector<std::string_view> of_packets = {"transport", "packet_bytes", "count", "total_ns"};
    CHECK(sorted_rows(db, table::comm_packet::kTable, of_packets) ==
          sorted_rows(operations, table::comm_packet::kTable, of_packets));
    const std::vector<std::string_view> of_links = {"step",       "name",           "kind",      "group_id",
                                                    "src_rank",   "dst_rank",       "transport", "bytes",
                                                    "transit_ns", "bandwidth_gb_s", "op_name"};
    CHECK(sorted_rows(db, table::comm_matrix::kTable, of_links) ==
          sorted_rows(matrix, table::comm_matrix::kTable, of_links));
  }
}

TEST_CASE("real databases: the kernels decompose a step as analysis.db does, to the nanosecond") {
  const std::vector<std::string_view> parts = {"step",        "computing_ns", "communication_ns", "not_overlapped_ns",
                                               "free_ns",     "stage_ns",     "bubble_ns",        "overlapped_ns",
                                               "preparing_ns"};
  for (const std::string number : {"0", "1"}) {
    const fs::path output =
        shared_data() / ("npu-pt-alexnet-ddp-db/level1/rank" + number + "_ascend_pt/ASCEND_PROFILER_OUTPUT");
    Tables analysed = read_alone(read_analysis_db, output / "analysis.db");
    Tables recorded = read_alone(read_profiler_db, output / ("ascend_pytorch_profiler_" + number + ".db"));
    REQUIRE(analysed.rows(table::step::kTable) == 1);
    CHECK(sorted_rows(recorded, table::step::kTable, parts) == sorted_rows(analysed, table::step::kTable, parts));
  }
}

TEST_CASE("real databases: odd ones open") {
  // A viewer's copy of msprof's database: tables renamed, columns added, rows taken out.
  Rank msprof("npu-insight-fixtures/full_db", {table::Group::files, table::Group::trace});
  CHECK(msprof.tables.rows(kernel::kTable) == 11);
  CHECK(msprof.tables.rows(table::overlap_span::kTable) == 22);
  CHECK(msprof.count(table::host_op::kTable, "category", "mstx") == 13);
  // Four devices without steps in analysis.db; the profiler's own has a WAL header and no tables.
  Rank devices("npu-insight-fixtures/multiDevice/msprof_db", {table::Group::files});
  CHECK(devices.tables.rows(table::step::kTable) == 4);
  CHECK(devices.tables.losses() == Rows{"db.table_unused 1", "file.empty 1"});
}

}  // namespace stepwise::ingest
