// What is wrong with the host's calls: too many copies, synchronisations, launches, and waits of the device.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host_rows.h"
#include "stepwise/sdk.hpp"

namespace stepwise::overview {

struct CallSum {
  uint64_t count = 0;
  int64_t total_ns = 0;
};

/// Calls of one kind at one level, none of which is inside another; where the timeline tells steps, those in a step.
struct CallFamily {
  std::string_view level;
  std::string_view name;  // the one with most time, or the only one
  CallSum all;
  std::map<int64_t, CallSum> by_step;  // empty: the calls' steps are not known
  int64_t longest_ns = -1, row = 0;    // evidence: a call, or a row of sums
  std::string_view file{};
};

struct HostFlag {
  const char* flag;
  bool found = false;
  std::string_view level, calls;
  const char* unit;  // of value, threshold and worst
  std::optional<double> value, threshold, worst;
  std::optional<int64_t> worst_step;
  std::optional<double> avg_us;  // launches: the mean of one
  std::string_view file{};
  int64_t row = 0;
};

/// Where a step begins on the device; it reaches to where the next one begins.
struct DeviceStep {
  int64_t number = 0, first_ns = 0, computing_ns = 0;
};

struct FlagInputs {
  std::optional<uint64_t> iterations;
  std::optional<int64_t> step;
  std::optional<int64_t> computing_ns;   // of the steps; device waits are held against it
  std::vector<DeviceStep> device_steps;  // in order of first_ns; empty: not known
};

/// Flags that the input can tell, found or not, in a fixed order. Without the number of iterations there are none but
/// device waits.
std::vector<HostFlag> host_flags(sdk::Call& call, uint32_t rank, const FlagInputs& inputs);

}  // namespace stepwise::overview
