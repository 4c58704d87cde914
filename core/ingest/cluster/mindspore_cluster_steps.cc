// ascend_cluster_analyse_{model,pipeline}-parallel_*.csv of MindSpore before 2.4: how long a rank communicated in each
// step without computing, and how much of that it waited for another stage, in ms. Rows are those of
// step_trace_raw_*_detail_time.csv, in order, and the last may hold means. What the file calls computation is the rest
// of the step, idle time included: no column of the table step means that.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/base/set_value.h"
#include "core/ingest/csv/csv_cell.h"
#include "core/ingest/csv/csv_rows.h"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

namespace step = table::step;

constexpr CsvColumnName kColumns[] = {
    {{"communication_alone_time", nullptr, nullptr}, true},
    {{"stage_time", nullptr, nullptr}, false},
    {{"receive_alone_time", nullptr, nullptr}, false},
    {{"collective_communication_alone_time", nullptr, nullptr}, false},
};
constexpr int64_t kMaxSteps = 1'000'000;
constexpr int64_t kNone = -1;  // no duration

using Parts = std::array<int64_t, std::size(kColumns)>;

class ClusterSteps {
 public:
  ClusterSteps(const std::string& file, Diagnostics& diagnostics) : file_(file), diagnostics_(diagnostics) {}

  void take(std::span<const std::string_view> cells, int64_t number, int64_t line) {
    row_count_ = number;
    if (number > kMaxSteps) return;
    rows_.resize(static_cast<size_t>(number), kNoParts);  // lost ones have none
    Parts parts = kNoParts;
    for (size_t i = 0; i < parts.size(); ++i) {
      CellReader reader(Cell::duration_ms, false, nullptr);
      CellValue value;
      if (reader.read(cells[i], value) == CellOutcome::good) {
        if (!value.is_null) parts[i] = value.i64;
        continue;
      }
      diagnostics_.count(Diag::csv_bad_cell, file_, line, 1,
                         "First: row " + std::to_string(number) + ", column " + kColumns[i].names[0] + " holds \"" +
                             shorten(to_valid_utf8(cells[i]), 40) + "\".");
      return;
    }
    rows_.back() = parts;
  }

  void complete(store::SegmentBuilder& out) const {
    if (rows_.empty() || !out.has(step::kTable)) return;
    store::TableBuilder& steps = out.table(step::kTable);
    const std::vector<int64_t>& numbers = steps.values(step::src_pos);  // of step_trace_raw's rows, from 1
    const int64_t count = *std::max_element(numbers.begin(), numbers.end());
    if ((row_count_ != count && row_count_ != count + 1) || count > kMaxSteps) {
      diagnostics_.count(
          Diag::files_disagree, file_, std::nullopt, 1,
          "It has " + std::to_string(row_count_) + " rows for " + std::to_string(count) + " steps: none was taken.");
      return;
    }
    uint64_t longer = 0;
    for (uint64_t row = 0; row < steps.rows(); ++row) {
      const Parts& parts = rows_[static_cast<size_t>(numbers[row] - 1)];
      if (*std::max_element(parts.begin(), parts.end()) > steps.values(step::iteration_ns)[row]) {
        ++longer;
        continue;
      }
      set(steps.column(step::not_overlapped_ns), row, parts[0]);
      set(steps.column(step::stage_ns), row, parts[1]);
      set(steps.column(step::bubble_ns), row, parts[2]);
      set(steps.column(step::not_overlapped_exclude_receive_ns), row, parts[3]);
    }
    diagnostics_.count(Diag::files_disagree, file_, std::nullopt, longer,
                       "Parts of steps are longer than the steps: none was taken of those.");
  }

  bool is_empty() const { return row_count_ == 0; }

 private:
  static constexpr Parts kNoParts{kNone, kNone, kNone, kNone};

  static void set(store::ColumnBuffer& column, uint64_t row, int64_t duration_ns) {
    if (duration_ns != kNone) set_integer(column, row, duration_ns);
  }

  const std::string& file_;
  Diagnostics& diagnostics_;
  std::vector<Parts> rows_;
  int64_t row_count_ = 0;  // with those beyond the bound
};

}  // namespace

Result<void> read_ms_cluster_steps(const std::filesystem::path& file, const std::string& relative_path,
                                   IngestContext& context, store::SegmentBuilder& out) {
  ClusterSteps steps(relative_path, context.diagnostics);
  const auto unread = [&] {
    uint64_t count = 0;
    for (const Diag diag : {Diag::csv_no_header, Diag::csv_duplicate_column, Diag::file_empty, Diag::file_unreadable,
                            Diag::gzip_damaged, Diag::file_cut}) {
      count += context.diagnostics.total(diag);
    }
    return count;
  };
  const uint64_t unread_before = unread();
  SW_RETURN_IF_ERROR(read_csv_rows(kColumns, file, relative_path, context,
                                   [&](auto cells, int64_t number, int64_t line) { steps.take(cells, number, line); }));
  if (steps.is_empty() && unread() == unread_before) context.diagnostics.count(Diag::csv_no_rows, relative_path);
  steps.complete(out);
  return {};
}

}  // namespace stepwise::ingest
