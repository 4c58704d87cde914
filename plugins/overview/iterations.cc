#include "iterations.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <vector>

namespace stepwise::overview {
namespace {

double us(double ns) { return ns / 1000.0; }

template <class Numbered>
size_t first_by_number(const std::vector<Numbered>& steps) {
  size_t first = 0;
  for (size_t i = 1; i < steps.size(); ++i) {
    if (steps[i].number < steps[first].number) first = i;
  }
  return first;
}

// Whether the first value exceeds 5 times the mean of the others: then it holds a compilation and is set apart.
bool stands_out(const std::vector<int64_t>& values, size_t first) {
  if (values.size() < 2) return false;
  const int64_t total = std::accumulate(values.begin(), values.end(), int64_t{0});
  const double mean_of_others = static_cast<double>(total - values[first]) / static_cast<double>(values.size() - 1);
  return static_cast<double>(values[first]) > 5 * mean_of_others;
}

double mean_us(const std::vector<int64_t>& values) {
  const int64_t total = std::accumulate(values.begin(), values.end(), int64_t{0});
  return static_cast<double>(total) / (1000.0 * static_cast<double>(values.size()));
}

// Nearest rank: the smallest value that at least the share q of all values does not exceed.
int64_t percentile(const std::vector<int64_t>& sorted, double q) {
  const double rank = std::ceil(q * static_cast<double>(sorted.size()));
  return sorted[static_cast<size_t>(std::max(rank, 1.0)) - 1];
}

void measure_walls(std::vector<int64_t> walls, Iterations& out) {
  std::sort(walls.begin(), walls.end());
  out.wall_avg_us = mean_us(walls);
  out.p50_us = us(static_cast<double>(percentile(walls, 0.50)));
  out.p99_us = us(static_cast<double>(percentile(walls, 0.99)));
}

void measure_timed(const TimedSteps& timed, const std::optional<Steps>& steps, Iterations& out) {
  std::vector<int64_t> times;
  for (const TimedStep& step : timed.steps) times.push_back(step.iteration_ns);
  const size_t first = first_by_number(timed.steps);
  if (stands_out(times, first)) {
    out.first_compile_us = us(static_cast<double>(times[first]));
    for (size_t i = 0; steps && steps->by_time && i < steps->steps.size(); ++i) {
      if (steps->steps[i].row == timed.steps[first].row) out.compile_step = i;
    }
    times.erase(times.begin() + static_cast<std::ptrdiff_t>(first));
  }
  out.avg_us = mean_us(times);
  out.avg_of = AvgOf::iteration;
  measure_walls(std::move(times), out);
}

// A compilation on the host lengthens the wall time alone, so computing and wall time are judged each on its own; the
// iteration is set apart from all figures.
void measure_steps(const Steps& of_rank, Iterations& out) {
  const std::vector<Step>& steps = of_rank.steps;
  std::vector<int64_t> walls, computings;
  for (const Step& step : steps) {
    walls.push_back(step.wall_ns());
    computings.push_back(step.computing_ns);
  }
  const size_t first = first_by_number(steps);
  const auto first_at = static_cast<std::ptrdiff_t>(first);
  if (stands_out(walls, first) || stands_out(computings, first)) {
    out.compile_step = first;
    out.first_compile_us = us(static_cast<double>(walls[first]));
    walls.erase(walls.begin() + first_at);
    computings.erase(computings.begin() + first_at);
  }
  if (of_rank.knows_device) {
    out.avg_us = mean_us(computings);
    out.avg_of = AvgOf::computing;
  }
  measure_walls(std::move(walls), out);
}

void settle(Iterations& out, uint64_t count, const char* source, const char* confidence) {
  out.count = count;
  out.source = source;
  out.confidence = confidence;
}

}  // namespace

bool Iterations::is_timed() const {
  return std::string_view(source) == "step_trace" || std::string_view(source) == "model_execute";
}

Iterations infer_iterations(const std::optional<Steps>& steps, const std::optional<HostCalls>& calls,
                            const std::optional<KernelFacts>& kernels, const TimedSteps& timed,
                            std::optional<int64_t> op_stat_ns) {
  Iterations out;
  std::optional<int64_t> operator_ns = op_stat_ns;
  if (kernels && kernels->operator_rows > 0) operator_ns = kernels->operator_ns;
  const bool has_steps = steps && !steps->steps.empty();
  const bool has_inferences = has_steps && steps->by_inference && steps->numbered();
  if (!timed.steps.empty()) {
    settle(out, timed.steps.size(), "step_trace", "high");
    measure_timed(timed, steps, out);
  } else if (has_steps && steps->numbered() && !has_inferences) {
    settle(out, steps->steps.size(), steps->source(), "high");
    measure_steps(*steps, out);
  } else if (calls && calls->model_execute && calls->model_execute->count > 0) {
    settle(out, static_cast<uint64_t>(calls->model_execute->count), "model_execute", "high");
    out.avg_us = us(*calls->model_execute_ns());
    out.avg_of = AvgOf::iteration;
    if (const auto compile_ns = calls->first_compile_ns()) out.first_compile_us = us(static_cast<double>(*compile_ns));
  } else if (has_inferences) {
    settle(out, steps->steps.size(), "infer_id", "high");
    measure_steps(*steps, out);
  } else if (has_steps && steps->by_profiler) {
    settle(out, steps->steps.size(), "step_trace_time", "low");
    measure_steps(*steps, out);
    out.without_annotation = true;
  } else if (kernels && kernels->commonest_name_count > 0) {
    settle(out, kernels->commonest_name_count, "op_name", "low");
  } else if (calls && calls->synchronize && calls->synchronize->count > 0) {
    settle(out, static_cast<uint64_t>(calls->synchronize->count), "synchronize", "low");
  } else if (operator_ns) {
    settle(out, 1, "assumed", "low");
  }
  // Without a measured iteration the operators' own time is the best that can be said of one.
  if (!out.avg_us && out.count && operator_ns) {
    out.avg_us = static_cast<double>(*operator_ns) / (1000.0 * static_cast<double>(*out.count));
    out.avg_of = AvgOf::operators;
  }
  return out;
}

}  // namespace stepwise::overview
