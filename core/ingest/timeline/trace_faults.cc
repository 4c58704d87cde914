// What a collector got wrong, as far as a table of its own shows it.
#include <algorithm>
#include <utility>

#include "core/ingest/timeline/trace_tables.h"

namespace stepwise::ingest {

void StepRanges::report(const std::vector<TrackKey>& tracks, const std::string& file, Diagnostics& diagnostics) const {
  std::vector<const Range*> by_number;
  for (const Range& range : ranges_) by_number.push_back(&range);
  const auto pid_of = [&](const Range* range) { return tracks[range->track].pid; };
  std::stable_sort(by_number.begin(), by_number.end(), [&](const Range* a, const Range* b) {
    return std::pair(pid_of(a), a->step) < std::pair(pid_of(b), b->step);
  });
  for (size_t i = 1; i < by_number.size(); ++i) {
    const Range &before = *by_number[i - 1], &range = *by_number[i];
    if (pid_of(&before) != pid_of(&range)) continue;
    const std::string which = "First: step " + std::to_string(range.step) + ".";
    if (before.step == range.step) {
      diagnostics.count(Diag::step_duplicate, file, range.src_pos, 1, which);
    } else if (range.start_ns < before.start_ns) {
      diagnostics.count(Diag::step_backwards, file, range.src_pos, 1, which);
    }
  }
}

void SliceTable::count_duplicates(const std::vector<const std::vector<int64_t>*>& ids,
                                  const std::vector<int32_t>& name) {
  constexpr size_t kLookedBack = 16;  // slices of one start and length: more of
                                      // them stand together by design only
  const std::vector<int64_t>&start = *start_ns_, &dur = *dur_ns_;
  const auto is_same = [&](size_t a, size_t b) {
    if (track_[a] != track_[b] || name[a] != name[b]) return false;
    return std::all_of(ids.begin(), ids.end(), [&](const auto* id) { return id->empty() || (*id)[a] == (*id)[b]; });
  };
  for (size_t row = 1; row < start.size(); ++row) {
    for (size_t back = 1; back <= std::min(row, kLookedBack); ++back) {
      const size_t other = row - back;
      if (start[other] != start[row] || dur[other] != dur[row]) break;
      if (!is_same(other, row)) continue;
      const int64_t place = (*src_pos_)[row];
      if (duplicates_++ == 0 || place < first_duplicate_at_) first_duplicate_at_ = place;
      break;
    }
  }
}

}  // namespace stepwise::ingest
