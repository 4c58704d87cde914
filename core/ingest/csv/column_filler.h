// A column of a table while it is filled block by block. The values of a block's rows are gathered, which the caches
// hold for all columns, and then go to the column at once; their nulls are bits of one word, and become the column's
// validity at the end: growing a vector<bool> with every row would cost more than all the rest. A column that has the
// same in every row so far, as every second one has to its end, is held once.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "core/ingest/base/huge_pages.h"
#include "core/ingest/csv/csv_cell.h"
#include "core/ingest/csv/csv_mask.h"
#include "core/store/table_builder.h"

namespace stepwise::ingest {

class ColumnFiller {
 public:
  static constexpr size_t kRows = 64;  // that are gathered

  /// The column is empty, and nobody else fills it before finish().
  explicit ColumnFiller(store::ColumnBuffer& column) : column_(&column), type_(column.decl->type) {}

  table::Type type() const { return type_; }
  /// The values of the rows being gathered, by the column's type; zero in a null's place.
  template <class T>
  T* values() {
    if constexpr (std::is_same_v<T, int64_t>) return gathered_.i64;
    if constexpr (std::is_same_v<T, double>) return gathered_.f64;
    if constexpr (std::is_same_v<T, int32_t>) return gathered_.code;
  }
  /// Bit i: row i is null.
  void set_nulls(uint64_t nulls) { nulls_ = nulls; }

  /// Of the row `at` of those being gathered, below kRows.
  void set(size_t at, const CellValue& value) {
    nulls_ = (nulls_ & ~(uint64_t{1} << at)) | uint64_t{value.is_null} << at;
    if (type_ == table::Type::i64) gathered_.i64[at] = value.i64;
    if (type_ == table::Type::f64) gathered_.f64[at] = value.f64;
    if (type_ == table::Type::code) gathered_.code[at] = value.code;
  }
  CellValue value(size_t at) const {
    CellValue value{.is_null = (nulls_ >> at & 1) != 0};
    if (type_ == table::Type::i64) value.i64 = gathered_.i64[at];
    if (type_ == table::Type::f64) value.f64 = gathered_.f64[at];
    if (type_ == table::Type::code) value.code = gathered_.code[at];
    return value;
  }

  /// Of the first `rows` that were gathered those whose bit is set in `kept` become the column's.
  void take(size_t rows, uint64_t kept) {
    if (type_ == table::Type::i64) take(column_->i64, gathered_.i64, rows, kept);
    if (type_ == table::Type::f64) take(column_->f64, gathered_.f64, rows, kept);
    if (type_ == table::Type::code) take(column_->code, gathered_.code, rows, kept);
  }

  void reserve(uint64_t rows) {
    expected_rows_ = rows;
    if (is_same_) return;  // until it no longer is
    if (type_ == table::Type::i64) reserve_in_huge_pages(column_->i64, rows);
    if (type_ == table::Type::f64) reserve_in_huge_pages(column_->f64, rows);
    if (type_ == table::Type::code) reserve_in_huge_pages(column_->code, rows);
  }

  /// After the last row.
  void finish() {
    column_->null_count = null_count_;
    if (null_count_ == rows_) return fill(rows_, CellValue{});
    if (is_same_) column_->repeated_rows = rows_;
    if (null_count_ == 0) return;
    column_->valid.assign(column_->rows(), true);
    for (size_t word = 0; word < null_words_.size(); ++word) {
      for (uint64_t bits = null_words_[word]; bits != 0; bits &= bits - 1) {
        column_->valid[word * kRows + static_cast<size_t>(std::countr_zero(bits))] = false;
      }
    }
  }

  /// Instead of all the above: the column has one value in every row.
  void fill(uint64_t rows, const CellValue& value) {
    if (rows == 0) return;
    if (type_ == table::Type::i64) column_->i64 = {value.is_null ? 0 : value.i64};
    if (type_ == table::Type::f64) column_->f64 = {value.is_null ? 0 : value.f64};
    if (type_ == table::Type::code) column_->code = {value.is_null ? 0 : value.code};
    column_->repeated_rows = rows;
    column_->null_count = value.is_null ? rows : 0;
  }

 private:
  template <class T>
  void take(std::vector<T>& column, T* values, size_t rows, uint64_t kept) {
    uint64_t nulls = nulls_ & kept;
    if (kept != first_bits(rows)) {
      nulls = 0;
      rows = 0;
      for (; kept != 0; kept &= kept - 1, ++rows) {
        const auto from = static_cast<size_t>(std::countr_zero(kept));
        values[rows] = values[from];
        nulls |= (nulls_ >> from & 1) << rows;
      }
    }
    if (rows == 0) return;
    append_nulls(rows, nulls);
    if (is_same_ && goes_on_same(column, values, rows)) return;
    column.insert(column.end(), values, values + rows);
  }
  /// As long as there are only nulls the column holds nothing, as long as there is one value that. False: it holds all
  /// before these.
  template <class T>
  bool goes_on_same(std::vector<T>& column, const T* values, size_t rows) {
    if (null_count_ == rows_) return true;
    const uint64_t before = rows_ - rows;
    if (before == 0) column.push_back(values[0]);
    if (null_count_ == 0 && are_all(values, rows, column.front())) return true;
    const T same = column.empty() ? T{} : column.front();
    if (expected_rows_ != 0) reserve_in_huge_pages(column, expected_rows_);
    column.assign(before, same);
    is_same_ = false;
    return false;
  }
  /// By their bytes: 0.0 is not -0.0.
  template <class T>
  static bool are_all(const T* values, size_t count, const T& value) {
    return std::memcmp(values, &value, sizeof value) == 0 &&
           std::memcmp(values, values + 1, (count - 1) * sizeof value) == 0;
  }
  void append_nulls(size_t rows, uint64_t nulls) {
    const size_t at = rows_ % kRows;
    if (nulls != 0) {
      null_words_.resize(rows_ / kRows + 2);
      uint64_t* const words = null_words_.data() + rows_ / kRows;
      words[0] |= nulls << at;
      if (at != 0) words[1] |= nulls >> (kRows - at);
      null_count_ += static_cast<uint64_t>(std::popcount(nulls));
    }
    rows_ += rows;
  }

  store::ColumnBuffer* column_;
  table::Type type_;
  uint64_t nulls_ = 0, null_count_ = 0, rows_ = 0, expected_rows_ = 0;
  bool is_same_ = true;  // only nulls so far, or only one value
  union {
    int64_t i64[kRows];
    double f64[kRows];
    int32_t code[kRows];
  } gathered_;
  std::vector<uint64_t> null_words_;  // up to the last null
};

}  // namespace stepwise::ingest
