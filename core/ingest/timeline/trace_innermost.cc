#include "core/ingest/timeline/trace_innermost.h"

namespace stepwise::ingest {
namespace {

struct Open {
  int64_t end_ns;
  uint32_t row;
};

void close_until(std::vector<Open>& open, int64_t time_ns) {
  while (!open.empty() && open.back().end_ns <= time_ns) open.pop_back();
}

}  // namespace

std::vector<uint32_t> innermost_running(const SliceColumns& slices, const SliceColumns& outer, size_t track_count,
                                        AtOneStart rule) {
  std::vector<uint32_t> innermost(slices.start_ns.size(), Nesting::kNone);
  if (outer.start_ns.empty()) return innermost;
  std::vector<std::vector<Open>> open_on(track_count);
  size_t next = 0;
  for (size_t row = 0; row < innermost.size(); ++row) {
    const int64_t start = slices.start_ns[row], dur = slices.dur_ns[row];
    const auto has_begun = [&](size_t i) {
      if (outer.start_ns[i] != start) return outer.start_ns[i] < start;
      return rule == AtOneStart::outer_holds || outer.dur_ns[i] >= dur;
    };
    for (; next < outer.start_ns.size() && has_begun(next); ++next) {
      std::vector<Open>& open = open_on[outer.track[next]];
      close_until(open, outer.start_ns[next]);
      open.push_back({outer.start_ns[next] + outer.dur_ns[next], static_cast<uint32_t>(next)});
    }
    std::vector<Open>& open = open_on[slices.track[row]];
    close_until(open, start);
    if (!open.empty()) innermost[row] = open.back().row;
  }
  return innermost;
}

}  // namespace stepwise::ingest
