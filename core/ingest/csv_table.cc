#include "core/ingest/csv_table.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <system_error>
#include <vector>

#include "core/base/text.h"
#include "core/ingest/column_filler.h"
#include "core/ingest/csv_reader.h"
#include "core/ingest/huge_pages.h"
#include "core/ingest/msprof_choice.h"
#include "core/ingest/read_file.h"
#include "core/ingest/text_interner.h"

namespace stepwise::ingest {
namespace {

constexpr size_t kAbsent = static_cast<size_t>(-1);
constexpr size_t kNamesShown = 20;  // of columns, in a diagnostic

std::string quoted(std::string_view text) { return '"' + shorten(to_valid_utf8(text), 40) + '"'; }

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (size_t i = 0; i < std::min(names.size(), kNamesShown); ++i) out += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kNamesShown) out += " and " + std::to_string(names.size() - kNamesShown) + " more";
  return out;
}

/// A column of the format bound to a cell of this file's records.
struct Bound {
  const CsvColumn* column;
  size_t cell;  // kAbsent: this file has none
  CellReader reader;
  ColumnFiller filler;
  CellValue value;  // of the row at hand, before it is known whether all of it can be read
};

class TableHandler final : public CsvHandler {
 public:
  /// whole: how the table's source is called, if it comes in slices, too.
  TableHandler(const CsvFormat& format, std::string whole, Diagnostics& diagnostics, store::SegmentBuilder& out)
      : format_(format), whole_(std::move(whole)), diagnostics_(diagnostics), out_(out) {}

  /// The next file's header and rows follow. row_base: added to their numbers; bytes_behind: of the files after it.
  void begin_file(const std::string& file, int64_t row_base, uint64_t bytes_behind) {
    file_ = file;
    row_base_ = row_base;
    bytes_behind_ = bytes_behind;
    saw_anything_ = false;
  }

  bool header(const CsvRecord& record) override;
  void row(const CsvRecord& record, int64_t number) override;
  void lost(CsvLoss loss, int64_t line, size_t cells) override;

  /// Makes room for the rows that are still to come, as far as those before tell.
  void expect_more(const FilePosition& position);
  /// After the last row: order, and what was counted on the way.
  void close();
  bool saw_anything() const { return saw_anything_; }

 private:
  bool is_required(const CsvColumn& column) const {
    return column.is_required || !format_.table.columns[column.column].nullable;
  }
  void bind(const std::vector<size_t>& cells);
  void leave_out(Diag diag, const Bound& bound, const CsvRecord& record, int64_t number);
  void sort_rows();

  const CsvFormat& format_;
  const std::string whole_;
  std::string file_;
  int64_t row_base_ = 0;
  uint64_t bytes_behind_ = 0;
  Diagnostics& diagnostics_;
  store::SegmentBuilder& out_;
  store::TableBuilder* table_ = nullptr;
  std::vector<Bound> bound_;
  std::vector<ColumnFiller> nulls_;     // columns that no file of this format has
  std::deque<TextInterner> interners_;  // one for each column of texts
  size_t header_size_ = 0;
  bool saw_anything_ = false, has_reserved_ = false;
};

bool TableHandler::header(const CsvRecord& record) {
  saw_anything_ = true;
  header_size_ = record.size();
  std::vector<std::string_view> names(record.size());
  for (size_t i = 0; i < names.size(); ++i) names[i] = trim(record[i]);

  std::vector<size_t> cells;  // of each column of the format
  std::vector<bool> used(names.size(), false);
  std::vector<std::string> missing, unused;
  for (const CsvColumn& column : format_.columns) {
    auto found = std::find(names.begin(), names.end(), column.name);
    if (found == names.end() && column.other_name != nullptr) {
      found = std::find(names.begin(), names.end(), column.other_name);
    }
    if (found == names.end() || column.cell == Cell::constant) {
      cells.push_back(kAbsent);
      if (is_required(column) && column.cell != Cell::constant) missing.emplace_back(column.name);
    } else {
      cells.push_back(static_cast<size_t>(found - names.begin()));
      used[cells.back()] = true;
    }
  }
  for (size_t i = 0; i < cells.size(); ++i) {
    if (cells[i] == kAbsent || std::count(names.begin(), names.end(), names[cells[i]]) == 1) continue;
    diagnostics_.count(Diag::csv_duplicate_column, file_, record.line(), 1, "It is " + quoted(names[cells[i]]) + ".");
    return false;
  }
  if (!missing.empty()) {
    diagnostics_.count(Diag::csv_no_header, file_, record.line(), 1, "Missing: " + listed(missing) + ".");
    return false;
  }
  for (size_t i = 0; i < names.size(); ++i) {
    if (!used[i]) unused.push_back(to_valid_utf8(names[i]));
  }
  if (!unused.empty()) {
    diagnostics_.count(Diag::csv_column_unused, file_, record.line(), unused.size(),
                       "They are: " + listed(unused) + ".");
  }
  bind(cells);
  return true;
}

void TableHandler::bind(const std::vector<size_t>& cells) {
  if (table_ != nullptr) {  // a slice after the first: its columns may stand in another order
    for (size_t i = 0; i < bound_.size(); ++i) {
      bound_[i].cell = cells[i];
      if (cells[i] == kAbsent && bound_[i].column->cell != Cell::constant) bound_[i].value = {};
    }
    return;
  }
  table_ = &out_.table(format_.table);
  out_.set_source_file(format_.table, whole_);
  for (size_t i = 0; i < format_.columns.size(); ++i) {
    const CsvColumn& column = format_.columns[i];
    const table::ColumnDecl& decl = format_.table.columns[column.column];
    TextInterner* texts = nullptr;
    if (decl.type == table::Type::code) texts = &interners_.emplace_back(out_.dictionary());
    bound_.push_back({&column, cells[i], CellReader(column.cell, is_required(column), texts),
                      ColumnFiller(table_->columns()[column.column]), CellValue{}});
    if (column.cell == Cell::constant) bound_.back().reader.read(column.name, bound_.back().value);
  }
  for (size_t i = 0; i < format_.table.columns.size(); ++i) {
    const bool is_bound = std::any_of(format_.columns.begin(), format_.columns.end(),
                                      [i](const CsvColumn& column) { return column.column == i; });
    if (!is_bound && i != format_.src_pos) nulls_.emplace_back(table_->columns()[i]);
  }
}

void TableHandler::row(const CsvRecord& record, int64_t number) {
  number += row_base_;
  for (Bound& bound : bound_) {
    if (bound.cell == kAbsent) continue;
    const CellOutcome outcome = bound.reader.read(record[bound.cell], bound.value);
    if (outcome == CellOutcome::bad) return leave_out(Diag::csv_bad_cell, bound, record, number);
    if (outcome != CellOutcome::good) return leave_out(Diag::timestamp_destroyed, bound, record, number);
  }
  for (Bound& bound : bound_) bound.filler.push(bound.value);
  for (ColumnFiller& filler : nulls_) filler.push(CellValue{});
  table_->columns()[format_.src_pos].i64.push_back(number);
  table_->end_row();
}

void TableHandler::leave_out(Diag diag, const Bound& bound, const CsvRecord& record, int64_t number) {
  diagnostics_.count(diag, file_, record.line(), 1,
                     "First: row " + std::to_string(number) + ", column " + bound.column->name + " holds " +
                         quoted(record[bound.cell]) + ".");
}

void TableHandler::lost(CsvLoss loss, int64_t line, size_t cells) {
  saw_anything_ = true;
  switch (loss) {
    case CsvLoss::ragged:
      diagnostics_.count(
          Diag::csv_ragged_record, file_, line, 1,
          "First: " + std::to_string(cells) + " cells, the header has " + std::to_string(header_size_) + ".");
      break;
    case CsvLoss::too_long:
      diagnostics_.count(Diag::csv_record_too_long, file_, line);
      break;
    case CsvLoss::cut:
      diagnostics_.count(Diag::file_cut, file_, line);
      break;
    case CsvLoss::header_too_wide:
      diagnostics_.count(Diag::csv_no_header, file_, line, 1, "It is wider than any table of a profiler.");
      break;
    case CsvLoss::no_final_newline:
      diagnostics_.count(Diag::csv_no_final_newline, file_, line);
      break;
  }
}

void TableHandler::expect_more(const FilePosition& position) {
  if (has_reserved_ || table_ == nullptr || table_->rows() == 0 || position.consumed_bytes == 0) return;
  has_reserved_ = true;
  // Growing step by step would copy every column several times. A row of the table takes about as many bytes as one of
  // the file; a file whose first rows are tiny must not make us ask for more memory than there is.
  const size_t row_bytes = table_->columns().size() * sizeof(int64_t);
  const uint64_t bytes = position.file_bytes + bytes_behind_, most = 2 * bytes / row_bytes;
  const double scale = 1.05 * static_cast<double>(bytes) / static_cast<double>(position.consumed_bytes);
  const auto rows = std::min(most, static_cast<uint64_t>(static_cast<double>(table_->rows()) * scale));
  for (Bound& bound : bound_) bound.filler.reserve(rows);
  for (ColumnFiller& filler : nulls_) filler.reserve(rows);
  reserve_in_huge_pages(table_->columns()[format_.src_pos].i64, rows);
}

void TableHandler::sort_rows() {
  const std::string_view sorted_by = format_.table.sorted_by;
  if (sorted_by.empty()) return;
  const auto& decl = format_.table.columns;
  const auto by = std::find_if(decl.begin(), decl.end(), [&](const auto& one) { return one.name == sorted_by; });
  const std::vector<int64_t>& key = table_->columns()[static_cast<size_t>(by - decl.begin())].i64;
  if (std::is_sorted(key.begin(), key.end())) return;
  std::vector<uint32_t> order(key.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&key](uint32_t a, uint32_t b) { return key[a] < key[b]; });
  table_->permute(order);
}

void TableHandler::close() {
  if (table_ == nullptr) return;
  for (Bound& bound : bound_) bound.filler.finish();
  for (ColumnFiller& filler : nulls_) filler.finish();
  uint64_t rounded = 0;
  for (const Bound& bound : bound_) rounded += bound.reader.rounded();
  diagnostics_.count(Diag::csv_time_rounded, whole_, std::nullopt, rounded);
  if (table_->rows() == 0) {
    // Profilers write no file that has no rows. A table without rows would read as "looked, and there was none".
    diagnostics_.count(Diag::csv_no_rows, whole_);
    out_.drop(format_.table);
    return;
  }
  sort_rows();
  uint64_t repaired = 0;
  for (const TextInterner& texts : interners_) repaired += texts.repaired();
  diagnostics_.count(Diag::text_not_utf8, whole_, std::nullopt, repaired);
}

uint64_t bytes_of(const InputFile& file) {
  std::error_code ec;
  const uint64_t bytes = std::filesystem::file_size(file.path, ec);
  return ec ? 0 : bytes;
}

/// Returns how many records it has below the header.
Result<int64_t> read_one(const CsvFormat& format, const std::filesystem::path& file, const std::string& relative_path,
                         IngestContext& context, TableHandler& handler) {
  CsvReader reader(handler);
  if (format.has_short_rows) reader.accept_short_rows();
  const ByteSink sink{
      [&] { return reader.room(context.options.csv_chunk_bytes); },
      [&](size_t bytes) {
        reader.commit(bytes);
        return !reader.stopped();
      },
      [&](const FilePosition& position) { handler.expect_more(position); },
  };
  SW_ASSIGN_OR_RETURN(const ReadEnd end, read_file(file, relative_path, context, sink));
  reader.finish(end == ReadEnd::broken);
  if (end == ReadEnd::whole && !handler.saw_anything()) {
    context.diagnostics.count(Diag::csv_no_header, relative_path, std::nullopt, 1, "It holds blank lines only.");
  }
  return reader.row_number();
}

}  // namespace

Result<void> read_csv_table(const CsvFormat& format, const std::filesystem::path& file,
                            const std::string& relative_path, IngestContext& context, store::SegmentBuilder& out) {
  const std::string whole = context.more_slices.empty() ? relative_path : export_name(relative_path).key;
  TableHandler handler(format, whole, context.diagnostics, out);
  uint64_t bytes_behind = 0;
  for (const InputFile& slice : context.more_slices) bytes_behind += bytes_of(slice);
  handler.begin_file(relative_path, 0, bytes_behind);
  SW_ASSIGN_OR_RETURN(int64_t rows, read_one(format, file, relative_path, context, handler));
  for (const InputFile& slice : context.more_slices) {
    bytes_behind -= std::min(bytes_behind, bytes_of(slice));
    handler.begin_file(slice.relative_path, rows, bytes_behind);
    SW_ASSIGN_OR_RETURN(const int64_t more, read_one(format, slice.path, slice.relative_path, context, handler));
    rows += more;
  }
  handler.close();
  return {};
}

}  // namespace stepwise::ingest
