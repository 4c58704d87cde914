// What makes the host or the device wait, by the call or task that does it, and in which stage.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "step_model.h"

namespace stepwise::recsys_stages {

struct SyncSource {
  std::string_view api;    // lives as long as the call's tables
  bool of_device = false;  // a task that waits; else a call of the host
  Stage stage = Stage::unclassified;
  uint64_t count = 0;
  int64_t total_ns = 0, max_ns = 0;
};

struct SyncSources {
  std::vector<SyncSource> list;           // most time first
  std::optional<int64_t> device_wait_ns;  // sum; empty: the profile does not show the device's tasks
};

/// Of the steps chosen; `step` narrows them. The driver's calls where the profile has them, else the framework's:
/// levels of the stack wrap each other and are never added.
SyncSources find_sync_sources(sdk::Call& call, const StepModel& model, std::optional<int64_t> step);

/// A task of the device that waits for another stream or card.
bool waits_on_device(std::string_view task);

}  // namespace stepwise::recsys_stages
