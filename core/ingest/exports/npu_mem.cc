// npu_mem_*.csv: what the process and the whole device had taken of the device's memory. torch_npu adds the process's
// rows to its memory_record.csv; msprof keeps them apart, so this file adds to a table that may be there already.
#include "core/base/text.h"
#include "core/ingest/base/memory_rows.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/base/table_order.h"
#include "core/ingest/csv/csv_table.h"
#include "stepwise/tables_memory.hpp"

namespace stepwise::ingest {
namespace {

namespace memory = table::memory;

constexpr CsvColumn kColumns[] = {
    csv_column(memory::component, Cell::text, "event"),
    csv_column(memory::ts_ns, Cell::instant, "timestamp(us)", "Timestamp(us)"),
    required_csv_column(memory::reserved_bytes, Cell::bytes, "memory(KB)"),
    csv_column(memory::stream, Cell::integer, "Device_id"),  // its place while the rows are read
};

constexpr CsvFormat kFormat{memory::kTable, kColumns, memory::src_pos.index};

}  // namespace

Result<void> read_npu_mem(const std::filesystem::path& file, const std::string& relative_path, IngestContext& context,
                          store::SegmentBuilder& out) {
  store::SegmentBuilder apart;
  SW_RETURN_IF_ERROR(read_csv_table(kFormat, file, relative_path, context, apart));
  if (!apart.has(memory::kTable)) return {};
  const store::TableBuilder& from = apart.table(memory::kTable);
  const store::ColumnBuffer& device = from.column(memory::stream);
  const std::string source = out.has(memory::kTable) ? out.source_file(memory::kTable) + ", " : "";
  store::TableBuilder& to = out.table(memory::kTable);
  for (uint64_t row = 0; row < from.rows(); ++row) {
    const std::string name = device.is_null(row) ? "" : npu_name(device.i64[row]);
    append_sample(
        {apart.dictionary().at(from.column(memory::component).code[row]), name, from.column(memory::ts_ns).i64[row],
         from.column(memory::reserved_bytes).i64[row], from.column(memory::src_pos).i64[row]},
        to);
  }
  out.set_source_file(memory::kTable, source + apart.source_file(memory::kTable));
  sort_rows(to);
  return {};
}

}  // namespace stepwise::ingest
