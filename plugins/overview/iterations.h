// How many iterations the profile holds and how long one takes, with the source of that knowledge.
#pragma once

#include <cstdint>
#include <optional>

#include "host_calls.h"
#include "kernel_facts.h"
#include "steps.h"

namespace stepwise::overview {

struct Iterations {
  std::optional<uint64_t> count;
  const char* source = "none";           // step_trace_time, model_execute, step_id, op_name, synchronize, assumed, none
  const char* confidence = "none";       // high, medium, low, none
  std::optional<double> avg_us;          // the device's active time where the source is steps, else the iteration's
  std::optional<double> wall_avg_us;     // stage plus bubble
  std::optional<double> p50_us, p99_us;  // of the wall time of steps, nearest rank
  std::optional<double> first_compile_us;
  bool without_annotation = false;  // one row that stands for the whole run was taken as one iteration

  /// The step whose time is first_compile_us; an index into the steps.
  std::optional<size_t> compile_step;
};

/// Sources in their order of trust (docs/metrics.md). What is not there is null.
Iterations infer_iterations(const std::optional<Steps>& steps, const std::optional<HostCalls>& calls,
                            const std::optional<KernelFacts>& kernels);

}  // namespace stepwise::overview
