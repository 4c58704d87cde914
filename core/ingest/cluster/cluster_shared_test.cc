// A real cluster analysis, against sums that a separate script made with Python's csv, json and decimal modules.
// Without the profiles the test is reported as skipped.
#include <algorithm>
#include <map>
#include <string>

#include "core/ingest/base/shared_data_test.h"
#include "core/ingest/exports/tables_test_files.h"
#include "core/ingest/ingest.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

Tables cluster_tables(const std::string& path) {
  const auto layout = discover(shared_data() / "npu-insight-fixtures" / path);
  REQUIRE(layout.ok());
  Tables tables;
  CancelFlag cancel;
  ProgressGauge progress;
  REQUIRE(ingest_group(layout.value(), layout.value().ranks.front(), table::Group::cluster, cancel, progress, {},
                       tables.builder())
              .ok());
  CHECK(tables.losses().empty());
  return tables;
}

template <size_t I>
int64_t sum(Tables& tables, const table::TableDecl& decl, table::Col<table::Type::i64, I> column) {
  int64_t total = 0;
  for (const int64_t value : tables.builder().table(decl).values(column)) total += value;
  return total;
}

}  // namespace

TEST_CASE("real cluster: every table") {
  namespace step = table::cluster_step;
  namespace op = table::cluster_comm_op;
  namespace link = table::cluster_comm_link;
  namespace matrix = table::cluster_comm_matrix;
  Tables tables = cluster_tables("cluster_analysis_output");
  CHECK(tables.rows(step::kTable) == 18);
  CHECK(sum(tables, step::kTable, step::computing_ns) == 1399580196);
  CHECK(sum(tables, step::kTable, step::stage_ns) == 4458861277);
  CHECK(sum(tables, step::kTable, step::bubble_ns) == 1648158489);
  CHECK(tables.rows(op::kTable) == 6);
  CHECK(sum(tables, op::kTable, op::elapse_ns) == 16800315);
  CHECK(tables.rows(link::kTable) == 24);
  CHECK(sum(tables, link::kTable, link::bytes) == 42434448);
  CHECK(tables.rows(matrix::kTable) == 10);
  CHECK(sum(tables, matrix::kTable, matrix::transit_ns) == 1847621);
  CHECK(sum(tables, matrix::kTable, matrix::bytes) == 125975792);
  CHECK(tables.rows(table::comm_group::kTable) == 29);
}

TEST_CASE("real cluster: a stage's columns are the largest of its ranks") {
  namespace step = table::cluster_step;
  Tables tables = cluster_tables("cluster_analysis_output");
  store::TableBuilder& rows = tables.builder().table(step::kTable);
  std::map<std::string, std::pair<int64_t, int64_t>> largest;  // of both stages: free, bubble
  for (uint64_t row = 0; row < rows.rows(); ++row) {
    if (rows.column(step::of_rank).is_null(row)) continue;
    const bool is_first = rows.values(step::of_rank)[row] < 8;
    auto& [free, bubble] = largest[is_first ? "0,1,2,3,4,5,6,7" : "8,9,10,11,12,13,14,15"];
    free = std::max(free, rows.values(step::free_ns)[row]);
    bubble = std::max(bubble, rows.values(step::bubble_ns)[row]);
  }
  for (uint64_t row = 16; row < 18; ++row) {
    const auto& [free, bubble] = largest.at(tables.row(step::kTable, row, {"stage_ranks"}));
    CHECK(rows.values(step::free_ns)[row] == free);
    CHECK(rows.values(step::bubble_ns)[row] == bubble);
  }
}

TEST_CASE("real cluster: named groups stand for those of the lists") {
  Tables tables = cluster_tables("communication_group");
  CHECK(tables.rows(table::comm_group::kTable) == 22);
  CHECK(tables.row(table::comm_group::kTable, 0, {"kind", "ranks", "group_id", "parallel"}) ==
        "collective|0,1|6960437680420871035|tp");
}

}  // namespace stepwise::ingest
