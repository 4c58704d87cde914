#include "core/ingest/csv_table.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <optional>
#include <vector>

#include "core/base/decimal.h"
#include "core/base/text.h"
#include "core/ingest/csv_reader.h"
#include "core/ingest/huge_pages.h"
#include "core/ingest/read_file.h"
#include "core/ingest/text_interner.h"

namespace stepwise::ingest {
namespace {

constexpr size_t kAbsent = static_cast<size_t>(-1);
constexpr size_t kNamesShown = 20;  // of columns, in a diagnostic

bool is_null_cell(std::string_view cell) { return cell.empty() || cell == "N/A"; }

std::string quoted(std::string_view text) { return '"' + shorten(to_valid_utf8(text), 40) + '"'; }

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (size_t i = 0; i < std::min(names.size(), kNamesShown); ++i) out += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kNamesShown) out += " and " + std::to_string(names.size() - kNamesShown) + " more";
  return out;
}

/// A row's value of one column, before it is known whether the whole row can be read.
struct Value {
  bool is_null = true;
  int64_t i64 = 0;
  double f64 = 0;
  int32_t code = 0;
};

template <class T>
void reserve(std::vector<T>& values, uint64_t rows) {
  values.reserve(rows);
  prefer_huge_pages(values);
}

/// Most numbers of a profile have few digits: those are exact in a double, and one division by an exact power of ten
/// rounds right. Everything else takes the general way.
std::optional<double> to_number(std::string_view cell) {
  constexpr size_t kExactDigits = 15;
  constexpr double kPowersOf10[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  if (cell.size() > kExactDigits + 1) return to_double(cell);
  int64_t digits = 0;
  size_t point = cell.size();
  for (size_t i = 0; i < cell.size(); ++i) {
    const auto digit = static_cast<unsigned char>(cell[i] - '0');
    if (digit <= 9) {
      digits = digits * 10 + digit;
    } else if (cell[i] == '.' && point == cell.size()) {
      point = i;
    } else {
      return to_double(cell);
    }
  }
  const size_t decimals = point == cell.size() ? 0 : cell.size() - point - 1;
  if (cell.size() - (point != cell.size()) == 0 || cell.size() - (point != cell.size()) > kExactDigits) {
    return to_double(cell);
  }
  return static_cast<double>(digits) / kPowersOf10[decimals];
}

/// A column of the format bound to a cell of this file's records.
struct Bound {
  const CsvColumn* column;
  size_t cell = kAbsent;
  bool required = false;
  TextInterner* texts = nullptr;
  Value value;
};

void push(store::ColumnBuffer& column, const Value& value) {
  if (value.is_null) {
    if (column.valid.empty()) column.valid.assign(column.rows(), true);
    column.valid.push_back(false);
    ++column.null_count;
  } else if (!column.valid.empty()) {
    column.valid.push_back(true);
  }
  switch (column.decl->type) {
    case table::Type::i64:
      column.i64.push_back(value.is_null ? 0 : value.i64);
      break;
    case table::Type::f64:
      column.f64.push_back(value.is_null ? 0 : value.f64);
      break;
    case table::Type::code:
      column.code.push_back(value.is_null ? 0 : value.code);
      break;
    case table::Type::u8:
      break;  // csv_column() refuses it
  }
}

class TableHandler final : public CsvHandler {
 public:
  TableHandler(const CsvFormat& format, const std::string& file, Diagnostics& diagnostics, store::SegmentBuilder& out)
      : format_(format), file_(file), diagnostics_(diagnostics), out_(out) {}

  bool header(const CsvRecord& record) override;
  void row(const CsvRecord& record, int64_t number) override;
  void lost(CsvLoss loss, int64_t line, size_t cells) override;

  /// Makes room for the rows that are still to come, as far as those before tell.
  void expect_more(const FilePosition& position);
  /// After the last row: order, and what was counted on the way.
  void close();
  bool saw_anything() const { return saw_anything_; }

 private:
  bool read(Bound& bound, std::string_view cell);
  std::string_view without(std::string_view cell, std::string_view dropped);
  void leave_out(const Bound& bound, std::string_view cell, int64_t line, int64_t number);
  void sort_rows();

  const CsvFormat& format_;
  const std::string& file_;
  Diagnostics& diagnostics_;
  store::SegmentBuilder& out_;
  store::TableBuilder* table_ = nullptr;
  std::vector<Bound> bound_;
  std::deque<TextInterner> interners_;  // one for each column of texts
  size_t header_size_ = 0;
  std::string scratch_;
  bool timestamp_destroyed_ = false, saw_anything_ = false, has_reserved_ = false;
};

bool TableHandler::header(const CsvRecord& record) {
  saw_anything_ = true;
  header_size_ = record.size();
  std::vector<std::string_view> names(record.size());
  for (size_t i = 0; i < names.size(); ++i) names[i] = trim(record[i]);

  std::vector<bool> used(names.size(), false);
  std::vector<std::string> missing;
  for (const CsvColumn& column : format_.columns) {
    const table::ColumnDecl& decl = format_.table.columns[column.column];
    Bound bound{&column, kAbsent, !decl.nullable, nullptr, {}};
    if (decl.type == table::Type::code) bound.texts = &interners_.emplace_back(out_.dictionary());
    if (column.cell == Cell::constant) {
      bound.value.is_null = false;
      bound.value.code = out_.dictionary().intern(column.name);
      bound_.push_back(bound);
      continue;
    }
    auto found = std::find(names.begin(), names.end(), column.name);
    if (found == names.end() && column.other_name != nullptr) {
      found = std::find(names.begin(), names.end(), column.other_name);
    }
    if (found != names.end()) {
      bound.cell = static_cast<size_t>(found - names.begin());
      used[bound.cell] = true;
    } else if (bound.required) {
      missing.emplace_back(column.name);
    }
    bound_.push_back(bound);
  }
  if (!missing.empty()) {
    diagnostics_.count(Diag::csv_no_header, file_, record.line(), 1, "Missing: " + listed(missing) + ".");
    return false;
  }
  std::vector<std::string> unused;
  for (size_t i = 0; i < names.size(); ++i) {
    if (!used[i]) unused.push_back(to_valid_utf8(names[i]));
  }
  if (!unused.empty()) {
    diagnostics_.count(Diag::csv_column_unused, file_, record.line(), unused.size(),
                       "They are: " + listed(unused) + ".");
  }
  table_ = &out_.table(format_.table);
  out_.set_source_file(format_.table, file_);
  return true;
}

std::string_view TableHandler::without(std::string_view cell, std::string_view dropped) {
  if (cell.find_first_of(dropped) == std::string_view::npos) return cell;
  scratch_.assign(cell);
  std::erase_if(scratch_, [dropped](char c) { return dropped.find(c) != std::string_view::npos; });
  return scratch_;
}

/// False: the cell cannot be read.
bool TableHandler::read(Bound& bound, std::string_view cell) {
  Value& value = bound.value;
  const auto take = [&value](auto& into, const auto& maybe) {
    value.is_null = !maybe;
    if (maybe) into = *maybe;
    return maybe.has_value();
  };
  if (is_null_cell(cell) && !(bound.required && bound.column->cell == Cell::text)) {
    value.is_null = true;
    return !bound.required;
  }
  switch (bound.column->cell) {
    case Cell::integer:
      return take(value.i64, to_integer(cell));
    case Cell::instant:
      if (cell.find_first_of("eE") != std::string_view::npos && is_destroyed_timestamp(cell)) {
        timestamp_destroyed_ = true;
        return false;
      }
      return take(value.i64, us_to_ns(cell));
    case Cell::duration:
      return take(value.i64, us_to_ns(cell)) && value.i64 >= 0;
    case Cell::us:
      return take(value.i64, us_to_ns(cell));
    case Cell::number:
      return take(value.f64, to_number(cell));
    case Cell::percent:
      if (!take(value.f64, to_number(cell))) return false;
      value.f64 /= 100;
      return true;
    case Cell::shapes:
      if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
      break;
    case Cell::lines:
      cell = without(cell, "\r");
      break;
    case Cell::one_line:
      cell = without(cell, "\r\n");
      break;
    case Cell::text:
    case Cell::constant:
      break;
  }
  value.is_null = false;
  value.code = bound.texts->code_of(cell);
  return true;
}

void TableHandler::row(const CsvRecord& record, int64_t number) {
  for (Bound& bound : bound_) {
    if (bound.cell == kAbsent) continue;
    const std::string_view cell = record[bound.cell];
    if (!read(bound, cell)) return leave_out(bound, cell, record.line(), number);
  }
  std::vector<store::ColumnBuffer>& columns = table_->columns();
  for (const Bound& bound : bound_) push(columns[bound.column->column], bound.value);
  columns[format_.src_pos].i64.push_back(number);
  table_->end_row();
}

void TableHandler::leave_out(const Bound& bound, std::string_view cell, int64_t line, int64_t number) {
  const Diag diag = timestamp_destroyed_ ? Diag::timestamp_destroyed : Diag::csv_bad_cell;
  timestamp_destroyed_ = false;
  diagnostics_.count(
      diag, file_, line, 1,
      "First: row " + std::to_string(number) + ", column " + bound.column->name + " holds " + quoted(cell) + ".");
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
  const uint64_t most = 2 * position.file_bytes / row_bytes;
  const double scale = 1.05 * static_cast<double>(position.file_bytes) / static_cast<double>(position.consumed_bytes);
  const auto rows = std::min(most, static_cast<uint64_t>(static_cast<double>(table_->rows()) * scale));
  for (store::ColumnBuffer& column : table_->columns()) {
    if (column.decl->type == table::Type::i64) reserve(column.i64, rows);
    if (column.decl->type == table::Type::f64) reserve(column.f64, rows);
    if (column.decl->type == table::Type::code) reserve(column.code, rows);
    column.valid.reserve(rows);
  }
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
  sort_rows();
  uint64_t repaired = 0;
  for (const TextInterner& texts : interners_) repaired += texts.repaired();
  diagnostics_.count(Diag::text_not_utf8, file_, std::nullopt, repaired);
}

}  // namespace

Result<void> read_csv_table(const CsvFormat& format, const std::filesystem::path& file,
                            const std::string& relative_path, IngestContext& context, store::SegmentBuilder& out) {
  TableHandler handler(format, relative_path, context.diagnostics, out);
  CsvReader reader(handler);
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
  handler.close();
  return {};
}

}  // namespace stepwise::ingest
