// step_trace_*.csv: iterations of a graph, as msprof times them. Pairs of Reduce columns repeat under one name, and
// rows may end before the header does.
#include "core/ingest/base/readers.h"
#include "core/ingest/csv/csv_table.h"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

namespace step = table::step;

constexpr CsvColumn kColumns[] = {
    required_csv_column(step::step, Cell::integer, "Iteration ID"),
    csv_column(step::device, Cell::integer, "Device_id"),
    required_csv_column(step::iteration_ns, Cell::duration, "Iteration Time(us)"),
    csv_column(step::start_ns, Cell::instant, "Iteration End(us)"),  // the iteration's time is taken off below
    csv_column(step::end_ns, Cell::instant, "Iteration End(us)"),
};

constexpr CsvFormat kFormat{step::kTable, kColumns, step::src_pos.index, true};

}  // namespace

Result<void> read_step_trace(const std::filesystem::path& file, const std::string& relative_path,
                             IngestContext& context, store::SegmentBuilder& out) {
  SW_RETURN_IF_ERROR(read_csv_table(kFormat, file, relative_path, context, out));
  if (!out.has(step::kTable)) return {};
  store::TableBuilder& rows = out.table(step::kTable);
  const std::vector<int64_t>& iteration_ns = rows.values(step::iteration_ns);
  const store::ColumnBuffer& end_ns = rows.column(step::end_ns);
  std::vector<int64_t>& start_ns = rows.values(step::start_ns);
  for (uint64_t row = 0; row < rows.rows(); ++row) {
    if (!end_ns.is_null(row)) start_ns[row] -= iteration_ns[row];
  }
  return {};
}

}  // namespace stepwise::ingest
