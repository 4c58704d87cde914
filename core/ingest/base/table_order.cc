#include "core/ingest/base/table_order.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <vector>

namespace stepwise::ingest {

void sort_rows(store::TableBuilder& rows) {
  const std::string_view sorted_by = rows.decl().sorted_by;
  if (sorted_by.empty()) return;
  const auto columns = rows.decl().columns;
  const auto by = std::find_if(columns.begin(), columns.end(), [&](const auto& one) { return one.name == sorted_by; });
  const std::vector<int64_t>& key = rows.column_at(static_cast<size_t>(by - columns.begin())).i64;
  if (std::is_sorted(key.begin(), key.end())) return;
  std::vector<uint32_t> order(key.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&key](uint32_t a, uint32_t b) { return key[a] < key[b]; });
  rows.permute(order);
}

}  // namespace stepwise::ingest
