#include "core/ingest/timeline/trace_order.h"

#include <algorithm>
#include <numeric>

namespace stepwise::ingest {
namespace {

/// Sorts row numbers by a strict total order. Profilers write nearly in order, with an outer call after its inner ones:
/// such a row is put back where it belongs, as long as that moves little.
template <class Less>
std::vector<uint32_t> sorted_rows(size_t count, Less less) {
  size_t first_late = 1;
  while (first_late < count && less(static_cast<uint32_t>(first_late - 1), static_cast<uint32_t>(first_late))) {
    ++first_late;
  }
  if (first_late >= count) return {};

  std::vector<uint32_t> rows(count);
  std::iota(rows.begin(), rows.end(), 0u);
  constexpr size_t kMovesPerRow = 256;
  size_t moves = 0;
  for (size_t i = first_late; i < count; ++i) {
    const auto row = static_cast<uint32_t>(i);
    if (less(rows[i - 1], row)) continue;
    // Doubling steps back, then halving: most rows are late by few places.
    size_t step = 1;
    while (step < i && less(row, rows[i - 1 - step])) step *= 2;
    const auto begin = rows.begin();
    const auto place = std::upper_bound(begin + static_cast<ptrdiff_t>(i - std::min(step, i)),
                                        begin + static_cast<ptrdiff_t>(i), row, less);
    const auto here = begin + static_cast<ptrdiff_t>(i);
    moves += static_cast<size_t>(here - place);
    if (moves > kMovesPerRow * count) {
      std::sort(rows.begin(), rows.end(), less);
      return rows;
    }
    std::copy_backward(place, here, here + 1);
    *place = row;
  }
  return rows;
}

}  // namespace

std::vector<uint32_t> start_order(const SliceColumns& slices, std::span<const int64_t> call_order) {
  const int64_t* const start = slices.start_ns.data();
  const int64_t* const dur = slices.dur_ns.data();
  const int64_t* const position = slices.src_pos.data();
  const int64_t* const number = call_order.empty() ? nullptr : call_order.data();
  return sorted_rows(slices.start_ns.size(), [=](uint32_t a, uint32_t b) {
    if (start[a] != start[b]) return start[a] < start[b];
    if (dur[a] != dur[b]) return dur[a] > dur[b];
    if (number != nullptr && number[a] != number[b]) return number[a] < number[b];
    return position[a] < position[b];
  });
}

std::vector<uint32_t> time_order(std::span<const int64_t> time_ns) {
  const int64_t* const time = time_ns.data();
  return sorted_rows(time_ns.size(),
                     [=](uint32_t a, uint32_t b) { return time[a] != time[b] ? time[a] < time[b] : a < b; });
}

}  // namespace stepwise::ingest
