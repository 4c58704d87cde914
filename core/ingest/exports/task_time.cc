// task_time_*.csv: what the device's scheduler ran and when, one row a task, by the names of the binaries:
// "OnesLike_<32 hex digits>_high_performance_210000000". Tasks without a name (events, waiting, profiling) are no
// kernels. op_summary says more of the same tasks: this file is read where nothing else tells of kernels.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/ingest/base/export_name.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/base/set_value.h"
#include "core/ingest/exports/kernel_table.h"

namespace stepwise::ingest {
namespace {

namespace kernel = table::kernel;

constexpr CsvColumn kColumns[] = {
    completed_csv_column(kernel::name, Cell::text, "kernel_name"),  // the first: the row's completion asks for it
    csv_column(kernel::class_, Cell::constant, kCompute),           // corrected below
    csv_column(kernel::core_type, Cell::text, "kernel_type"),
    csv_column(kernel::stream, Cell::integer, "stream_id"),
    csv_column(kernel::device, Cell::integer, "Device_id"),
    csv_column(kernel::task_id, Cell::integer, "task_id"),
    csv_column(kernel::start_ns, Cell::instant, "task_start(us)"),
    csv_column(kernel::dur_ns, Cell::measured, "task_time(us)"),
};

CsvRow without_unnamed(std::span<CellValue> row) { return row[0].is_null ? CsvRow::summary : CsvRow::whole; }

constexpr CsvFormat kFormat{kernel::kTable, kColumns, kernel::src_pos.index, false, without_unnamed};

/// Before the hash that a compiler of operators gives its binaries; "": there is none.
std::string_view type_of_binary(std::string_view name) {
  constexpr size_t kHashDigits = 32;
  for (size_t at = name.find('_'); at != name.npos; at = name.find('_', at + 1)) {
    const std::string_view rest = name.substr(at + 1);
    const size_t digits = std::min(rest.find_first_not_of("0123456789abcdef"), rest.size());
    const bool is_whole = digits == rest.size() || rest[digits] == '_';
    if (digits == kHashDigits && is_whole) return name.substr(0, at);  // "": before it stands nothing
  }
  return "";
}

void type_by_binary(store::SegmentBuilder& out) {
  store::TableBuilder& rows = out.table(kernel::kTable);
  constexpr int32_t kUnseen = -2, kNone = -1;
  std::vector<int32_t> type_of(rows.dictionary().size(), kUnseen);  // by the name's code
  for (uint64_t row = 0; row < rows.rows(); ++row) {
    const int32_t code = rows.values(kernel::name)[row];
    int32_t& known = type_of[static_cast<size_t>(code)];
    if (known == kUnseen) {
      const std::string type(type_of_binary(rows.dictionary().at(code)));
      known = type.empty() ? kNone : rows.dictionary().intern(type);
    }
    if (known != kNone) set_code(rows.column(kernel::op_type), row, known);
  }
}

}  // namespace

Result<void> read_task_time(const std::filesystem::path& file, const std::string& relative_path, IngestContext& context,
                            store::SegmentBuilder& out) {
  SW_RETURN_IF_ERROR(read_csv_table(kFormat, file, relative_path, context, out));
  if (!out.has(kernel::kTable)) return {};
  type_by_binary(out);
  classify_kernels(out);
  const std::string whole = context.more_slices.empty() ? relative_path : export_name(relative_path).key;
  report_far_kernels(out, KernelPlaces::rows, whole, context.diagnostics);
  return {};
}

}  // namespace stepwise::ingest
