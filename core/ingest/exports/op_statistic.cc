// op_statistic.csv: operators summed by type and core, communication left out.
#include "core/ingest/base/readers.h"
#include "core/ingest/csv/csv_table.h"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

namespace op_stat = table::op_stat;

constexpr CsvColumn kColumns[] = {
    csv_column(op_stat::op_type, Cell::text, "OP Type"),
    csv_column(op_stat::core_type, Cell::text, "Core Type"),
    csv_column(op_stat::count, Cell::count, "Count"),
    csv_column(op_stat::total_ns, Cell::duration, "Total Time(us)"),
    csv_column(op_stat::min_ns, Cell::duration, "Min Time(us)"),
    csv_column(op_stat::avg_ns, Cell::duration, "Avg Time(us)"),
    csv_column(op_stat::max_ns, Cell::duration, "Max Time(us)"),
    csv_column(op_stat::total_ratio, Cell::percent, "Ratio(%)"),
};
static_assert(std::size(kColumns) + 1 == std::size(op_stat::kColumns), "every column but src_pos");

constexpr CsvFormat kFormat{op_stat::kTable, kColumns, op_stat::src_pos.index};

}  // namespace

Result<void> read_op_statistic(const std::filesystem::path& file, const std::string& relative_path,
                               IngestContext& context, store::SegmentBuilder& out) {
  return read_csv_table(kFormat, file, relative_path, context, out);
}

}  // namespace stepwise::ingest
