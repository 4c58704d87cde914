// api_statistic.csv: host calls summed by name, each at its level. A leading Device_id holds the word "host".
#include "core/ingest/base/readers.h"
#include "core/ingest/csv/csv_table.h"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

namespace api_stat = table::api_stat;

constexpr CsvColumn kColumns[] = {
    csv_column(api_stat::level, Cell::text, "Level"),
    csv_column(api_stat::name, Cell::text, "API Name"),
    csv_column(api_stat::total_ns, Cell::duration, "Time(us)"),
    csv_column(api_stat::count, Cell::count, "Count"),
    csv_column(api_stat::avg_ns, Cell::duration, "Avg(us)"),
    csv_column(api_stat::min_ns, Cell::duration, "Min(us)"),
    csv_column(api_stat::max_ns, Cell::duration, "Max(us)"),
    csv_column(api_stat::variance_us2, Cell::number, "Variance"),
};
static_assert(std::size(kColumns) + 1 == std::size(api_stat::kColumns), "every column but src_pos");

constexpr CsvFormat kFormat{api_stat::kTable, kColumns, api_stat::src_pos.index};

}  // namespace

Result<void> read_api_statistic(const std::filesystem::path& file, const std::string& relative_path,
                                IngestContext& context, store::SegmentBuilder& out) {
  return read_csv_table(kFormat, file, relative_path, context, out);
}

}  // namespace stepwise::ingest
