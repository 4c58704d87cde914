// What a rank's device did, out of the kernel table.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "rank_figures.h"
#include "stepwise/sdk.hpp"

namespace stepwise::cluster {

struct DeviceWork {
  Intervals computing, copies, communication;  // united; kernels and memsets, copies, the rest

  bool empty() const { return computing.empty() && copies.empty() && communication.empty(); }
  /// From the first start to the last end; there is work.
  Interval span() const;
};

/// By step, or under null all of it: GPU traces, and runs without steps. `step`: that one only. Empty: no such rows.
std::map<Step, DeviceWork> work_by_step(sdk::Call& call, uint32_t rank, Step step);

/// Durations of computation summed by operator type (GPUs: by kernel name), in the figures' steps.
std::map<std::string, int64_t> operator_sums(sdk::Call& call, uint32_t rank, const Figures& figures);

}  // namespace stepwise::cluster
