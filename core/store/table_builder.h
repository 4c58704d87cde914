// Building a table row by row or column by column, before it becomes part of an immutable segment.
// One thread at a time. Codes point into the dictionary that the builder was given.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/store/dictionary.h"
#include "stepwise/table.hpp"

namespace stepwise::store {

/// One column under construction. Exactly one of the vectors is used, as the type says. A null has a bit cleared in
/// validity and a zero in its place.
///
/// A column that has the same in every row may hold it once until somebody asks the table for it: that is most of what
/// profilers write, and writing, hashing and storing it does not need it a million times in memory.
struct ColumnBuffer {
  const table::ColumnDecl* decl = nullptr;
  std::vector<int64_t> i64;
  std::vector<double> f64;
  std::vector<uint8_t> u8;
  std::vector<int32_t> code;
  std::vector<bool> valid;  // empty: every row has a value
  uint64_t null_count = 0;
  uint64_t repeated_rows = 0;  // not 0: all so many rows are the one value that is held, or null (then valid is empty)

  uint64_t rows() const;
  /// From then on each row stands by itself.
  void spread();
  bool is_null(uint64_t row) const { return !valid.empty() && !valid[row]; }
};

class TableBuilder {
 public:
  TableBuilder(const table::TableDecl& decl, Dictionary& dictionary);

  const table::TableDecl& decl() const { return *decl_; }
  Dictionary& dictionary() { return *dictionary_; }
  uint64_t rows() const { return rows_; }

  template <size_t I>
  void append(table::Col<table::Type::i64, I>, int64_t value) {
    push_valid(columns_[I]).i64.push_back(value);
  }
  template <size_t I>
  void append(table::Col<table::Type::f64, I>, double value) {
    push_valid(columns_[I]).f64.push_back(value);
  }
  template <size_t I>
  void append(table::Col<table::Type::u8, I>, uint8_t value) {
    push_valid(columns_[I]).u8.push_back(value);
  }
  template <size_t I>
  void append(table::Col<table::Type::code, I>, std::string_view text) {
    push_valid(columns_[I]).code.push_back(dictionary_->intern(text));
  }
  template <size_t I>
  void append_code(table::Col<table::Type::code, I>, int32_t code) {
    push_valid(columns_[I]).code.push_back(code);
  }
  template <table::Type T, size_t I>
  void null(table::Col<T, I>) {
    push_null(columns_[I]);
  }
  /// Value if there is one, else null.
  template <table::Type T, size_t I, class V>
  void append_or_null(table::Col<T, I> col, const V& maybe) {
    if (maybe) {
      append(col, *maybe);
    } else {
      null(col);
    }
  }
  /// Closes the row. A column that got nothing is a bug (checked in debug builds).
  void end_row() {
    ++rows_;
    assert(is_complete());
  }

  /// Closes all rows at once, after the columns were filled directly: their common length becomes the table's. Columns
  /// of different lengths are a bug (checked in debug builds, and by SegmentBuilder::write).
  void end_rows() {
    rows_ = columns_.front().rows();
    assert(is_complete());
  }

  /// Columns for work after the rows are in (sorting, nesting, links). What is asked for is spread.
  template <size_t I>
  std::vector<int64_t>& values(table::Col<table::Type::i64, I>) {
    return column_at(I).i64;
  }
  template <size_t I>
  std::vector<int32_t>& values(table::Col<table::Type::code, I>) {
    return column_at(I).code;
  }
  template <table::Type T, size_t I>
  ColumnBuffer& column(table::Col<T, I>) {
    return column_at(I);
  }
  template <table::Type T, size_t I>
  const ColumnBuffer& column(table::Col<T, I>) const {
    return spread(columns_[I]);
  }
  ColumnBuffer& column_at(size_t index) { return spread(columns_[index]); }
  std::vector<ColumnBuffer>& columns() { return spread(columns_); }
  const std::vector<ColumnBuffer>& columns() const { return spread(columns_); }

  /// As they are held, for who looks at repeated_rows.
  std::vector<ColumnBuffer>& held_columns() { return columns_; }
  /// The code that every row has, if it is held once.
  template <size_t I>
  std::optional<int32_t> repeated_code(table::Col<table::Type::code, I>) const {
    const ColumnBuffer& column = columns_[I];
    if (column.repeated_rows == 0 || column.null_count != 0) return std::nullopt;
    return column.code.front();
  }
  /// Every row gets the code.
  template <size_t I>
  void repeat_code(table::Col<table::Type::code, I>, int32_t code) {
    ColumnBuffer& column = columns_[I];
    column = {column.decl, {}, {}, {}, {}, {}, 0, rows_};
    if (rows_ != 0) column.code = {code};
  }

  /// Appends the rows of another builder of the same table; code_map[its code] = our code.
  void append_rows(const TableBuilder& other, const std::vector<int32_t>& code_map);
  /// Row i becomes what row order[i] was.
  void permute(const std::vector<uint32_t>& order);

 private:
  static ColumnBuffer& spread(ColumnBuffer& column) {
    if (column.repeated_rows != 0) column.spread();
    return column;
  }
  static std::vector<ColumnBuffer>& spread(std::vector<ColumnBuffer>& columns) {
    for (ColumnBuffer& column : columns) spread(column);
    return columns;
  }
  static ColumnBuffer& push_valid(ColumnBuffer& column) {
    assert(column.repeated_rows == 0);  // SegmentBuilder::table gives no table with such columns
    if (!column.valid.empty()) column.valid.push_back(true);
    return column;
  }
  static void push_null(ColumnBuffer& column);
  bool is_complete() const;  // every column has rows_ rows

  const table::TableDecl* decl_;
  Dictionary* dictionary_;
  mutable std::vector<ColumnBuffer> columns_;  // what is spread says the same as before
  uint64_t rows_ = 0;
};

}  // namespace stepwise::store
