// When a GPU ran nothing, between its first row and its last: what a host call that the device waited for has cost.
#pragma once

#include <cstdint>
#include <vector>

#include "stepwise/intervals.hpp"
#include "stepwise/sdk.hpp"

namespace stepwise::overview {

class DeviceIdle {
 public:
  /// Of all rows, in and outside steps.
  DeviceIdle(const sdk::Call& call, const sdk::TableView& kernels);
  explicit DeviceIdle(const Intervals& busy);  // united

  /// Idle time within [start_ns, end_ns), in ns.
  int64_t within_ns(int64_t start_ns, int64_t end_ns) const;
  /// From the first start to the last end; 0 without rows.
  int64_t span_ns() const { return span_ns_; }

 private:
  int64_t before_ns(int64_t at_ns) const;

  Intervals idle_;                // in order
  std::vector<int64_t> idle_to_;  // idle time up to the end of each of them
  int64_t span_ns_ = 0;
};

}  // namespace stepwise::overview
