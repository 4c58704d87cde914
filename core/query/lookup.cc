#include "core/query/lookup.h"

#include <algorithm>
#include <numeric>

#include "core/store/table_view.h"

namespace stepwise::query {
namespace {

// Looking through a dictionary is cheap against hashing all of it.
constexpr uint32_t kLookedThrough = 2;

std::string_view text_of(const sw_column& column, size_t code) {
  const uint32_t from = column.dict_offsets[code], to = column.dict_offsets[code + 1];
  return {column.dict_bytes + from, to > from ? to - from : 0};  // zeros where the file was cut underneath
}

}  // namespace

int64_t integer_at(const sw_column& column, uint64_t row) {
  switch (column.type) {
    case SW_I64:
      return static_cast<const int64_t*>(column.data)[row];
    case SW_CODE:
      return static_cast<const int32_t*>(column.data)[row];
    default:
      return static_cast<const uint8_t*>(column.data)[row];
  }
}

ColumnOrder::ColumnOrder(const sw_column& column) : column_(column) {
  rows_.reserve(column.rows - column.null_count);
  for (uint64_t row = 0; row < column.rows; ++row) {
    if (!store::is_null(column, row)) rows_.push_back(static_cast<uint32_t>(row));
  }
  std::stable_sort(rows_.begin(), rows_.end(),
                   [&](uint32_t a, uint32_t b) { return integer_at(column, a) < integer_at(column, b); });
}

std::span<const uint32_t> ColumnOrder::equal(int64_t value) const {
  const auto first =
      std::partition_point(rows_.begin(), rows_.end(), [&](uint32_t row) { return integer_at(column_, row) < value; });
  const auto last =
      std::partition_point(first, rows_.end(), [&](uint32_t row) { return integer_at(column_, row) <= value; });
  return {first, last};
}

std::optional<int32_t> Codes::find(const sw_column& column, std::string_view text) {
  Known& known = dictionaries_[column.dict_offsets];
  if (++known.asked <= kLookedThrough) {
    for (size_t code = 0; code < column.dict_count; ++code) {
      if (text_of(column, code) == text) return static_cast<int32_t>(code);
    }
    return std::nullopt;
  }
  if (known.codes.empty()) {
    known.codes.reserve(column.dict_count);
    for (size_t code = 0; code < column.dict_count; ++code) {
      known.codes.emplace(text_of(column, code), static_cast<int32_t>(code));
    }
  }
  const auto it = known.codes.find(text);
  return it == known.codes.end() ? std::nullopt : std::optional(it->second);
}

}  // namespace stepwise::query
