// A column of a table while it is filled row by row. Values are gathered for 64 rows, which the caches hold for all
// columns, and then go to the column at once; their nulls are one word, and become the column's validity at the end:
// growing a vector<bool> with every row would cost more than all the rest.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/ingest/base/huge_pages.h"
#include "core/ingest/csv/csv_cell.h"
#include "core/store/table_builder.h"

namespace stepwise::ingest {

class ColumnFiller {
 public:
  static constexpr size_t kRows = 64;  // that are gathered

  /// The column is empty, and nobody else fills it before finish().
  explicit ColumnFiller(store::ColumnBuffer& column) : column_(&column), type_(column.decl->type) {}

  /// Of the row `at` of those being gathered, below kRows, and of those after it until another is set; may be said
  /// again, which replaces it. A row that says what the one before it says needs no call.
  void set(size_t at, const CellValue& value) {
    if (filled_ < at) repeat_until(at);
    nulls_ = (nulls_ & ~(uint64_t{1} << at)) | uint64_t{value.is_null} << at;
    if (type_ == table::Type::i64) {
      gathered_.i64[at] = value.i64;
    } else if (type_ == table::Type::f64) {
      gathered_.f64[at] = value.f64;
    } else {
      gathered_.code[at] = value.code;
    }
    filled_ = at + 1;
  }

  /// The first `rows` that were gathered become the column's. Fewer than kRows: no more will follow.
  void take(size_t rows) {
    if (filled_ < rows) repeat_until(rows);
    filled_ = 0;
    const uint64_t nulls = rows == kRows ? nulls_ : nulls_ & ((uint64_t{1} << rows) - 1);
    null_words_.push_back(nulls);
    null_count_ += static_cast<uint64_t>(std::popcount(nulls));
    rows_ += rows;
    // As long as there are only nulls, their zeros take no memory.
    if (null_count_ == rows_) return;
    if (const uint64_t before = rows_ - rows; column_->rows() < before) assign_zeros(before);
    if (type_ == table::Type::i64) {
      append(column_->i64, gathered_.i64, rows);
    } else if (type_ == table::Type::f64) {
      append(column_->f64, gathered_.f64, rows);
    } else {
      append(column_->code, gathered_.code, rows);
    }
  }

  void reserve(uint64_t rows) {
    if (type_ == table::Type::i64) reserve_in_huge_pages(column_->i64, rows);
    if (type_ == table::Type::f64) reserve_in_huge_pages(column_->f64, rows);
    if (type_ == table::Type::code) reserve_in_huge_pages(column_->code, rows);
  }

  /// After the last row.
  void finish() {
    column_->null_count = null_count_;
    if (null_count_ == 0) return;
    if (null_count_ == rows_) return fill(rows_, CellValue{});
    column_->valid.assign(column_->rows(), true);
    for (size_t word = 0; word < null_words_.size(); ++word) {
      for (uint64_t bits = null_words_[word]; bits != 0; bits &= bits - 1) {
        column_->valid[word * kRows + static_cast<size_t>(std::countr_zero(bits))] = false;
      }
    }
  }

  /// Instead of all the above: the column has one value in every row.
  void fill(uint64_t rows, const CellValue& value) {
    reserve(rows);
    if (type_ == table::Type::i64) column_->i64.assign(rows, value.i64);
    if (type_ == table::Type::f64) column_->f64.assign(rows, value.f64);
    if (type_ == table::Type::code) column_->code.assign(rows, value.code);
    if (!value.is_null) return;
    give_back_zeros(column_->i64);
    give_back_zeros(column_->f64);
    give_back_zeros(column_->code);
    column_->valid.assign(rows, false);
    column_->null_count = rows;
  }

 private:
  void assign_zeros(uint64_t rows) {
    if (type_ == table::Type::i64) column_->i64.assign(rows, 0);
    if (type_ == table::Type::f64) column_->f64.assign(rows, 0);
    if (type_ == table::Type::code) column_->code.assign(rows, 0);
  }
  /// By the row before, which may be the last of those that went to the column before these.
  void repeat_until(size_t row) {
    const size_t before = (filled_ + kRows - 1) % kRows;
    const uint64_t rows = (row == kRows ? ~uint64_t{0} : (uint64_t{1} << row) - 1) & ~((uint64_t{1} << filled_) - 1);
    nulls_ = (nulls_ >> before & 1) != 0 ? nulls_ | rows : nulls_ & ~rows;
    if (type_ == table::Type::i64) {
      std::fill(gathered_.i64 + filled_, gathered_.i64 + row, gathered_.i64[before]);
    } else if (type_ == table::Type::f64) {
      std::fill(gathered_.f64 + filled_, gathered_.f64 + row, gathered_.f64[before]);
    } else {
      std::fill(gathered_.code + filled_, gathered_.code + row, gathered_.code[before]);
    }
  }
  template <class T>
  static void append(std::vector<T>& column, const T* values, size_t count) {
    column.insert(column.end(), values, values + count);
  }

  store::ColumnBuffer* column_;
  table::Type type_;
  size_t filled_ = 0;  // rows gathered so far that need no more
  uint64_t nulls_ = 0, null_count_ = 0, rows_ = 0;
  union {
    int64_t i64[kRows];
    double f64[kRows];
    int32_t code[kRows];
  } gathered_;
  std::vector<uint64_t> null_words_;
};

}  // namespace stepwise::ingest
