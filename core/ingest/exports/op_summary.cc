// op_summary_*.csv: one row for each task of the device, as msprof writes it. Columns come and go with the version, the
// level, the chip and the group of counters; Infer ID and Model Name are there for graphs only.
#include "core/ingest/base/export_name.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/exports/kernel_table.h"

namespace stepwise::ingest {
namespace {

namespace kernel = table::kernel;

constexpr auto kColumns = with_kernel_columns({
    csv_column(kernel::step, Cell::id, "Infer ID", "Step Id"),
    csv_column(kernel::name, Cell::text, "Op Name"),
    csv_column(kernel::op_type, Cell::text, "OP Type"),
    csv_column(kernel::core_type, Cell::text, "Task Type"),
    csv_column(kernel::start_ns, Cell::instant, "Task Start Time(us)", "Start Time(us)"),
    csv_column(kernel::dur_ns, Cell::measured, "Task Duration(us)"),
    csv_column(kernel::wait_ns, Cell::us, "Task Wait Time(us)"),
});

constexpr CsvFormat kFormat{kernel::kTable, kColumns, kernel::src_pos.index};

}  // namespace

Result<void> read_op_summary(const std::filesystem::path& file, const std::string& relative_path,
                             IngestContext& context, store::SegmentBuilder& out) {
  SW_RETURN_IF_ERROR(read_csv_table(kFormat, file, relative_path, context, out));
  classify_kernels(out);
  const std::string whole = context.more_slices.empty() ? relative_path : export_name(relative_path).key;
  report_far_kernels(out, KernelPlaces::rows, whole, context.diagnostics);
  return {};
}

}  // namespace stepwise::ingest
