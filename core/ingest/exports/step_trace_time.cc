// step_trace_time.csv: one row a step (and device). Values are doubles as Python prints them, rounded to ns here.
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "core/ingest/base/readers.h"
#include "core/ingest/csv/csv_table.h"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

namespace step = table::step;

constexpr CsvColumn kColumns[] = {
    csv_column(step::step, Cell::integer, "Step"),
    csv_column(step::device, Cell::integer, "Device_id"),
    required_csv_column(step::computing_ns, Cell::duration, "Computing"),
    required_csv_column(step::communication_ns, Cell::duration, "Communication"),
    required_csv_column(step::not_overlapped_ns, Cell::duration, "Communication(Not Overlapped)"),
    required_csv_column(step::overlapped_ns, Cell::duration, "Overlapped"),
    required_csv_column(step::free_ns, Cell::duration, "Free"),
    required_csv_column(step::stage_ns, Cell::duration, "Stage"),
    required_csv_column(step::bubble_ns, Cell::duration, "Bubble"),
    csv_column(step::not_overlapped_exclude_receive_ns, Cell::duration,
               "Communication(Not Overlapped and Exclude Receive)"),
    csv_column(step::preparing_ns, Cell::us, "Preparing"),
};

constexpr CsvFormat kFormat{step::kTable, kColumns, step::src_pos.index};

/// Counts rows that say of a device and step what another row says.
void report_duplicates(store::SegmentBuilder& out, const std::string& file, Diagnostics& diagnostics) {
  if (!out.has(step::kTable)) return;
  store::TableBuilder& rows = out.table(step::kTable);
  const store::ColumnBuffer &steps = rows.column(step::step), &devices = rows.column(step::device);
  std::set<std::pair<int64_t, int64_t>> seen;
  uint64_t count = 0;
  std::string first;
  for (uint64_t row = 0; row < rows.rows(); ++row) {
    if (steps.is_null(row)) continue;  // all rows of a recording without steps
    const int64_t device = devices.is_null(row) ? -1 : devices.i64[row];
    if (seen.emplace(device, steps.i64[row]).second || count++ != 0) continue;
    first = "First: row " + std::to_string(rows.values(step::src_pos)[row]) + ", step " +
            std::to_string(steps.i64[row]) + ".";
  }
  diagnostics.count(Diag::step_duplicate, file, std::nullopt, count, first);
}

}  // namespace

Result<void> read_step_trace_time(const std::filesystem::path& file, const std::string& relative_path,
                                  IngestContext& context, store::SegmentBuilder& out) {
  SW_RETURN_IF_ERROR(read_csv_table(kFormat, file, relative_path, context, out));
  report_duplicates(out, relative_path, context.diagnostics);
  return {};
}

}  // namespace stepwise::ingest
