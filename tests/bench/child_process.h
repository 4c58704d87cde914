// Runs a piece of work in a process of its own and tells what it cost.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace stepwise::bench {

struct Cost {
  double cpu_s = 0;  // user and system
  double wall_s = 0;
  uint64_t peak_bytes = 0;  // resident
};

/// The work runs in a fork of this process, which therefore should be small and have one thread. Aborts with a message
/// when it fails.
Cost run_in_child(const std::function<void()>& work);
/// Another program, its standard output thrown away.
Cost run_program(const std::vector<std::string>& command);
/// What a program prints.
std::string output_of(const std::vector<std::string>& command);
/// A Python that has the module: the first on the path, else Debian's own. Empty: none has it.
std::string python_with(const std::string& module);

/// Several runs of the same work.
class Series {
 public:
  void add(const Cost& cost);
  double median_cpu_s() const;
  double median_wall_s() const;
  double wall_s_at(double quantile) const;
  /// Distance of the quartiles of the CPU time over the median.
  double spread() const;
  uint64_t peak_bytes() const;

 private:
  std::vector<double> values_of(double Cost::*member) const;
  std::vector<Cost> costs_;
};

}  // namespace stepwise::bench
