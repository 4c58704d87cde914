// Typed reading of an sw_table, for the host's own code (analyzers have the SDK's layer).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "stepwise/plugin.h"
#include "stepwise/table.hpp"

namespace stepwise::store {

inline const sw_column& column_at(const sw_table& table, size_t index) {
  return *reinterpret_cast<const sw_column*>(reinterpret_cast<const char*>(table.columns) +
                                             index * table.column_stride);
}
inline bool is_null(const sw_column& column, uint64_t row) {
  return column.validity != nullptr && ((column.validity[row >> 3] >> (row & 7)) & 1) == 0;
}
inline std::string_view text_at(const sw_column& column, uint64_t row) {
  const int32_t code = static_cast<const int32_t*>(column.data)[row];
  const uint32_t from = column.dict_offsets[code], to = column.dict_offsets[code + 1];
  return {column.dict_bytes + from, to > from ? to - from : 0};  // zeros where the file was cut underneath (mapping.h)
}

template <size_t I>
std::optional<int64_t> get(const sw_table& table, table::Col<table::Type::i64, I>, uint64_t row) {
  const sw_column& column = column_at(table, I);
  if (is_null(column, row)) return std::nullopt;
  return static_cast<const int64_t*>(column.data)[row];
}
template <size_t I>
std::optional<double> get(const sw_table& table, table::Col<table::Type::f64, I>, uint64_t row) {
  const sw_column& column = column_at(table, I);
  if (is_null(column, row)) return std::nullopt;
  return static_cast<const double*>(column.data)[row];
}
template <size_t I>
std::optional<std::string_view> get(const sw_table& table, table::Col<table::Type::code, I>, uint64_t row) {
  const sw_column& column = column_at(table, I);
  if (is_null(column, row)) return std::nullopt;
  return text_at(column, row);
}

}  // namespace stepwise::store
