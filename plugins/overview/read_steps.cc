#include "read_steps.h"

#include "device_rows.h"

namespace stepwise::overview {
namespace {

using sdk::Call;

// For profiles without step_trace_time: the kernels that the file gives to an iteration, else those that start in it.
void read_kernel_steps(Call& call, const sdk::TableView& kernels, StepsAtHand& out) {
  out.steps = steps_of_kernels(call, kernels);
  out.steps->by_inference = call.args().profile().kind == "msprof";
  if (out.steps->numbered() || out.timed.steps.empty()) return;
  Steps by_time = steps_by_time(call, kernels, out.timed);
  if (!by_time.steps.empty()) out.steps = std::move(by_time);
}

// Whoever expects a step must see that this is none.
std::string name_whole_trace(const StepsAtHand& at_hand) {
  if (!at_hand.each_step) return "the whole trace (no step of it launched anything): ";
  const std::vector<Step>& steps = at_hand.each_step->steps;
  return "the whole trace, " + std::to_string(steps.size()) + (steps.size() == 1 ? " step (" : " steps (") +
         list_steps(steps) + "): ";
}

}  // namespace

StepsAtHand read_steps(Call& call, uint32_t rank, const std::optional<sdk::TableView>& kernels,
                       std::optional<int64_t> asked) {
  StepsAtHand out;
  const auto steps = call.table(rank, table::step::kTable);
  if (is_gpu(call)) {
    if (steps) out.steps = steps_of_host(call, *steps, kernels);
    if (!kernels) return out;
    out.device_rows = window_of_device_rows(call, *kernels, asked);
    if (asked) return out;
    out.each_step = window_of_each_step(call, *kernels);
    if (out.device_rows) out.device_rows->text = name_whole_trace(out) + out.device_rows->text;
    return out;
  }
  if (steps) {
    out.steps = steps_of_profiler(call, *steps);
    out.timed = timed_steps(call, *steps);
  }
  if (kernels && (!out.steps || out.steps->steps.empty())) read_kernel_steps(call, *kernels, out);
  return out;
}

int32_t fail_unknown_step(Call& call, int64_t step, const std::optional<Steps>& steps) {
  if (steps && steps->not_collected > 0) {
    return call.fail(sdk::Fault::not_found, "step.unknown",
                     "No kernels were collected during step " + std::to_string(step) + ", or the profile has none.",
                     "Kernels were collected during: " + list_steps(steps->steps) + ".");
  }
  const bool any = steps && !steps->steps.empty();
  return call.fail(
      sdk::Fault::not_found, "step.unknown", "The profile has no step " + std::to_string(step) + ".",
      any ? "It has: " + list_steps(steps->steps) + "." : std::string("It has no steps; leave `step` out."));
}

}  // namespace stepwise::overview
