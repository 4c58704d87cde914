// The steps of a rank, each decomposed into computing, communication and free time; in integer ns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stepwise/sdk.hpp"

namespace stepwise::overview {

struct Step {
  std::optional<int64_t> number;  // the profiler's own; null: the run had no step annotation
  int64_t computing_ns = 0, communication_ns = 0, not_overlapped_ns = 0, overlapped_ns = 0, free_ns = 0;
  int64_t stage_ns = 0, bubble_ns = 0;
  int64_t copy_not_overlapped_ns = 0;  // where the profile tells copies from free time
  int64_t other_steps_ns = 0;          // GPUs: of free_ns, what the device ran of other steps
  int64_t row = 0;                     // in the file; 0: computed here
  std::optional<int64_t> operator_ns;  // durations of its kernels that do not communicate, where they made the step

  int64_t wall_ns() const { return stage_ns + bubble_ns; }
  int64_t busy_ns() const { return computing_ns + not_overlapped_ns; }
  void add(const Step& other);
};

struct Steps {
  std::vector<Step> steps;
  std::string file;
  bool by_profiler = false;    // as the profiler decomposed them; else from the kernels' intervals
  bool by_time = false;        // the kernels that start while an iteration runs; else those that the file assigns to it
  bool by_inference = false;   // the file's numbers are those of inferences (Infer ID)
  bool by_host = false;        // GPU traces: as the host timed them
  bool knows_device = true;    // what they compute; false: nothing of the device was recorded
  uint64_t not_collected = 0;  // iterations left out, before and behind the kernels that were collected

  bool numbered() const;
  /// As iterations name it.
  const char* source() const { return by_profiler ? "step_trace_time" : by_host ? "profiler_step" : "step_id"; }
};

/// As step_trace_time.csv has them; rows without a decomposition are left out.
Steps steps_of_profiler(const sdk::Call& call, const sdk::TableView& step_table);

/// From the intervals of the kernels that the file assigns to each step: first start to last end. For profiles
/// without step_trace_time.csv. Kernels outside steps are left out, unless none has a step.
Steps steps_of_kernels(const sdk::Call& call, const sdk::TableView& kernel_table);

}  // namespace stepwise::overview
