// Columns that grow row by row: room comes in large steps, so that little is copied and touched twice. Room that is not
// used costs addresses only.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/ingest/base/huge_pages.h"

namespace stepwise::ingest {

template <class T>
void append_row(std::vector<T>& column, std::type_identity_t<T> value) {
  if (column.size() == column.capacity()) {
    constexpr size_t kFirstRows = 256, kGrowth = 4;
    std::vector<T> larger;
    reserve_in_huge_pages(larger, kFirstRows + kGrowth * column.size());
    larger.insert(larger.end(), column.begin(), column.end());
    column = std::move(larger);
  }
  column.push_back(value);
}

/// Assigning an empty list would empty the vector and keep its memory.
template <class T>
void give_back(std::vector<T>& values) {
  std::vector<T>().swap(values);
}

}  // namespace stepwise::ingest
