// What the tools of this plugin look at: the rank's steps, the host's calls with their stages, and what they launched.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "breakdown.h"

namespace stepwise::recsys_stages {

struct StepModel {
  uint32_t rank = 0;
  sdk::TableView host_ops;
  Windows windows;
  std::vector<uint32_t> chosen;  // windows that the call is about; at least one
  bool one_step = false;         // the caller named it
  HostStages host;
  DeviceStages device;
  std::vector<Wait> waits;
  bool has_driver_calls = false;

  Sources sources() const { return {host_ops, windows, host, device, waits}; }
  /// What stands for all chosen ones where one is to be shown: that with the median time.
  uint32_t median_window() const;
  /// "mean of 3 steps (1, 2, 3), each as ProfilerStep on the host".
  std::string window_text() const;
};

enum class WithDevice : bool { no, yes };

/// nullopt: the host has been told why (no host calls, an unknown step, cancelled), and `returned` is what the tool
/// must return. Without the device `device.how` is none.
std::optional<StepModel> read_step_model(sdk::Call& call, WithDevice with_device, int32_t& returned);

}  // namespace stepwise::recsys_stages
