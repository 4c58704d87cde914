#include "core/ingest/csv/csv_column_reader.h"

#include <algorithm>
#include <limits>

#include "core/base/limits.h"
#include "core/ingest/csv/csv_mask.h"
#include "core/ingest/csv/csv_plain_cell.h"

namespace stepwise::ingest {
namespace {

template <class T>
T& part_of(CellValue& value) {
  if constexpr (std::is_same_v<T, int64_t>) return value.i64;
  if constexpr (std::is_same_v<T, double>) return value.f64;
  if constexpr (std::is_same_v<T, int32_t>) return value.code;
}

static_assert(ColumnFiller::kRows == CsvBlock::kRecords);

}  // namespace

CsvColumnReader::CsvColumnReader(Cell kind, bool required, TextInterner* texts, store::ColumnBuffer& column)
    : cells_(kind, required, texts),
      filler_(column),
      known_(texts == nullptr ? nullptr : std::make_unique<KnownCells>()) {}

void CsvColumnReader::bind(size_t cell, CellUnit unit) {
  cell_ = cell;
  cells_.set_unit(unit);
  last_.forget();
}

/// read(raw): the cell as a Taken<T>, alone.
template <class T, class Read>
inline uint64_t CsvColumnReader::read_down(const CsvBlock& block, Read read) {
  const CsvBlock::Column cells = block.column(cell_);
  const size_t rows = block.size();
  T* const values = filler_.values<T>();
  LastCell last = last_;
  Taken<T> taken{part_of<T>(last_value_), last_value_.is_null};
  uint64_t nulls = 0, left_out = 0;
  for (size_t row = 0; row < rows; ++row) {
    size_t next = row;
    while (next < rows && last.is_again(cells[next])) ++next;
    if (next != row) {
      std::fill(values + row, values + next, taken.value);
      if (taken.is_null) nulls |= first_bits(next) & ~first_bits(row);
      if (next == rows) break;
      row = next;
    }
    const std::string_view raw = cells[row];
    taken = read(raw);
    if (taken.is_left_out) {
      left_out |= uint64_t{1} << row;
      last.forget();
    } else {
      last.keep(raw);
    }
    values[row] = taken.value;
    nulls |= uint64_t{taken.is_null} << row;
  }
  last_ = last;
  part_of<T>(last_value_) = taken.value;
  last_value_.is_null = taken.is_null;
  filler_.set_nulls(nulls);
  return left_out;
}

/// In the general way.
template <class T>
auto CsvColumnReader::read_alone(std::string_view raw) -> Taken<T> {
  scratch_.clear();
  CellValue value;
  if (!cells_.read_alone(unquoted(raw, scratch_), value)) return {T{}, false, true};
  return {part_of<T>(value), value.is_null};
}

uint64_t CsvColumnReader::read_block(const CsvBlock& block) {
  if (filler_.type() == table::Type::code) {
    return read_down<int32_t>(block, [this](std::string_view raw) -> Taken<int32_t> {
      const int32_t code = known_->find(raw);
      return {std::max(code, 0), code == KnownCells::kNull, code == KnownCells::kUnknown};
    });
  }
  const auto read_numbers = [&](double divisor) {
    return read_down<double>(block, [this, divisor](std::string_view raw) -> Taken<double> {
      const double plain = plain_number(raw);
      if (plain < 0) return read_alone<double>(raw);
      return {plain / divisor};
    });
  };
  const auto read_wholes = [&](auto to_plain, int64_t most) {
    return read_down<int64_t>(block, [=, this](std::string_view raw) -> Taken<int64_t> {
      const int64_t plain = to_plain(raw);
      if (plain == kNotPlain || plain > most) return read_alone<int64_t>(raw);
      return {plain};
    });
  };
  const auto times = [](std::string_view raw) { return plain_us_to_ns(raw); };
  const auto integers = [](std::string_view raw) { return plain_whole(raw); };
  constexpr int64_t kAny = std::numeric_limits<int64_t>::max();
  switch (cells_.kind()) {
    case Cell::instant:
      return read_wholes(times, limits::kMaxInstantNs);
    case Cell::measured:
      return read_wholes(times, limits::kMaxDurationNs);
    case Cell::us:
      return read_wholes(times, kAny);
    case Cell::integer:
      return read_wholes(integers, kAny);
    case Cell::number:
      return read_numbers(1);
    case Cell::percent:
      return read_numbers(100);
    default:
      return read_down<int64_t>(block, [this](std::string_view raw) { return read_alone<int64_t>(raw); });
  }
}

CellOutcome CsvColumnReader::read_one(const CsvBlock& block, size_t record) {
  const std::string_view raw = block.raw(record, cell_);
  const uint64_t oddities = cells_.oddities();
  scratch_.clear();
  CellValue value;
  const CellOutcome outcome = cells_.read(unquoted(raw, scratch_), value);
  if (outcome != CellOutcome::good) return outcome;
  filler_.set(record, value);
  // What is counted is counted each time.
  if (known_ != nullptr && cells_.oddities() == oddities) {
    known_->remember(raw, value.is_null ? KnownCells::kNull : value.code);
  }
  return outcome;
}

}  // namespace stepwise::ingest
