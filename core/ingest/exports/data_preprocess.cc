// data_preprocess.csv, which msprof calls aicpu_*.csv: one row for each task of the AI CPU. Older exporters write the
// durations in ms.
#include "core/ingest/base/readers.h"
#include "core/ingest/csv/csv_table.h"
#include "stepwise/tables_device.hpp"

namespace stepwise::ingest {
namespace {

namespace aicpu_task = table::aicpu_task;

constexpr CsvColumn kColumns[] = {
    csv_column(aicpu_task::start_ns, Cell::instant, "Timestamp(us)"),
    csv_column(aicpu_task::name, Cell::text, "Node"),
    csv_column(aicpu_task::compute_ns, Cell::duration, "Compute_time(us)", "Compute_time(ms)"),
    csv_column(aicpu_task::memcpy_ns, Cell::duration, "Memcpy_time(us)", "Memcpy_time(ms)"),
    csv_column(aicpu_task::task_ns, Cell::duration, "Task_time(us)", "Task_time(ms)"),
    csv_column(aicpu_task::dispatch_ns, Cell::duration, "Dispatch_time(us)", "Dispatch_time(ms)"),
    csv_column(aicpu_task::total_ns, Cell::duration, "Total_time(us)", "Total_time(ms)"),
    csv_column(aicpu_task::stream, Cell::id, "Stream ID"),
    csv_column(aicpu_task::task_id, Cell::id, "Task ID"),
};
static_assert(std::size(kColumns) + 1 == std::size(aicpu_task::kColumns), "every column but src_pos");

constexpr CsvFormat kFormat{aicpu_task::kTable, kColumns, aicpu_task::src_pos.index};

}  // namespace

Result<void> read_data_preprocess(const std::filesystem::path& file, const std::string& relative_path,
                                  IngestContext& context, store::SegmentBuilder& out) {
  return read_csv_table(kFormat, file, relative_path, context, out);
}

}  // namespace stepwise::ingest
