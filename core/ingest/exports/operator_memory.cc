// operator_memory.csv: one row for each block that an operator allocated, and when it was released. torch_npu writes
// sums in MB, msprof in KB and without the instant of the release.
#include "core/base/limits.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/csv/csv_table.h"
#include "stepwise/tables_memory.hpp"

namespace stepwise::ingest {
namespace {

namespace block = table::memory_block;

constexpr CsvColumn kColumns[] = {
    csv_column(block::name, Cell::text, "Name"),
    csv_column(block::bytes, Cell::size, "Size(KB)"),
    csv_column(block::alloc_ns, Cell::instant, "Allocation Time(us)"),
    csv_column(block::release_ns, Cell::instant, "Release Time(us)"),
    csv_column(block::active_release_ns, Cell::instant, "Active Release Time(us)"),
    csv_column(block::dur_ns, Cell::duration, "Duration(us)"),
    csv_column(block::active_dur_ns, Cell::duration, "Active Duration(us)"),
    csv_column(block::alloc_allocated_bytes, Cell::bytes, "Allocation Total Allocated(MB)",
               "Allocation Total Allocated(KB)"),
    csv_column(block::alloc_reserved_bytes, Cell::bytes, "Allocation Total Reserved(MB)",
               "Allocation Total Reserved(KB)"),
    csv_column(block::alloc_active_bytes, Cell::bytes, "Allocation Total Active(MB)"),
    csv_column(block::release_allocated_bytes, Cell::bytes, "Release Total Allocated(MB)",
               "Release Total Allocated(KB)"),
    csv_column(block::release_reserved_bytes, Cell::bytes, "Release Total Reserved(MB)", "Release Total Reserved(KB)"),
    csv_column(block::release_active_bytes, Cell::bytes, "Release Total Active(MB)"),
    csv_column(block::stream, Cell::integer, "Stream Ptr"),
    csv_column(block::device, Cell::text, "Device Type", "Device"),
};
static_assert(std::size(kColumns) + 1 == std::size(block::kColumns), "every column but src_pos");

constexpr CsvFormat kFormat{block::kTable, kColumns, block::src_pos.index};

}  // namespace

Result<void> read_operator_memory(const std::filesystem::path& file, const std::string& relative_path,
                                  IngestContext& context, store::SegmentBuilder& out) {
  SW_RETURN_IF_ERROR(read_csv_table(kFormat, file, relative_path, context, out));
  if (!out.has(block::kTable)) return {};
  store::TableBuilder& rows = out.made_table(block::kTable);
  store::ColumnBuffer& release = rows.column(block::release_ns);
  const store::ColumnBuffer &alloc = rows.column(block::alloc_ns), &dur = rows.column(block::dur_ns);
  for (uint64_t row = 0; row < rows.rows(); ++row) {
    if (!release.is_null(row) || alloc.is_null(row) || dur.is_null(row)) continue;
    release.i64[row] = alloc.i64[row] + dur.i64[row];
    release.valid[row] = true;
    if (--release.null_count == 0) release.valid.clear();
  }
  return {};
}

}  // namespace stepwise::ingest
