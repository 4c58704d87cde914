// What MindSpore before 2.4 says about operators: aicore_intermediate_<device>_{type,detail}.csv, which hold means and
// sums in ms; aicpu_intermediate_<device>.csv; output_timeline_data_<device>.txt, one line for each execution.
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/limits.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/base/set_value.h"
#include "core/ingest/csv/csv_table.h"
#include "core/ingest/exports/kernel_table.h"
#include "core/ingest/exports/mindspore_legacy.h"
#include "stepwise/tables_device.hpp"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

namespace op_stat = table::op_stat;
namespace op_name_stat = table::op_name_stat;
namespace aicpu_task = table::aicpu_task;
namespace kernel = table::kernel;

constexpr CsvColumn kTypeColumns[] = {
    csv_column(op_stat::op_type, Cell::text, "kernel_type", "op_type"),
    csv_column(op_stat::count, Cell::count, "execution_frequency"),
    csv_column(op_stat::total_ns, Cell::duration_ms, "total_time", "execution_time"),
};
constexpr CsvFormat kTypeFormat{op_stat::kTable, kTypeColumns, op_stat::src_pos.index};

// The columns of a row, in the order of the next list.
constexpr size_t kCount = 1, kTotal = 2;
constexpr CsvColumn kNameColumns[] = {
    csv_column(op_name_stat::name, Cell::text, "full_kernel_name", "full_op_name", "full_kernel_time"),
    // Old files give each operator's time in a step, where it runs once.
    completed_csv_column(op_name_stat::count, Cell::count, "execution_frequency"),
    csv_column(op_name_stat::total_ns, Cell::fine_ms, "execution_time"),  // the mean, until the row is complete
    required_csv_column(op_name_stat::avg_ns, Cell::duration_ms, "execution_time"),
};

CsvRow complete_name_row(std::span<CellValue> row) {
  constexpr __int128 kPsOfNs = 1000;
  CellValue &count = row[kCount], &total = row[kTotal];
  if (count.is_null) count = {false, 1};
  const __int128 ps = static_cast<__int128>(total.i64) * count.i64;
  if (ps > limits::kMaxDurationNs * kPsOfNs) return CsvRow::senseless;
  total.i64 = static_cast<int64_t>((ps + kPsOfNs / 2) / kPsOfNs);
  return CsvRow::whole;
}
constexpr CsvFormat kNameFormat{op_name_stat::kTable, kNameColumns, op_name_stat::src_pos.index, false,
                                complete_name_row};

constexpr CsvColumn kAicpuColumns[] = {
    csv_column(aicpu_task::start_ns, Cell::instant, "run_start"),
    csv_column(aicpu_task::name, Cell::text, "kernel_type", "op_type"),
    csv_column(aicpu_task::compute_ns, Cell::duration_ms, "execution_time"),
    csv_column(aicpu_task::dispatch_ns, Cell::duration_ms, "dispatch_time"),
    csv_column(aicpu_task::total_ns, Cell::duration_ms, "total_time"),
};
constexpr CsvFormat kAicpuFormat{aicpu_task::kTable, kAicpuColumns, aicpu_task::src_pos.index};

constexpr CsvColumn kTimelineColumns[] = {
    csv_column(kernel::name, Cell::text, "op_name"),
    csv_column(kernel::class_, Cell::constant, kCompute),  // corrected below
    csv_column(kernel::stream, Cell::integer, "stream_id"),
    csv_column(kernel::start_ns, Cell::instant_ms, "start_time(ms)"),
    csv_column(kernel::dur_ns, Cell::duration_ms, "duration(ms)"),
};
constexpr CsvFormat kTimelineFormat{kernel::kTable, kTimelineColumns, kernel::src_pos.index};

/// Sets types that are null where the names tell them.
template <class Name, class Type>
void type_by_name(const table::TableDecl& decl, Name name, Type type, store::SegmentBuilder& out) {
  if (!out.has(decl)) return;
  store::TableBuilder& rows = out.table(decl);
  store::ColumnBuffer& types = rows.column(type);
  constexpr int32_t kUnseen = -2, kNone = -1;
  std::vector<int32_t> type_of(rows.dictionary().size(), kUnseen);  // by the name's code
  for (uint64_t row = 0; row < rows.rows(); ++row) {
    if (!types.is_null(row)) continue;
    const int32_t code = rows.values(name)[row];
    int32_t& known = type_of[static_cast<size_t>(code)];
    if (known == kUnseen) {
      const std::string found(type_in_operator_name(rows.dictionary().at(code)));
      known = found.empty() ? kNone : rows.dictionary().intern(found);
    }
    if (known != kNone) set_code(types, row, known);
  }
}

/// MindSpore's communication operators have names of their own, which say nothing elsewhere.
void class_by_type(store::SegmentBuilder& out) {
  static constexpr std::string_view kTypes[] = {"AllReduce", "AllGather", "ReduceScatter",
                                                "Broadcast", "AlltoAll",  "AllToAllv",
                                                "Send",      "Receive",   "NeighborExchange"};
  if (!out.has(kernel::kTable)) return;
  store::TableBuilder& rows = out.table(kernel::kTable);
  const int32_t communication = rows.dictionary().intern("communication");
  std::vector<bool> communicates(rows.dictionary().size());
  for (size_t code = 0; code < communicates.size(); ++code) {
    const std::string_view type = rows.dictionary().at(static_cast<int32_t>(code));
    communicates[code] = std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes);
  }
  const store::ColumnBuffer& types = rows.column(kernel::op_type);
  for (uint64_t row = 0; row < rows.rows(); ++row) {
    if (!types.is_null(row) && communicates[static_cast<size_t>(types.code[row])]) {
      rows.values(kernel::class_)[row] = communication;
    }
  }
}

}  // namespace

Result<void> read_ms_operator_types(const std::filesystem::path& file, const std::string& relative_path,
                                    IngestContext& context, store::SegmentBuilder& out) {
  return read_csv_table(kTypeFormat, file, relative_path, context, out);
}

Result<void> read_ms_operator_names(const std::filesystem::path& file, const std::string& relative_path,
                                    IngestContext& context, store::SegmentBuilder& out) {
  SW_RETURN_IF_ERROR(read_csv_table(kNameFormat, file, relative_path, context, out));
  type_by_name(op_name_stat::kTable, op_name_stat::name, op_name_stat::op_type, out);
  return {};
}

Result<void> read_ms_aicpu(const std::filesystem::path& file, const std::string& relative_path, IngestContext& context,
                           store::SegmentBuilder& out) {
  return read_csv_table(kAicpuFormat, file, relative_path, context, out);
}

Result<void> read_ms_timeline(const std::filesystem::path& file, const std::string& relative_path,
                              IngestContext& context, store::SegmentBuilder& out) {
  SW_RETURN_IF_ERROR(read_csv_table(kTimelineFormat, file, relative_path, context, out));
  finish_ms_kernels(KernelPlaces::rows, relative_path, context.diagnostics, out);
  return {};
}

void finish_ms_kernels(KernelPlaces places, const std::string& file, Diagnostics& diagnostics,
                       store::SegmentBuilder& out) {
  type_by_name(kernel::kTable, kernel::name, kernel::op_type, out);
  classify_kernels(out);
  class_by_type(out);
  report_far_kernels(out, places, file, diagnostics);
}

}  // namespace stepwise::ingest
