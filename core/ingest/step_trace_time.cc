// step_trace_time.csv: one row a step (and device). Values are doubles as Python prints them, rounded to ns here.
#include "core/ingest/csv_table.h"
#include "core/ingest/readers.h"
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

}  // namespace

Result<void> read_step_trace_time(const std::filesystem::path& file, const std::string& relative_path,
                                  IngestContext& context, store::SegmentBuilder& out) {
  return read_csv_table(kFormat, file, relative_path, context, out);
}

}  // namespace stepwise::ingest
