#include "tests/bench/child_process.h"

#include <fcntl.h>
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

namespace {

/// For a forked child: becomes the command, or ends with 127. Descriptor `out` becomes its standard output.
[[noreturn]] void become(const std::vector<std::string>& command, int out) {
  dup2(out, STDOUT_FILENO);
  std::vector<char*> arguments;
  for (const std::string& one : command) arguments.push_back(const_cast<char*>(one.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

int null_device() {
  static const int descriptor = open("/dev/null", O_WRONLY | O_CLOEXEC);
  return descriptor;
}

}  // namespace

Cost run_program(const std::vector<std::string>& command) {
  return run_in_child([&] { become(command, null_device()); });
}

std::string output_of(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) std::exit(1);
  const pid_t child = fork();
  if (child == 0) become(command, ends[1]);
  close(ends[1]);
  std::string text;
  char bytes[4096];
  for (ssize_t count; (count = read(ends[0], bytes, sizeof bytes)) > 0;) text.append(bytes, static_cast<size_t>(count));
  close(ends[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
    std::fprintf(stderr, "%s failed\n", command[0].c_str());
    std::exit(1);
  }
  return text;
}

namespace {

bool succeeds(const std::vector<std::string>& command) {
  const pid_t child = fork();
  if (child == 0) {
    dup2(null_device(), STDERR_FILENO);
    become(command, null_device());
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

std::string python_with(const std::string& module) {
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    if (succeeds({python, "-c", "import " + module})) return python;
  }
  return "";
}

void Series::add(const Cost& cost) { costs_.push_back(cost); }

std::vector<double> Series::values_of(double Cost::*member) const {
  std::vector<double> values;
  for (const Cost& cost : costs_) values.push_back(cost.*member);
  return values;
}

double Series::median_cpu_s() const { return quantile(values_of(&Cost::cpu_s), 0.5); }
double Series::median_wall_s() const { return wall_s_at(0.5); }
double Series::wall_s_at(double q) const { return quantile(values_of(&Cost::wall_s), q); }

double Series::spread() const {
  const std::vector<double> values = values_of(&Cost::cpu_s);
  const double median = quantile(values, 0.5);
  return median == 0 ? 0 : (quantile(values, 0.75) - quantile(values, 0.25)) / median;
}

uint64_t Series::peak_bytes() const {
  uint64_t peak = 0;
  for (const Cost& cost : costs_) peak = std::max(peak, cost.peak_bytes);
  return peak;
}

}  // namespace stepwise::bench
