// Order and nesting of slices.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/ingest/timeline/trace_columns.h"

namespace stepwise::ingest {

/// Slices as columns: parallel, one row each.
struct SliceColumns {
  std::span<const int64_t> start_ns, dur_ns;
  std::span<const uint32_t> track;
  std::span<const int64_t> src_pos;  // tells rows apart that agree otherwise
};

/// The rows by start; at one start the longer first, so that what encloses stands before what it encloses; of one
/// length by `call_order`, numbers that collectors give out when a call begins (empty: none); then by place in the
/// file. Empty: they stand so already. Cheap if they nearly do.
std::vector<uint32_t> start_order(const SliceColumns& slices, std::span<const int64_t> call_order = {});
/// The rows by time, and at one time as they stand.
std::vector<uint32_t> time_order(std::span<const int64_t> time_ns);

/// Row i becomes what row order[i] was.
template <class T>
void reorder(std::vector<T>& values, const std::vector<uint32_t>& order) {
  // In place, along the circles of rows that change places: a second copy of the largest column would be most of what
  // reading takes besides the tables.
  std::vector<bool> is_placed(values.size());
  for (uint32_t row = 0; row < values.size(); ++row) {
    if (order[row] == row || is_placed[row]) continue;
    const T first = values[row];
    uint32_t at = row;
    for (; order[at] != row; at = order[at]) {
      values[at] = values[order[at]];
      is_placed[at] = true;
    }
    values[at] = first;
    is_placed[at] = true;
  }
}

struct Nesting {
  static constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> parent;  // row, or kNone
  std::vector<uint32_t> depth;
  std::vector<uint8_t> overflow;     // 1: the slice reaches beyond one that it starts in
  uint64_t overlapping = 0;          // slices that reach beyond one that they start in
  int64_t first_overlapping_at = 0;  // src_pos of the first in the file
};

}  // namespace stepwise::ingest
