#include "core/ingest/exports/clock_jump.h"

#include <algorithm>
#include <optional>

namespace stepwise::ingest {
namespace {

constexpr size_t kFewestRows = 8;       // fewer have no bulk
constexpr size_t kRowsPerStray = 100;   // of the largest table, one in so many may lie outside the bulk
constexpr int64_t kTimesTheBulk = 100;  // a pause in a recording is shorter than that
constexpr int64_t kShortestJumpNs = int64_t{10} * 60 * 1'000'000'000;

}  // namespace

void ClockJumps::add(std::span<const int64_t> start_ns, std::span<const int64_t> src_pos) {
  if (!start_ns.empty()) tables_.push_back({start_ns, src_pos});
}

void ClockJumps::report(bool places_are_bytes, const std::string& file, Diagnostics& diagnostics) const {
  const auto largest = std::max_element(tables_.begin(), tables_.end(), [](const Rows& a, const Rows& b) {
    return a.start_ns.size() < b.start_ns.size();
  });
  if (largest == tables_.end() || largest->start_ns.size() < kFewestRows) return;
  const size_t stray = std::max<size_t>(1, largest->start_ns.size() / kRowsPerStray);
  const int64_t first = largest->start_ns[stray], last = largest->start_ns[largest->start_ns.size() - 1 - stray];
  int64_t away = 0, earliest = 0, latest = 0;
  if (__builtin_mul_overflow(last - first, kTimesTheBulk, &away)) return;
  away = std::max(away, kShortestJumpNs);
  if (__builtin_sub_overflow(first, away, &earliest) || __builtin_add_overflow(last, away, &latest)) return;

  uint64_t count = 0;
  int64_t place = 0, start = 0;
  const auto take = [&](const Rows& rows, size_t row) {
    if (count++ != 0 && rows.src_pos[row] >= place) return;
    place = rows.src_pos[row];
    start = rows.start_ns[row];
  };
  for (const Rows& rows : tables_) {
    for (size_t row = 0; row < rows.start_ns.size() && rows.start_ns[row] < earliest; ++row) take(rows, row);
    for (size_t row = rows.start_ns.size(); row > 0 && rows.start_ns[row - 1] > latest; --row) take(rows, row - 1);
  }
  const int64_t apart_ns = start > last ? start - last : first - start;
  diagnostics.count(Diag::time_clock_jump, file, places_are_bytes ? std::optional(place) : std::nullopt, count,
                    "First: " + (places_are_bytes ? std::string() : "row " + std::to_string(place) + ", ") + "at " +
                        std::to_string(start) + " ns, " + std::to_string(apart_ns / 1'000'000'000) + " s " +
                        (start > last ? "after" : "before") + " nearly all others.");
}

}  // namespace stepwise::ingest
