// Reading a table: typed views over the borrowed columns of an sw_table.
//
// A view lives as long as the call that it came from and may be copied freely. [any thread] reading.
// Columns are found by name, so a plugin built against an older or newer declaration keeps working: a column that the
// host does not have reads as null in every row.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stepwise/plugin.h"
#include "stepwise/table.hpp"

namespace stepwise::sdk {

namespace detail {
template <table::Type T>
struct ValueOf;
template <>
struct ValueOf<table::Type::i64> {
  using type = int64_t;
};
template <>
struct ValueOf<table::Type::f64> {
  using type = double;
};
template <>
struct ValueOf<table::Type::u8> {
  using type = uint8_t;
};

inline bool has_value(const sw_column* column, uint64_t row) {
  return column != nullptr && (column->validity == nullptr || ((column->validity[row >> 3] >> (row & 7)) & 1) != 0);
}
}  // namespace detail

/// A column of numbers.
template <table::Type T>
class Column {
 public:
  using value_type = typename detail::ValueOf<T>::type;
  explicit Column(const sw_column* column) : column_(column) {}

  bool is_null(uint64_t row) const { return !detail::has_value(column_, row); }
  /// Whether any row has a value at all: tells "the file has no such column" from "none here".
  bool any() const { return column_ != nullptr && column_->null_count < column_->rows; }
  /// The value; zero where it is null. For columns that are declared required.
  value_type operator[](uint64_t row) const {
    return is_null(row) ? value_type{} : static_cast<const value_type*>(column_->data)[row];
  }
  std::optional<value_type> get(uint64_t row) const {
    if (is_null(row)) return std::nullopt;
    return static_cast<const value_type*>(column_->data)[row];
  }

 private:
  const sw_column* column_;  // nullptr: not in this table
};

/// A column of text, stored as codes into a dictionary. Within one table equal codes mean equal text, so codes are
/// good keys for grouping; across ranks or groups they mean nothing.
template <>
class Column<table::Type::code> {
 public:
  static constexpr int32_t kNull = -1;
  explicit Column(const sw_column* column) : column_(column) {}

  bool is_null(uint64_t row) const { return code(row) == kNull; }
  bool any() const { return column_ != nullptr && column_->null_count < column_->rows; }
  int32_t code(uint64_t row) const {
    if (!detail::has_value(column_, row)) return kNull;
    const int32_t code = static_cast<const int32_t*>(column_->data)[row];
    return code >= 0 && static_cast<uint64_t>(code) < column_->dict_count ? code : kNull;
  }
  /// How many codes there are: an array of this length can be indexed by any code.
  uint64_t dictionary_size() const { return column_ == nullptr ? 0 : column_->dict_count; }
  /// The text; empty where it is null.
  std::string_view operator[](uint64_t row) const { return text_of(code(row)); }
  std::optional<std::string_view> get(uint64_t row) const {
    const int32_t at = code(row);
    if (at == kNull) return std::nullopt;
    return text_of(at);
  }
  std::string_view text_of(int32_t code) const {
    if (code < 0 || static_cast<uint64_t>(code) >= dictionary_size()) return {};
    const uint32_t from = column_->dict_offsets[code], to = column_->dict_offsets[code + 1];
    // A file that is cut while it is read turns into zeros between the two: the host then drops the answer.
    return {column_->dict_bytes + from, to > from ? to - from : 0};
  }

 private:
  const sw_column* column_;
};

class TableView {
 public:
  /// Checks what the host gave against the declaration. nullopt: it does not fit, and `why` says how.
  static std::optional<TableView> bind(const table::TableDecl& decl, const sw_table& table, std::string& why);

  uint64_t rows() const { return table_->rows; }
  /// The file that src_pos points into, relative to the profile.
  std::string_view source_file() const { return {table_->source_file.ptr, table_->source_file.len}; }
  /// The column that the handle names: its type follows from the handle.
  template <table::Type T, size_t I>
  Column<T> operator[](table::Col<T, I>) const {
    return Column<T>(I < columns_.size() ? columns_[I] : nullptr);
  }

 private:
  TableView(const sw_table& table, std::vector<const sw_column*> columns)
      : table_(&table), columns_(std::move(columns)) {}
  const sw_table* table_;
  std::vector<const sw_column*> columns_;  // in the declaration's order; nullptr: the host has none
};

}  // namespace stepwise::sdk
