// Operators with a problem, by what the kernel table says of each execution; in integer ns.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core_counts.h"
#include "exposed_waits.h"
#include "kernel_facts.h"
#include "operator_groups.h"
#include "problem_kinds.h"
#include "stepwise/sdk.hpp"

namespace stepwise::overview {

/// Executions of one problem, name, type, core and shapes. Texts are borrowed from the table.
struct ProblemGroup {
  Problem problem{};
  std::optional<std::string_view> op_type, name, task_type, input_shapes, output_shapes;
  uint64_t count = 0;
  int64_t total_ns = 0, max_ns = 0;
  std::optional<int64_t> wait_ns{};   // host_wait: the device ran nothing before it
  std::optional<double> value{};      // docs/metrics.md says of what
  std::optional<double> threshold{};  // null: it is one of all operators of the problem together
  int64_t row = 0;                    // of the longest execution, in the file
  bool in_shares = true;              // false: its time is not that of operators on the device
  bool shapes_vary = false;           // its kernel's input shapes differ between steps
  std::string_view file{};            // empty: the kernel table's
};

/// One problem over all its operators.
struct ProblemTotal {
  bool known = false;  // the input can tell
  uint64_t count = 0;
  int64_t total_ns = 0;
  std::optional<double> value;  // what the threshold is held against; of each: share of the operators' time
  std::optional<bool> found;
  const char* lacks = "";  // what the input would need
};

struct KernelProblems {
  std::vector<ProblemGroup> groups;
  std::array<ProblemTotal, kProblems> totals;
  uint64_t operator_rows = 0;
  int64_t operator_ns = 0, computing_ns = 0;  // the sum, and the union, of what does not communicate
  int64_t host_wait_ns = 0;                   // exposed waits of the kernels of host_wait
  int64_t host_bound_ns = 0;                  // of it: the launching call began after the work before had ended
  std::string file;
};

struct ProblemInputs {
  std::optional<int64_t> step;
  bool is_gpu = false;
  int64_t wall_ns = 0;  // of the steps; 0: not known
  TimedSteps timed;     // by which kernels are of a step, where the file gives them none
  ShapesVary shapes;
  CoreCounts cores;
  std::vector<int64_t> launch_ns;  // by kernel row: when the launching call began; empty: not known
};

/// Everything but custom_op_sync. Totals say only what the input can tell; settle_totals makes them whole.
KernelProblems kernel_problems(const sdk::Call& call, const sdk::TableView& kernel_table, const ProblemInputs& inputs);
/// Sums by problem, what is found, and the groups in their rank; once all groups are there.
void settle_totals(const ProblemInputs& inputs, KernelProblems& out);

}  // namespace stepwise::overview
