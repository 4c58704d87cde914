// Values of rows that are in a table already.
#pragma once

#include <cstdint>

#include "core/ingest/base/huge_pages.h"
#include "core/store/table_builder.h"

namespace stepwise::ingest {

/// A null has become a value.
inline void make_valid(store::ColumnBuffer& column, uint64_t row) {
  if (!column.is_null(row)) return;
  column.valid[row] = true;
  if (--column.null_count == 0) column.valid.clear();
}

/// A column that nothing fills.
inline void fill_with_nulls(store::ColumnBuffer& column, size_t rows) {
  switch (column.decl->type) {
    case table::Type::i64:
      column.i64.assign(rows, 0);
      give_back_zeros(column.i64);
      break;
    case table::Type::f64:
      column.f64.assign(rows, 0);
      give_back_zeros(column.f64);
      break;
    case table::Type::u8:
      column.u8.assign(rows, 0);
      break;
    case table::Type::code:
      column.code.assign(rows, 0);
      break;
  }
  column.valid.assign(rows, false);
  column.null_count = rows;
}

/// A null gets a value, or a value another one.
inline void set_code(store::ColumnBuffer& column, uint64_t row, int32_t code) {
  column.code[row] = code;
  make_valid(column, row);
}

inline void set_integer(store::ColumnBuffer& column, uint64_t row, int64_t value) {
  column.i64[row] = value;
  make_valid(column, row);
}

}  // namespace stepwise::ingest
