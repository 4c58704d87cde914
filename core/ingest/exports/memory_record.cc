// memory_record.csv: how much memory each component held, sampled at each change. torch_npu writes it in MB, msprof in
// KB.
#include "core/ingest/base/readers.h"
#include "core/ingest/csv/csv_table.h"
#include "stepwise/tables_memory.hpp"

namespace stepwise::ingest {
namespace {

namespace memory = table::memory;

constexpr CsvColumn kColumns[] = {
    csv_column(memory::component, Cell::text, "Component"),
    csv_column(memory::ts_ns, Cell::instant, "Timestamp(us)"),
    csv_column(memory::allocated_bytes, Cell::bytes, "Total Allocated(MB)", "Total Allocated(KB)"),
    csv_column(memory::reserved_bytes, Cell::bytes, "Total Reserved(MB)", "Total Reserved(KB)"),
    csv_column(memory::active_bytes, Cell::bytes, "Total Active(MB)"),
    csv_column(memory::stream, Cell::integer, "Stream Ptr"),
    csv_column(memory::device, Cell::text, "Device Type", "Device"),
};
static_assert(std::size(kColumns) + 1 == std::size(memory::kColumns), "every column but src_pos");

constexpr CsvFormat kFormat{memory::kTable, kColumns, memory::src_pos.index};

}  // namespace

Result<void> read_memory_record(const std::filesystem::path& file, const std::string& relative_path,
                                IngestContext& context, store::SegmentBuilder& out) {
  return read_csv_table(kFormat, file, relative_path, context, out);
}

}  // namespace stepwise::ingest
