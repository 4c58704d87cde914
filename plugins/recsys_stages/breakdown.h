// The figures of stage_breakdown: sums over the steps that the answer is about.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "device_stages.h"
#include "host_stages.h"
#include "host_waits.h"

namespace stepwise::recsys_stages {

struct WaitSum {
  std::string_view name;
  uint64_t count = 0;
  int64_t total_ns = 0, max_ns = 0;
};

struct StageSum {
  bool present = false;
  int64_t wall_ns = 0;         // on the main threads
  int64_t most_wall_ns = 0;    // of that, in the one step that has most of it
  uint32_t most_window = 0;    // that step's window
  int64_t all_threads_ns = 0;  // union over all threads
  int64_t exclusive_ns = 0;    // of that, while no thread is in another stage
  int64_t device_ns = 0;       // union of the device work that it launched
  int64_t wait_ns = 0;         // union of its waits
  bool blocking = false;       // in any of the steps
  std::vector<WaitSum> waits;  // most first
  uint64_t longest_row = 0;    // in host_op: the longest call that decides for this stage
  int64_t longest_ns = -1;
};

/// Time of the main thread in a call that belongs to no stage.
struct OtherCall {
  std::string_view name;
  int64_t ns = 0;
  uint64_t count = 0;
  uint64_t longest_row = 0;
  int64_t longest_ns = -1;
};

struct Breakdown {
  std::vector<uint32_t> windows;  // indices; at least one
  int64_t wall_ns = 0;
  std::array<StageSum, kStages + 1> stages;  // the last: unclassified, on the main thread
  std::vector<OtherCall> others;             // most first
  int64_t no_call_ns = 0;                    // the main thread is in no call at all

  int64_t classified_ns() const { return wall_ns - stages[slot(Stage::unclassified)].wall_ns; }
  /// The mean over the steps.
  double us(int64_t sum_ns) const {
    return static_cast<double>(sum_ns) / (1000.0 * static_cast<double>(windows.size()));
  }
};

/// Whether so long a wait blocks a step that takes so long: above 50 ms or 5 % of it.
bool blocks(int64_t wait_ns, int64_t step_ns);

struct Sources {
  const sdk::TableView& host_ops;
  const Windows& windows;
  const HostStages& host;
  const DeviceStages& device;
  const std::vector<Wait>& waits;
};

Breakdown break_down(const sdk::Call& call, const Sources& sources, std::vector<uint32_t> chosen);

/// "ProfilerStep#N", or without the number, which encloses a step and belongs to no stage.
bool is_step_name(std::string_view name);

}  // namespace stepwise::recsys_stages
