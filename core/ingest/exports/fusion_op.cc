// fusion_op_*.csv: the operators that a compiled graph fused, and what memory each needs.
#include "core/ingest/base/readers.h"
#include "core/ingest/csv/csv_table.h"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

namespace fusion_op = table::fusion_op;

constexpr CsvColumn kColumns[] = {
    csv_column(fusion_op::name, Cell::text, "Fusion Op"),
    csv_column(fusion_op::original_ops, Cell::text, "Original Ops"),
    csv_column(fusion_op::model, Cell::text, "Model Name"),
    csv_column(fusion_op::model_id, Cell::id, "Model ID"),
    csv_column(fusion_op::input_bytes, Cell::bytes, "Memory Input(KB)"),
    csv_column(fusion_op::output_bytes, Cell::bytes, "Memory Output(KB)"),
    csv_column(fusion_op::weight_bytes, Cell::bytes, "Memory Weight(KB)"),
    csv_column(fusion_op::workspace_bytes, Cell::bytes, "Memory Workspace(KB)"),
    csv_column(fusion_op::total_bytes, Cell::bytes, "Memory Total(KB)"),
};
static_assert(std::size(kColumns) + 1 == std::size(fusion_op::kColumns), "every column but src_pos");

constexpr CsvFormat kFormat{fusion_op::kTable, kColumns, fusion_op::src_pos.index};

}  // namespace

Result<void> read_fusion_op(const std::filesystem::path& file, const std::string& relative_path, IngestContext& context,
                            store::SegmentBuilder& out) {
  return read_csv_table(kFormat, file, relative_path, context, out);
}

}  // namespace stepwise::ingest
