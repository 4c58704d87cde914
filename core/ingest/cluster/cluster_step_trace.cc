// cluster_step_trace_time.csv: step_trace_time.csv of all ranks, and of each pipeline stage the largest of its ranks.
#include "core/ingest/base/readers.h"
#include "core/ingest/csv/csv_table.h"
#include "stepwise/tables_cluster.hpp"

namespace stepwise::ingest {
namespace {

namespace step = table::cluster_step;

constexpr CsvColumn kColumns[] = {
    csv_column(step::kind, Cell::text, "Type"),
    required_csv_column(step::of_rank, Cell::rank, "Index"),
    required_csv_column(step::stage_ranks, Cell::rank_set, "Index"),
    csv_column(step::step, Cell::integer, "Step"),
    required_csv_column(step::computing_ns, Cell::duration, "Computing"),
    required_csv_column(step::communication_ns, Cell::duration, "Communication"),
    required_csv_column(step::not_overlapped_ns, Cell::duration, "Communication(Not Overlapped)"),
    required_csv_column(step::overlapped_ns, Cell::duration, "Overlapped"),
    required_csv_column(step::free_ns, Cell::duration, "Free"),
    required_csv_column(step::stage_ns, Cell::duration, "Stage"),
    required_csv_column(step::bubble_ns, Cell::duration, "Bubble"),
    csv_column(step::not_overlapped_exclude_receive_ns, Cell::duration,
               "Communication(Not Overlapped and Exclude Receive)"),
    csv_column(step::preparing_ns, Cell::us, "Preparing"),
    csv_column(step::dp_index, Cell::index, "DP Index"),
    csv_column(step::pp_index, Cell::index, "PP Index"),
    csv_column(step::tp_index, Cell::index, "TP Index"),
};
static_assert(std::size(kColumns) + 1 == std::size(step::kColumns), "every column but src_pos");

// Index says which rank a row is about, or which ranks: one of the two columns is null.
constexpr CsvFormat kFormat{step::kTable, kColumns, step::src_pos.index};

}  // namespace

Result<void> read_cluster_step_trace(const std::filesystem::path& file, const std::string& relative_path,
                                     IngestContext& context, store::SegmentBuilder& out) {
  return read_csv_table(kFormat, file, relative_path, context, out);
}

}  // namespace stepwise::ingest
