// What the device did for each stage: the work that the stage's host calls launched.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "host_stages.h"

namespace stepwise::recsys_stages {

/// A communication of the device with the stage whose call launched it, or, without a link, that its kind and instant
/// tell.
struct Communication {
  int64_t start_ns = 0, end_ns = 0;
  Stage stage = Stage::unclassified;
};

struct DeviceStages {
  enum class How : uint8_t {
    launch,  // by the call that launched it
    time,    // the profile has no links: by what the host did when it ran
    none,    // nothing is known of the device
  };
  How how = How::none;
  std::vector<std::array<Intervals, kStages + 1>> of_window;  // united
  uint64_t unlinked = 0;                                      // kernels whose launching call is unknown, by time
  int64_t unlinked_ns = 0;                                    // sum of their durations
  std::string file;                                           // of the device rows
  std::vector<Communication> communications;                  // in order of start
};

DeviceStages find_device_stages(sdk::Call& call, uint32_t rank, const sdk::TableView& host_ops, const Windows& windows,
                                const HostStages& host);

}  // namespace stepwise::recsys_stages
