// operator_details.csv: one row a call of a framework operator, without a timestamp. Shapes and call stacks span lines.
#include "core/ingest/base/readers.h"
#include "core/ingest/csv/csv_table.h"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

namespace op_detail = table::op_detail;

constexpr CsvColumn kColumns[] = {
    csv_column(op_detail::name, Cell::text, "Name"),
    csv_column(op_detail::shapes, Cell::one_line, "Input Shapes"),
    csv_column(op_detail::stack, Cell::lines, "Call Stack"),
    csv_column(op_detail::host_self_ns, Cell::us, "Host Self Duration(us)"),
    csv_column(op_detail::host_total_ns, Cell::us, "Host Total Duration(us)"),
    csv_column(op_detail::device_self_ns, Cell::us, "Device Self Duration(us)"),
    csv_column(op_detail::device_total_ns, Cell::us, "Device Total Duration(us)"),
    csv_column(op_detail::device_self_aicore_ns, Cell::us, "Device Self Duration With AICore(us)"),
    csv_column(op_detail::device_total_aicore_ns, Cell::us, "Device Total Duration With AICore(us)"),
};
static_assert(std::size(kColumns) + 1 == std::size(op_detail::kColumns), "every column but src_pos");

constexpr CsvFormat kFormat{op_detail::kTable, kColumns, op_detail::src_pos.index};

}  // namespace

Result<void> read_operator_details(const std::filesystem::path& file, const std::string& relative_path,
                                   IngestContext& context, store::SegmentBuilder& out) {
  return read_csv_table(kFormat, file, relative_path, context, out);
}

}  // namespace stepwise::ingest
