#include "tests/bench/child_process.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace stepwise::bench {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double place = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (values[above] - values[below]) * (place - static_cast<double>(below));
}

}  // namespace

Cost run_in_child(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    work();
    std::fflush(nullptr);
    _exit(0);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::fprintf(stderr, "a measured process failed\n");
    std::exit(1);
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  return {seconds(usage.ru_utime) + seconds(usage.ru_stime), wall.count(),
          static_cast<uint64_t>(usage.ru_maxrss) * 1024};
}

void Series::add(const Cost& cost) { costs_.push_back(cost); }

double Series::median_cpu_s() const {
  std::vector<double> values;
  for (const Cost& cost : costs_) values.push_back(cost.cpu_s);
  return quantile(std::move(values), 0.5);
}

double Series::median_wall_s() const {
  std::vector<double> values;
  for (const Cost& cost : costs_) values.push_back(cost.wall_s);
  return quantile(std::move(values), 0.5);
}

double Series::spread() const {
  std::vector<double> values;
  for (const Cost& cost : costs_) values.push_back(cost.cpu_s);
  const double median = quantile(values, 0.5);
  return median == 0 ? 0 : (quantile(values, 0.75) - quantile(values, 0.25)) / median;
}

uint64_t Series::peak_bytes() const {
  uint64_t peak = 0;
  for (const Cost& cost : costs_) peak = std::max(peak, cost.peak_bytes);
  return peak;
}

}  // namespace stepwise::bench
