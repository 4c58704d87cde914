// All that summarize_profile knows, gathered from the tables before anything is written.
#pragma once

#include <optional>
#include <string>

#include "blocking_calls.h"
#include "compile_calls.h"
#include "core_counts.h"
#include "fused_names.h"
#include "host_calls.h"
#include "iterations.h"
#include "kernel_facts.h"
#include "step_gap.h"
#include "steps.h"
#include "stepwise/sdk.hpp"
#include "timed_steps.h"
#include "window.h"

namespace stepwise::overview {

/// How many instances of the model fit into the latency that the caller allows.
struct InstancesFit {
  int64_t max = 0;
  std::string how;
};

struct Summary {
  uint32_t rank = 0;
  std::optional<int64_t> step;          // that was asked for
  size_t steps_shown = 0;               // at most, of those of a whole GPU trace
  sdk::Value scenario, execution_mode;  // results of the tools of these names

  TimedSteps timed;  // iterations that the profiler only timed
  std::optional<Steps> steps;
  std::optional<Window> window;  // what the breakdown is about
  // False: a run that nothing divides, with any number of iterations and what lies between them. No share of a step is
  // known then.
  bool window_is_step = true;
  std::optional<Window> each_step;  // of a whole GPU trace: its steps, one by one
  std::optional<Window> iterating;  // the steps that iterations and operators are averaged over; mostly the same
  std::optional<HostCalls> calls;
  std::optional<KernelFacts> kernels;
  ShapesVary shapes;
  CompileCalls compiled;
  std::optional<int64_t> op_stat_ns;  // the sum of op_statistic, where the kernels themselves are absent
  std::string op_stat_file;
  Iterations iterations;

  std::optional<double> h2d_us, model_execute_us, d2h_us;  // per iteration
  std::optional<double> throughput_samples_per_s;
  std::optional<bool> dynamic_shape, autofuse, schedule_bound;
  std::optional<double> op_time_us;      // the sum over the file, or over the step that was asked for
  std::optional<double> op_time_avg_us;  // of an iteration of the window
  std::optional<double> op_time_ratio, busy_ratio;
  std::optional<double> schedule_ratio;  // of these two the one that schedule_bound is judged by

  std::optional<InstancesFit> instances;
  std::optional<FusedNames> fused;
  std::optional<CoreCounts> cores;  // Ascend
  std::optional<StepGap> gap;
  bool several_ranks = false;                // the profile has others to compare with
  bool knows_host_ranges = false;            // which stages of a step can be told by
  std::optional<BlockingCalls> blocking;     // GPUs
  std::optional<double> synchronisation_us;  // of the host, per iteration; part of other times, not of the gap alone
};

/// nullopt: the call failed (an unknown step, a nested call) or was cancelled; the host has been told.
std::optional<Summary> gather_summary(sdk::Call& call);

/// The result as JSON.
void write_summary(sdk::JsonWriter& w, const Summary& summary);

}  // namespace stepwise::overview
