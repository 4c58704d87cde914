// Finding rows by the value of a column, for passes that are made again and again (the inner side of a join): the first
// ones look at every row, later ones at row numbers in the order of the column. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "stepwise/plugin.h"

namespace stepwise::query {

/// Numbers of the rows that have a value, ascending by value, then by number. Integer and text columns; a text's value
/// is its code.
class ColumnOrder {
 public:
  static size_t bytes_for(const sw_column& column) { return column.rows * sizeof(uint32_t); }
  explicit ColumnOrder(const sw_column& column);
  /// Ascending.
  std::span<const uint32_t> equal(int64_t value) const;

 private:
  const sw_column& column_;
  std::vector<uint32_t> rows_;
};

/// Integer, byte or code of a row.
int64_t integer_at(const sw_column& column, uint64_t row);

/// Codes of texts, in each segment's own dictionary.
class Codes {
 public:
  /// nullopt: no row of the column's segment has that text.
  std::optional<int32_t> find(const sw_column& column, std::string_view text);

 private:
  struct Known {
    uint32_t asked = 0;
    std::unordered_map<std::string_view, int32_t> codes;
  };
  std::unordered_map<const uint32_t*, Known> dictionaries_;
};

}  // namespace stepwise::query
