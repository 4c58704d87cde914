#include "partition.h"

#include <algorithm>
#include <limits>

namespace stepwise::comm_overlap {
namespace {

// Like unite(), but intervals that only touch stay two.
Intervals merge_overlapping(Intervals intervals) {
  std::erase_if(intervals, [](const Interval& one) { return one.end_ns <= one.start_ns; });
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) { return a.start_ns < b.start_ns; });
  Intervals merged;
  for (const Interval& one : intervals) {
    if (merged.empty() || one.start_ns >= merged.back().end_ns) {
      merged.push_back(one);
    } else {
      merged.back().end_ns = std::max(merged.back().end_ns, one.end_ns);
    }
  }
  return merged;
}

Intervals both(const Intervals& a, const Intervals& b) {
  Intervals all = a;
  all.insert(all.end(), b.begin(), b.end());
  return unite(std::move(all));
}

}  // namespace

std::optional<Interval> extent(const Work& work) {
  std::optional<Interval> span;
  for (const Intervals* kind : {&work.computing, &work.communication, &work.copies}) {
    for (const Interval& one : *kind) {
      if (!span) span = one;
      span->start_ns = std::min(span->start_ns, one.start_ns);
      span->end_ns = std::max(span->end_ns, one.end_ns);
    }
  }
  return span;
}

Partition partition(Work work, Interval span) {
  Partition parts;
  parts.span = span;
  parts.computing = merge_overlapping(std::move(work.computing));
  const Intervals communication = merge_overlapping(std::move(work.communication));
  const Intervals copies = merge_overlapping(std::move(work.copies));
  parts.overlapped = intersect(communication, parts.computing);
  parts.exposed_communication = subtract(communication, parts.computing);
  const Intervals hiding = both(parts.computing, communication);
  parts.exposed_copies = subtract(copies, hiding);
  parts.idle = subtract({span}, both(hiding, copies));
  return parts;
}

void Breakdown::add(const Breakdown& other) {
  for (const auto part :
       {&Breakdown::computing_ns, &Breakdown::overlapped_ns, &Breakdown::not_overlapped_ns,
        &Breakdown::copy_not_overlapped_ns, &Breakdown::free_ns, &Breakdown::bubble_ns, &Breakdown::wall_ns}) {
    // Nonsense instants of a hostile file saturate instead of wrapping.
    if (__builtin_add_overflow(this->*part, other.*part, &(this->*part))) {
      this->*part = std::numeric_limits<int64_t>::max();
    }
  }
}

Breakdown sum_of(const Partition& parts) {
  Breakdown sum;
  sum.computing_ns = total_ns(parts.computing);
  sum.overlapped_ns = total_ns(parts.overlapped);
  sum.not_overlapped_ns = total_ns(parts.exposed_communication);
  sum.copy_not_overlapped_ns = total_ns(parts.exposed_copies);
  sum.free_ns = total_ns(parts.idle);
  sum.wall_ns = total_ns({parts.span});
  return sum;
}

}  // namespace stepwise::comm_overlap
