#include "stepwise/intervals.hpp"

#include <algorithm>
#include <limits>

namespace stepwise {

Intervals unite(Intervals any_order) {
  std::erase_if(any_order, [](const Interval& one) { return one.end_ns <= one.start_ns; });
  // Device rows come nearly sorted: look before paying for a sort.
  auto by_start = [](const Interval& a, const Interval& b) { return a.start_ns < b.start_ns; };
  if (!std::is_sorted(any_order.begin(), any_order.end(), by_start)) {
    std::sort(any_order.begin(), any_order.end(), by_start);
  }
  size_t kept = 0;
  for (size_t i = 1; i < any_order.size(); ++i) {
    if (any_order[i].start_ns <= any_order[kept].end_ns) {
      any_order[kept].end_ns = std::max(any_order[kept].end_ns, any_order[i].end_ns);
    } else {
      any_order[++kept] = any_order[i];
    }
  }
  if (!any_order.empty()) any_order.resize(kept + 1);
  return any_order;
}

Intervals intersect(const Intervals& a, const Intervals& b) {
  Intervals both;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const int64_t start = std::max(a[i].start_ns, b[j].start_ns);
    const int64_t end = std::min(a[i].end_ns, b[j].end_ns);
    if (start < end) both.push_back({start, end});
    a[i].end_ns < b[j].end_ns ? ++i : ++j;
  }
  return both;
}

Intervals subtract(const Intervals& a, const Intervals& b) {
  Intervals left;
  size_t j = 0;
  for (const Interval& one : a) {
    while (j < b.size() && b[j].end_ns <= one.start_ns) ++j;
    int64_t start = one.start_ns;
    // b[j] may reach into the next interval of a, so j itself stays.
    for (size_t k = j; k < b.size() && b[k].start_ns < one.end_ns; ++k) {
      if (start < b[k].start_ns) left.push_back({start, b[k].start_ns});
      start = std::max(start, b[k].end_ns);
      j = k;
    }
    if (start < one.end_ns) left.push_back({start, one.end_ns});
  }
  return left;
}

int64_t total_ns(const Intervals& united) {
  int64_t total = 0;
  for (const Interval& one : united) {
    // Nonsense timestamps of a hostile file saturate instead of wrapping.
    int64_t length = 0;
    if (__builtin_sub_overflow(one.end_ns, one.start_ns, &length) || __builtin_add_overflow(total, length, &total)) {
      return std::numeric_limits<int64_t>::max();
    }
  }
  return total;
}

}  // namespace stepwise
