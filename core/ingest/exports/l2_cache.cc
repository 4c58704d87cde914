// l2_cache.csv: hits in the L2 cache, one row a task. Chips that cannot tell hits from misses write N/A.
#include "core/ingest/base/readers.h"
#include "core/ingest/csv/csv_table.h"
#include "stepwise/tables_memory.hpp"

namespace stepwise::ingest {
namespace {

namespace l2_cache = table::l2_cache;

constexpr CsvColumn kColumns[] = {
    csv_column(l2_cache::name, Cell::text, "Op Name"),
    csv_column(l2_cache::stream, Cell::id, "Stream Id", "Stream ID"),
    csv_column(l2_cache::task_id, Cell::id, "Task Id", "Task ID"),
    csv_column(l2_cache::hit_ratio, Cell::number, "Hit Rate"),
    csv_column(l2_cache::victim_ratio, Cell::number, "Victim Rate"),
};
static_assert(std::size(kColumns) + 1 == std::size(l2_cache::kColumns), "every column but src_pos");

constexpr CsvFormat kFormat{l2_cache::kTable, kColumns, l2_cache::src_pos.index};

}  // namespace

Result<void> read_l2_cache(const std::filesystem::path& file, const std::string& relative_path, IngestContext& context,
                           store::SegmentBuilder& out) {
  return read_csv_table(kFormat, file, relative_path, context, out);
}

}  // namespace stepwise::ingest
