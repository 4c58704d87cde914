#include "iterations.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace stepwise::overview {
namespace {

double us(double ns) { return ns / 1000.0; }

// The first step, where it takes more than 5 times the mean of the others.
std::optional<size_t> find_compile_step(const std::vector<Step>& steps) {
  if (steps.size() < 2) return std::nullopt;
  size_t first = 0;
  int64_t total_ns = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    total_ns += steps[i].wall_ns();
    if (steps[i].number < steps[first].number) first = i;
  }
  const int64_t first_ns = steps[first].wall_ns();
  const double mean_of_others = static_cast<double>(total_ns - first_ns) / static_cast<double>(steps.size() - 1);
  if (static_cast<double>(first_ns) <= 5 * mean_of_others) return std::nullopt;
  return first;
}

// Nearest rank: the smallest value that at least the share q of all values does not exceed.
int64_t percentile(const std::vector<int64_t>& sorted, double q) {
  const double rank = std::ceil(q * static_cast<double>(sorted.size()));
  return sorted[static_cast<size_t>(std::max(rank, 1.0)) - 1];
}

void measure_steps(const Steps& steps, Iterations& out) {
  out.compile_step = find_compile_step(steps.steps);
  std::vector<int64_t> walls;
  int64_t wall_ns = 0, computing_ns = 0;
  for (size_t i = 0; i < steps.steps.size(); ++i) {
    const Step& step = steps.steps[i];
    if (i == out.compile_step) {
      out.first_compile_us = us(static_cast<double>(step.wall_ns()));
      continue;
    }
    walls.push_back(step.wall_ns());
    wall_ns += step.wall_ns();
    computing_ns += step.computing_ns;
  }
  std::sort(walls.begin(), walls.end());
  const double n = static_cast<double>(walls.size());
  out.avg_us = static_cast<double>(computing_ns) / (1000.0 * n);
  out.wall_avg_us = static_cast<double>(wall_ns) / (1000.0 * n);
  out.p50_us = us(static_cast<double>(percentile(walls, 0.50)));
  out.p99_us = us(static_cast<double>(percentile(walls, 0.99)));
}

void settle(Iterations& out, uint64_t count, const char* source, const char* confidence) {
  out.count = count;
  out.source = source;
  out.confidence = confidence;
}

}  // namespace

Iterations infer_iterations(const std::optional<Steps>& steps, const std::optional<HostCalls>& calls,
                            const std::optional<KernelFacts>& kernels) {
  Iterations out;
  const bool has_steps = steps && !steps->steps.empty();
  if (has_steps && steps->numbered()) {
    settle(out, steps->steps.size(), steps->by_profiler ? "step_trace_time" : "step_id", "high");
    measure_steps(*steps, out);
  } else if (calls && calls->model_execute && calls->model_execute->count > 0) {
    settle(out, static_cast<uint64_t>(calls->model_execute->count), "model_execute", "high");
    out.avg_us = us(*calls->model_execute_ns());
    if (const auto compile_ns = calls->first_compile_ns()) out.first_compile_us = us(static_cast<double>(*compile_ns));
  } else if (has_steps && steps->by_profiler) {
    settle(out, steps->steps.size(), "step_trace_time", "low");
    measure_steps(*steps, out);
    out.without_annotation = true;
  } else if (kernels && kernels->commonest_name_count > 0) {
    settle(out, kernels->commonest_name_count, "op_name", "low");
  } else if (calls && calls->synchronize && calls->synchronize->count > 0) {
    settle(out, static_cast<uint64_t>(calls->synchronize->count), "synchronize", "low");
  } else if (kernels && kernels->operator_rows > 0) {
    settle(out, 1, "assumed", "low");
  }
  // Without a measured iteration the operators' own time is the best that can be said of one.
  if (!out.avg_us && out.count && kernels && kernels->operator_rows > 0) {
    out.avg_us = static_cast<double>(kernels->operator_ns) / (1000.0 * static_cast<double>(*out.count));
  }
  return out;
}

}  // namespace stepwise::overview
