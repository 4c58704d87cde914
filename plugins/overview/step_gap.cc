#include "step_gap.h"

#include <algorithm>
#include <map>

namespace stepwise::overview {

std::optional<StepGap> step_gap(const sdk::Call& call, const Window& window, const sdk::TableView& kernel_table,
                                int64_t operator_ns) {
  StepGap gap;
  const bool of_kernels = !window.by_profiler && !window.by_time;  // then free time is between kernels alone
  std::map<int64_t, int64_t> between_of_step;
  if (!of_kernels) {
    for (const Step& step : steps_of_kernels(call, kernel_table).steps) {
      if (step.number) between_of_step[*step.number] = step.free_ns;
    }
  }
  for (const Step& step : window.steps) {
    if (of_kernels) {
      gap.between_ns += step.free_ns;
      continue;
    }
    const auto between = step.number ? between_of_step.find(*step.number) : between_of_step.end();
    if (between == between_of_step.end()) return std::nullopt;
    gap.between_ns += between->second;
  }
  const Step& sum = window.sum;
  gap.wall_ns = sum.wall_ns();
  gap.operator_ns = operator_ns;
  gap.communication_ns = sum.not_overlapped_ns;
  gap.outside_ns = sum.free_ns - gap.between_ns;
  gap.parallel_ns = sum.computing_ns - operator_ns;
  gap.rounding_ns = sum.wall_ns() - sum.busy_ns() - sum.free_ns;
  return gap;
}

std::optional<StepGap> step_gap_of_device_rows(const Window& window, const Window& device, int64_t operator_ns) {
  StepGap gap;
  Step sum;
  for (const Step& step : window.steps) {
    const auto rows = std::find_if(device.steps.begin(), device.steps.end(),
                                   [&step](const Step& one) { return one.number == step.number; });
    if (!step.number || rows == device.steps.end()) return std::nullopt;
    sum.add(*rows);
  }
  gap.wall_ns = window.sum.wall_ns();
  gap.operator_ns = operator_ns;
  gap.communication_ns = sum.not_overlapped_ns;
  gap.copy_ns = sum.copy_not_overlapped_ns;
  gap.between_ns = sum.free_ns;
  gap.outside_ns = gap.wall_ns - sum.wall_ns();  // below 0 where the device goes on behind the host's steps
  gap.parallel_ns = sum.computing_ns - operator_ns;
  return gap;
}

}  // namespace stepwise::overview
