#include "core/ingest/csv/csv_table.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <system_error>
#include <vector>

#include "core/base/text.h"
#include "core/ingest/base/export_name.h"
#include "core/ingest/base/huge_pages.h"
#include "core/ingest/base/table_order.h"
#include "core/ingest/base/text_interner.h"
#include "core/ingest/csv/column_filler.h"
#include "core/ingest/csv/csv_column_reader.h"
#include "core/ingest/csv/csv_header.h"
#include "core/ingest/csv/csv_reader.h"
#include "core/ingest/csv/csv_rows.h"

namespace stepwise::ingest {
namespace {

std::string quoted(std::string_view text) { return '"' + shorten(to_valid_utf8(text), 40) + '"'; }

/// A column of the format bound to a cell of this file's records.
struct Bound {
  const CsvColumn* column;
  CsvColumnReader reader;
  bool has_cell = false;        // in this file
  bool is_filled_last = false;  // one value for all rows, which needs no row
  uint64_t left_out = 0;        // of the block at hand, by read_block
  CellValue value{};            // of all rows, where there is no cell

  ColumnFiller& filler() { return reader.filler(); }
};

class TableHandler final : public CsvHandler {
 public:
  /// whole: how the table's source is called, if it comes in slices (whose columns may differ), too.
  TableHandler(const CsvFormat& format, std::string whole, bool in_slices, Diagnostics& diagnostics,
               store::SegmentBuilder& out)
      : format_(format), whole_(std::move(whole)), in_slices_(in_slices), diagnostics_(diagnostics), out_(out) {}

  /// The next file's header and rows follow. row_base: added to their numbers; bytes_behind: of the files after it.
  void begin_file(const std::string& file, int64_t row_base, uint64_t bytes_behind) {
    file_ = file;
    row_base_ = row_base;
    bytes_behind_ = bytes_behind;
    saw_anything_ = false;
  }

  bool header(const CsvRecord& record) override;
  void rows(const CsvBlock& block) override;
  void lost(CsvLoss loss, int64_t line, size_t cells) override;

  /// Makes room for the rows that are still to come, as far as those before tell.
  void expect_more(const FilePosition& position);
  /// After the last row: order, and what was counted on the way.
  void close();
  bool saw_anything() const { return saw_anything_; }

 private:
  bool is_required(const CsvColumn& column) const {
    return column.is_required || (!format_.table.columns[column.column].nullable && !column.is_completed);
  }
  void bind(const std::vector<size_t>& cells, const CsvRecord& header);
  void begin_table();
  bool end_row(const CsvBlock& block, size_t record);
  bool complete_row(const CsvBlock& block, size_t record);
  void leave_out(Diag diag, const Bound& bound, const CsvBlock& block, size_t record);

  const CsvFormat& format_;
  const std::string whole_;
  const bool in_slices_;
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
  uint64_t rows_ = 0;
  bool saw_anything_ = false, has_reserved_ = false;
};

bool TableHandler::header(const CsvRecord& record) {
  saw_anything_ = true;
  header_size_ = record.size();
  std::vector<CsvColumnName> names;
  for (const CsvColumn& column : format_.columns) {
    const bool has_cell = column.cell != Cell::constant;
    names.push_back(has_cell ? CsvColumnName{column.names, is_required(column)} : CsvColumnName{{}, false});
  }
  const auto cells = find_columns(record, names, file_, diagnostics_);
  if (cells) bind(*cells, record);
  return cells.has_value();
}

void TableHandler::bind(const std::vector<size_t>& cells, const CsvRecord& header) {
  if (table_ == nullptr) begin_table();
  for (size_t i = 0; i < bound_.size(); ++i) {  // in a slice after the first, columns may stand in another order
    Bound& bound = bound_[i];
    bound.has_cell = cells[i] != kAbsentCell;
    const bool is_fixed = bound.column->cell == Cell::constant || (!bound.has_cell && !in_slices_);
    bound.is_filled_last = is_fixed && format_.complete == nullptr;
    if (bound.has_cell) bound.reader.bind(cells[i], unit_of_header(trim(header[cells[i]])));
  }
}

void TableHandler::begin_table() {
  table_ = &out_.table(format_.table);
  out_.set_source_file(format_.table, whole_);
  for (const CsvColumn& column : format_.columns) {
    const table::ColumnDecl& decl = format_.table.columns[column.column];
    TextInterner* texts = nullptr;
    if (decl.type == table::Type::code) texts = &interners_.emplace_back(out_.dictionary());
    bound_.push_back(
        {&column, CsvColumnReader(column.cell, is_required(column), texts, table_->column_at(column.column))});
    if (column.cell == Cell::constant) bound_.back().reader.cells().read(column.names[0], bound_.back().value);
  }
  for (size_t i = 0; i < format_.table.columns.size(); ++i) {
    const bool is_bound = std::any_of(format_.columns.begin(), format_.columns.end(),
                                      [i](const CsvColumn& column) { return column.column == i; });
    if (!is_bound && i != format_.src_pos) nulls_.emplace_back(table_->column_at(i));
  }
}

void TableHandler::rows(const CsvBlock& block) {
  uint64_t kept = first_bits(block.size()), unfinished = format_.complete == nullptr ? 0 : kept;
  for (Bound& bound : bound_) {
    if (bound.has_cell) {
      unfinished |= bound.left_out = bound.reader.read_block(block);
    } else if (!bound.is_filled_last) {
      for (size_t record = 0; record < block.size(); ++record) bound.filler().set(record, bound.value);
    }
  }
  for (; unfinished != 0; unfinished &= unfinished - 1) {
    const auto record = static_cast<size_t>(std::countr_zero(unfinished));
    if (!end_row(block, record)) kept &= ~(uint64_t{1} << record);
  }
  for (Bound& bound : bound_) {
    if (!bound.is_filled_last) bound.filler().take(block.size(), kept);
  }
  int64_t positions[CsvBlock::kRecords];
  size_t rows = 0;
  for (size_t record = 0; record < block.size(); ++record) {
    positions[rows] = row_base_ + block.number(record);
    rows += kept >> record & 1;
  }
  std::vector<int64_t>& src_pos = table_->column_at(format_.src_pos).i64;
  src_pos.insert(src_pos.end(), positions, positions + rows);
  rows_ += rows;
}

/// Reads the cells that must be read one after the other. False: the row is left out.
bool TableHandler::end_row(const CsvBlock& block, size_t record) {
  for (Bound& bound : bound_) {
    if (!bound.has_cell || (bound.left_out >> record & 1) == 0) continue;
    const CellOutcome outcome = bound.reader.read_one(block, record);
    if (outcome == CellOutcome::good) continue;
    leave_out(outcome == CellOutcome::bad ? Diag::csv_bad_cell : Diag::timestamp_destroyed, bound, block, record);
    return false;
  }
  return format_.complete == nullptr || complete_row(block, record);
}

/// False: the row is left out.
bool TableHandler::complete_row(const CsvBlock& block, size_t record) {
  std::vector<CellValue> values;
  for (Bound& bound : bound_) values.push_back(bound.filler().value(record));
  switch (format_.complete(values)) {
    case CsvRow::whole:
      for (size_t i = 0; i < values.size(); ++i) bound_[i].filler().set(record, values[i]);
      return true;
    case CsvRow::senseless:
      diagnostics_.count(
          Diag::csv_bad_cell, file_, block.line(record), 1,
          "First: row " + std::to_string(row_base_ + block.number(record)) + ", whose cells make no sense together.");
      return false;
    case CsvRow::summary:
      return false;
  }
  return false;
}

void TableHandler::leave_out(Diag diag, const Bound& bound, const CsvBlock& block, size_t record) {
  std::string scratch;
  const std::string_view cell = unquoted(block.raw(record, bound.reader.cell()), scratch);
  diagnostics_.count(diag, file_, block.line(record), 1,
                     "First: row " + std::to_string(row_base_ + block.number(record)) + ", column " +
                         bound.column->names[0] + " holds " + quoted(cell) + ".");
}

void TableHandler::lost(CsvLoss loss, int64_t line, size_t cells) {
  saw_anything_ = true;
  count_loss(loss, line, cells, header_size_, file_, diagnostics_);
}

void TableHandler::expect_more(const FilePosition& position) {
  if (has_reserved_ || table_ == nullptr || rows_ == 0 || position.consumed_bytes == 0) return;
  has_reserved_ = true;
  // Growing step by step would copy every column several times. A row of the table takes about as many bytes as one of
  // the file; a file whose first rows are tiny must not make us ask for more memory than there is.
  const size_t row_bytes = table_->held_columns().size() * sizeof(int64_t);
  const uint64_t bytes = position.file_bytes + bytes_behind_, most = 2 * bytes / row_bytes;
  const double scale = 1.05 * static_cast<double>(bytes) / static_cast<double>(position.consumed_bytes);
  const auto rows = std::min(most, static_cast<uint64_t>(static_cast<double>(rows_) * scale));
  for (Bound& bound : bound_) {
    if (!bound.is_filled_last) bound.filler().reserve(rows);
  }
  reserve_in_huge_pages(table_->column_at(format_.src_pos).i64, rows);
}

void TableHandler::close() {
  if (table_ == nullptr) return;
  for (Bound& bound : bound_) {
    if (bound.is_filled_last) {
      bound.filler().fill(rows_, bound.value);
    } else {
      bound.filler().finish();
    }
  }
  for (ColumnFiller& filler : nulls_) filler.fill(rows_, CellValue{});
  table_->end_rows();
  uint64_t rounded = 0;
  for (const Bound& bound : bound_) rounded += bound.reader.cells().rounded();
  diagnostics_.count(Diag::csv_time_rounded, whole_, std::nullopt, rounded);
  if (table_->rows() == 0) {
    // Profilers write no file that has no rows. A table without rows would read as "looked, and there was none".
    diagnostics_.count(Diag::csv_no_rows, whole_);
    out_.drop(format_.table);
    return;
  }
  sort_rows(*table_);
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
  SW_RETURN_IF_ERROR(feed_csv(
      reader, file, relative_path, context, [&] { return handler.saw_anything(); },
      [&](const FilePosition& position) { handler.expect_more(position); }));
  return reader.row_number();
}

}  // namespace

Result<void> read_csv_table(const CsvFormat& format, const std::filesystem::path& file,
                            const std::string& relative_path, IngestContext& context, store::SegmentBuilder& out) {
  give_back_large_buffers();
  const std::string whole = context.more_slices.empty() ? relative_path : export_name(relative_path).key;
  TableHandler handler(format, whole, !context.more_slices.empty(), context.diagnostics, out);
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
