// static_op_mem.csv: the memory that a compiled graph plans for each of its operators; the last row is their total.
#include "core/ingest/base/readers.h"
#include "core/ingest/csv/csv_table.h"
#include "stepwise/tables_memory.hpp"

namespace stepwise::ingest {
namespace {

namespace static_memory = table::static_memory;

constexpr CsvColumn kColumns[] = {
    csv_column(static_memory::name, Cell::text, "Op Name"),
    csv_column(static_memory::model, Cell::text, "Model Name"),
    csv_column(static_memory::graph_id, Cell::id, "Graph ID"),
    csv_column(static_memory::node_start, Cell::id, "Node Index Start"),
    csv_column(static_memory::node_end, Cell::id, "Node Index End"),
    csv_column(static_memory::bytes, Cell::bytes, "Size(KB)"),
};
static_assert(std::size(kColumns) + 1 == std::size(static_memory::kColumns), "every column but src_pos");

constexpr CsvFormat kFormat{static_memory::kTable, kColumns, static_memory::src_pos.index};

}  // namespace

Result<void> read_static_op_mem(const std::filesystem::path& file, const std::string& relative_path,
                                IngestContext& context, store::SegmentBuilder& out) {
  return read_csv_table(kFormat, file, relative_path, context, out);
}

}  // namespace stepwise::ingest
