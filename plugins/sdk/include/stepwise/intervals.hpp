// Sets of half-open intervals [start, end) in integer ns; touching ones join (docs/metrics.md, Time).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace stepwise {

struct Interval {
  int64_t start_ns = 0, end_ns = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};
using Intervals = std::vector<Interval>;  // after unite(): sorted, disjoint, none empty

Intervals unite(Intervals any_order);
Intervals intersect(const Intervals& a, const Intervals& b);  // both united
Intervals subtract(const Intervals& a, const Intervals& b);   // both united
int64_t total_ns(const Intervals& united);
/// For people, and for answers: times are kept in ns.
inline double us_of(int64_t ns) { return static_cast<double>(ns) / 1000.0; }
inline std::optional<double> us_of(std::optional<int64_t> ns) { return ns ? std::optional(us_of(*ns)) : std::nullopt; }

}  // namespace stepwise
