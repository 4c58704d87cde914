// A column of a table while it is filled row by row. Nulls are kept as bits and become the column's validity at the
// end: growing a vector<bool> with every row would cost more than all the rest.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ingest/csv_cell.h"
#include "core/ingest/huge_pages.h"
#include "core/store/table_builder.h"

namespace stepwise::ingest {

class ColumnFiller {
 public:
  /// The column is empty, and nobody else fills it before finish().
  explicit ColumnFiller(store::ColumnBuffer& column) : column_(&column), type_(column.decl->type) {}

  void push(const CellValue& value) {
    if (value.is_null) set_null(rows_);
    ++rows_;
    if (type_ == table::Type::i64) {
      column_->i64.push_back(value.i64);
    } else if (type_ == table::Type::f64) {
      column_->f64.push_back(value.f64);
    } else {
      column_->code.push_back(value.code);
    }
  }

  void reserve(uint64_t rows) {
    if (type_ == table::Type::i64) reserve_in_huge_pages(column_->i64, rows);
    if (type_ == table::Type::f64) reserve_in_huge_pages(column_->f64, rows);
    if (type_ == table::Type::code) reserve_in_huge_pages(column_->code, rows);
  }

  void finish() {
    column_->null_count = null_count_;
    if (null_count_ == 0) return;
    column_->valid.assign(rows_, true);
    for (size_t word = 0; word < null_bits_.size(); ++word) {
      for (uint64_t bits = null_bits_[word]; bits != 0; bits &= bits - 1) {
        column_->valid[word * 64 + static_cast<size_t>(__builtin_ctzll(bits))] = false;
      }
    }
  }

 private:
  void set_null(uint64_t row) {
    if (row / 64 >= null_bits_.size()) null_bits_.resize(row / 64 + 1);
    null_bits_[row / 64] |= uint64_t{1} << (row % 64);
    ++null_count_;
  }

  store::ColumnBuffer* column_;
  table::Type type_;
  uint64_t rows_ = 0, null_count_ = 0;
  std::vector<uint64_t> null_bits_;
};

}  // namespace stepwise::ingest
