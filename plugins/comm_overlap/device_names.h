// Which operations run in a span of time, and which computation begins after it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stepwise/sdk.hpp"

namespace stepwise::comm_overlap {

class DeviceNames {
 public:
  DeviceNames(sdk::Call& call, uint32_t rank);

  /// Names of communication operations that run in it, in order of their starts, each once; at most `limit`.
  std::vector<std::string_view> collectives_in(const Interval& span, size_t limit) const;
  /// The first computation that starts there or later; only one of that step, where both steps are known. nullopt:
  /// there is none.
  std::optional<std::string_view> computation_from(int64_t instant_ns, std::optional<int64_t> step) const;

 private:
  struct Named {
    Interval when;
    std::string_view name;  // in the table, which lives as long as the call
    std::optional<int64_t> step;
  };
  void read_kernels(const sdk::Call& call, const sdk::TableView& view);
  void read_timeline(const sdk::Call& call, const sdk::TableView& view);

  std::vector<Named> collectives_, computations_;  // in order of their starts
  std::vector<int64_t> latest_end_;                // of the collectives up to each
};

}  // namespace stepwise::comm_overlap
