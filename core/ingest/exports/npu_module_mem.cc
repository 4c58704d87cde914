// npu_module_mem.csv: how much device memory each component of the driver reserved. torch_npu writes MB, msprof KB.
#include "core/ingest/base/readers.h"
#include "core/ingest/csv/csv_table.h"
#include "stepwise/tables_memory.hpp"

namespace stepwise::ingest {
namespace {

namespace module_memory = table::module_memory;

constexpr CsvColumn kColumns[] = {
    csv_column(module_memory::component, Cell::text, "Component"),
    csv_column(module_memory::ts_ns, Cell::instant, "Timestamp(us)"),
    csv_column(module_memory::reserved_bytes, Cell::bytes, "Total Reserved(MB)", "Total Reserved(KB)"),
    csv_column(module_memory::device, Cell::text, "Device"),
};
static_assert(std::size(kColumns) + 1 == std::size(module_memory::kColumns), "every column but src_pos");

constexpr CsvFormat kFormat{module_memory::kTable, kColumns, module_memory::src_pos.index};

}  // namespace

Result<void> read_npu_module_mem(const std::filesystem::path& file, const std::string& relative_path,
                                 IngestContext& context, store::SegmentBuilder& out) {
  return read_csv_table(kFormat, file, relative_path, context, out);
}

}  // namespace stepwise::ingest
