// Launches of the kernels of real profiles: counts and sums of rows equal what a separate script computed from the same
// files, which shares no code. Without the profiles the test is reported as skipped.
#include <string>
#include <vector>

#include "core/ingest/base/shared_data_test.h"
#include "core/ingest/exports/tables_test_files.h"
#include "core/ingest/ingest.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

namespace kernel_link = table::kernel_link;
namespace python_link = table::python_link;

/// "191, sum 68611": rows that have a value, and the sum of the values.
template <size_t I>
std::string values(Tables& tables, const table::TableDecl& decl, table::Col<table::Type::i64, I> col) {
  if (!tables.has(decl)) return "no table";
  const store::ColumnBuffer& column = tables.builder().table(decl).column(col);
  int64_t sum = 0;
  for (const int64_t value : column.i64) sum += value;  // under a null lies a zero
  return std::to_string(column.rows() - column.null_count) + ", sum " + std::to_string(sum);
}

Tables read_timeline(const std::string& run) {
  const auto layout = discover(shared_data() / run);
  REQUIRE(layout.ok());
  Tables tables;
  const CancelFlag cancel;
  ProgressGauge progress;
  const IngestOptions options{.threads = 2};
  REQUIRE(ingest_group(layout.value(), layout.value().ranks.at(0), table::Group::trace, cancel, progress, options,
                       tables.builder())
              .ok());
  return tables;
}

/// kernel, operator, call, Python function, own slice, step; Python functions of operators.
std::vector<std::string> links(Tables& tables) {
  return {values(tables, kernel_link::kTable, kernel_link::kernel_id),
          values(tables, kernel_link::kTable, kernel_link::host_op_id),
          values(tables, kernel_link::kTable, kernel_link::runtime_api_id),
          values(tables, kernel_link::kTable, kernel_link::python_call_id),
          values(tables, kernel_link::kTable, kernel_link::device_task_id),
          values(tables, kernel_link::kTable, kernel_link::step),
          values(tables, python_link::kTable, python_link::host_op_id),
          values(tables, python_link::kTable, python_link::python_call_id)};
}

using Links = std::vector<std::string>;

/// The diagnostic's text.
std::string told(Tables& tables, const std::string& code) {
  namespace diagnostic = table::diagnostic;
  for (uint64_t i = 0; i < tables.rows(diagnostic::kTable); ++i) {
    if (tables.row(diagnostic::kTable, i, {"code"}) == code) return tables.row(diagnostic::kTable, i, {"text"});
  }
  return "";
}

TEST_CASE("alexnet as text: every kernel has its slice, call, operator and step") {
  Tables level1 = read_timeline("npu-pt-alexnet-ddp-text/level1/rank0_ascend_pt");
  CHECK(links(level1) == Links{"191, sum 18145", "191, sum 68611", "191, sum 67326", "72, sum 56253", "191, sum 30600",
                               "191, sum 9550", "316, sum 102538", "316, sum 276280"});
  Tables other = read_timeline("npu-pt-alexnet-ddp-text/level1/rank1_ascend_pt");
  CHECK(links(other) == Links{"191, sum 18145", "191, sum 68611", "191, sum 67649", "72, sum 56253", "191, sum 30600",
                              "191, sum 9550", "316, sum 102538", "316, sum 276280"});
  // Host and device agree to some microseconds only; tasks of one stream overlap.
  CHECK(level1.losses() == Links{"event.overlapping 128 @1336525", "launch.after_kernel 25"});
  CHECK(other.losses() == Links{"event.overlapping 129 @1320102", "launch.after_kernel 36"});
  CHECK(told(level1, "launch.after_kernel").ends_with("They are 25 of 191, by up to 11132 ns."));
}

TEST_CASE("alexnet at level 0: calls were pruned, arrows of operators remain") {
  Tables tables = read_timeline("npu-pt-alexnet-ddp-text/level0/rank0_ascend_pt");
  CHECK(links(tables) == Links{"191, sum 18145", "191, sum 68611", "0, sum 0", "72, sum 56253", "191, sum 25600",
                               "191, sum 9550", "316, sum 102538", "316, sum 276280"});
  CHECK(tables.row(kernel_link::kTable, 0, {"how"}) == "flow");
}

TEST_CASE("alexnet as a database") {
  Tables tables = read_timeline("npu-pt-alexnet-ddp-db/level1/rank0_ascend_pt");
  CHECK(links(tables) == Links{"191, sum 18145", "191, sum 68611", "191, sum 68017", "72, sum 56253", "191, sum 31958",
                               "191, sum 9550", "316, sum 102538", "316, sum 276280"});
  CHECK(tables.losses() == Links{"event.overlapping 123 @100", "launch.after_kernel 5"});
  CHECK(told(tables, "launch.after_kernel").ends_with("They are 5 of 191, by up to 3201 ns."));
  Tables other = read_timeline("npu-pt-alexnet-ddp-db/level1/rank1_ascend_pt");
  CHECK(links(other) == Links{"191, sum 18145", "191, sum 68611", "191, sum 67411", "72, sum 56253", "191, sum 31948",
                              "191, sum 9550", "316, sum 102538", "316, sum 276280"});
}

}  // namespace
}  // namespace stepwise::ingest
