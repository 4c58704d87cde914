#include "core/store/table_builder.h"

#include <utility>

namespace stepwise::store {
namespace {

template <class T>
void reorder(std::vector<T>& values, const std::vector<uint32_t>& order) {
  if (values.empty()) return;
  std::vector<T> reordered;
  reordered.reserve(values.size());
  for (const uint32_t from : order) reordered.push_back(values[from]);
  values = std::move(reordered);
}

/// Of the column's vectors the one that is used has the value.
template <class T>
void repeat(std::vector<T>& values, uint64_t rows) {
  if (!values.empty()) values.assign(rows, T(values.front()));
}

template <class T>
void extend(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

uint64_t ColumnBuffer::rows() const {
  if (repeated_rows != 0) return repeated_rows;
  switch (decl->type) {
    case table::Type::i64:
      return i64.size();
    case table::Type::f64:
      return f64.size();
    case table::Type::u8:
      return u8.size();
    case table::Type::code:
      return code.size();
  }
  return 0;
}

void ColumnBuffer::spread() {
  const uint64_t rows = std::exchange(repeated_rows, 0);
  repeat(i64, rows);
  repeat(f64, rows);
  repeat(u8, rows);
  repeat(code, rows);
  if (null_count != 0) valid.assign(rows, false);
}

TableBuilder::TableBuilder(const table::TableDecl& decl, Dictionary& dictionary)
    : decl_(&decl), dictionary_(&dictionary), columns_(decl.columns.size()) {
  for (size_t i = 0; i < columns_.size(); ++i) columns_[i].decl = &decl.columns[i];
}

bool TableBuilder::is_complete() const {
  for (const ColumnBuffer& column : columns_) {
    if (column.rows() != rows_ || (!column.valid.empty() && column.valid.size() != rows_)) return false;
  }
  return true;
}

void TableBuilder::push_null(ColumnBuffer& column) {
  assert(column.decl->nullable);
  if (column.valid.empty()) column.valid.assign(column.rows(), true);
  column.valid.push_back(false);
  ++column.null_count;
  switch (column.decl->type) {
    case table::Type::i64:
      column.i64.push_back(0);
      break;
    case table::Type::f64:
      column.f64.push_back(0);
      break;
    case table::Type::u8:
      column.u8.push_back(0);
      break;
    case table::Type::code:
      column.code.push_back(0);
      break;
  }
}

void TableBuilder::append_rows(const TableBuilder& other, const std::vector<int32_t>& code_map) {
  assert(decl_ == other.decl_ && this != &other);
  for (size_t i = 0; i < columns_.size(); ++i) {
    ColumnBuffer& to = spread(columns_[i]);
    const ColumnBuffer& from = spread(other.columns_[i]);
    extend(to.i64, from.i64);
    extend(to.f64, from.f64);
    extend(to.u8, from.u8);
    to.code.reserve(to.code.size() + from.code.size());
    for (size_t row = 0; row < from.code.size(); ++row) {
      // The zero in the place of a null is no code: the other dictionary may be empty.
      to.code.push_back(from.is_null(row) ? 0 : code_map[static_cast<size_t>(from.code[row])]);
    }
    if (!to.valid.empty() || !from.valid.empty()) {
      to.valid.resize(rows_, true);
      if (from.valid.empty()) {
        to.valid.resize(rows_ + other.rows_, true);
      } else {
        extend(to.valid, from.valid);
      }
    }
    to.null_count += from.null_count;
  }
  rows_ += other.rows_;
  assert(is_complete());
}

void TableBuilder::permute(const std::vector<uint32_t>& order) {
  assert(order.size() == rows_);
  for (ColumnBuffer& column : columns_) {
    if (column.repeated_rows != 0) continue;
    reorder(column.i64, order);
    reorder(column.f64, order);
    reorder(column.u8, order);
    reorder(column.code, order);
    reorder(column.valid, order);
  }
}

}  // namespace stepwise::store
