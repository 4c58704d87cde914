// Which step a piece of an Ascend rank's time is of: it belongs whole to the first step whose device range holds its
// start.
#pragma once

#include <cstdint>
#include <vector>

#include "stepwise/sdk.hpp"

namespace stepwise::comm_overlap {

struct StepRange {
  int64_t step;
  Interval range;
};

struct StepRanges {
  std::vector<StepRange> list;  // disjoint, by start
  bool know_host = false;       // the profile says where the host ended at least one of them
};

/// From a step's first device work to the later of its last one's end and the host step's end. Where two reach into
/// each other the first keeps what they share. Empty: no kernel is of a step.
StepRanges device_ranges(sdk::Call& call, uint32_t rank);

/// visit(index of the range, piece) for each piece that starts in one; `pieces` come in order of their starts.
template <class Visit>
void assign(const Intervals& pieces, const std::vector<StepRange>& ranges, Visit visit) {
  size_t at = 0;
  for (const Interval& piece : pieces) {
    while (at < ranges.size() && ranges[at].range.end_ns <= piece.start_ns) ++at;
    if (at == ranges.size()) return;
    if (piece.start_ns >= ranges[at].range.start_ns) visit(at, piece);
  }
}

}  // namespace stepwise::comm_overlap
