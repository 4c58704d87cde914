// kernel_details.csv: one row for each task of the device. Header variants A to G differ in which columns are there
// (Level0 has eight of them) and in Block Dim against Block Num.
#include "core/ingest/base/readers.h"
#include "core/ingest/exports/kernel_table.h"

namespace stepwise::ingest {
namespace {

namespace kernel = table::kernel;

constexpr auto kColumns = with_kernel_columns({
    csv_column(kernel::step, Cell::integer, "Step Id"),
    csv_column(kernel::name, Cell::text, "Name"),
    csv_column(kernel::op_type, Cell::text, "Type"),
    csv_column(kernel::core_type, Cell::text, "Accelerator Core"),
    csv_column(kernel::start_ns, Cell::instant, "Start Time(us)"),
    csv_column(kernel::dur_ns, Cell::measured, "Duration(us)"),
    csv_column(kernel::wait_ns, Cell::us, "Wait Time(us)"),
});

constexpr CsvFormat kFormat{kernel::kTable, kColumns, kernel::src_pos.index};

}  // namespace

Result<void> read_kernel_details(const std::filesystem::path& file, const std::string& relative_path,
                                 IngestContext& context, store::SegmentBuilder& out) {
  SW_RETURN_IF_ERROR(read_csv_table(kFormat, file, relative_path, context, out));
  classify_kernels(out);
  report_far_kernels(out, KernelPlaces::rows, relative_path, context.diagnostics);
  return {};
}

}  // namespace stepwise::ingest
