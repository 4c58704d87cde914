// How many iterations the profile holds and how long one takes, with the source of that knowledge.
#pragma once

#include <cstdint>
#include <optional>

#include "host_calls.h"
#include "kernel_facts.h"
#include "steps.h"
#include "timed_steps.h"

namespace stepwise::overview {

/// What the mean is taken of: the union of computation in a step, an iteration as it was timed, or operators' time.
enum class AvgOf : uint8_t { computing, iteration, operators };

struct Iterations {
  std::optional<uint64_t> count;
  // step_trace, step_trace_time, profiler_step, model_execute, step_id, infer_id, op_name, synchronize, assumed, none
  const char* source = "none";
  const char* confidence = "none";       // high, medium, low, none
  std::optional<double> avg_us;          // the mean of what avg_of says; the step's own time is wall_avg_us
  std::optional<AvgOf> avg_of;           // null with avg_us
  std::optional<double> wall_avg_us;     // stage plus bubble, or the profiler's iteration time
  std::optional<double> p50_us, p99_us;  // of the wall time of steps, nearest rank
  std::optional<double> first_compile_us;
  bool without_annotation = false;  // one row that stands for the whole run was taken as one iteration

  /// The step whose time is first_compile_us; an index into the steps.
  std::optional<size_t> compile_step;

  /// avg_us is what an iteration took, host and device, not the device's active time.
  bool is_timed() const;
};

/// Sources in their order of trust (docs/metrics.md). What is not there is null. `op_stat_ns`: the operators' sum by
/// types, where no table of kernels tells of them.
Iterations infer_iterations(const std::optional<Steps>& steps, const std::optional<HostCalls>& calls,
                            const std::optional<KernelFacts>& kernels, const TimedSteps& timed = {},
                            std::optional<int64_t> op_stat_ns = {});

}  // namespace stepwise::overview
