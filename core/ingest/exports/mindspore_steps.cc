// step_trace_raw_<device>_detail_time.csv of MindSpore before 2.4: iterations, in ticks of 10 ns. The last row holds
// means; its step is "-", in older files 0. Real steps count from 1.
#include "core/ingest/base/readers.h"
#include "core/ingest/csv/csv_table.h"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

namespace step = table::step;

constexpr CsvColumn kColumns[] = {
    csv_column(step::step, Cell::step, "step_num"),  // the first: the row's completion asks for it
    required_csv_column(step::iteration_ns, Cell::duration_ticks, "total"),
    required_csv_column(step::start_ns, Cell::instant_ticks, "start_point"),
    required_csv_column(step::end_ns, Cell::instant_ticks, "end_point"),
};

CsvRow without_means(std::span<CellValue> row) {
  return row[0].is_null || row[0].i64 == 0 ? CsvRow::summary : CsvRow::whole;
}

constexpr CsvFormat kFormat{step::kTable, kColumns, step::src_pos.index, false, without_means};

}  // namespace

Result<void> read_ms_steps(const std::filesystem::path& file, const std::string& relative_path, IngestContext& context,
                           store::SegmentBuilder& out) {
  return read_csv_table(kFormat, file, relative_path, context, out);
}

}  // namespace stepwise::ingest
