#include "steps.h"

#include <algorithm>
#include <map>

#include "kernel_step.h"

namespace stepwise::overview {
namespace {

namespace kernel = table::kernel;

Step from_first_to_last(std::optional<int64_t> number, const KernelStep& kernels) {
  return kernels.step(number, kernels.first_ns, kernels.busy.end_ns);
}

}  // namespace

void Step::add(const Step& other) {
  computing_ns += other.computing_ns;
  communication_ns += other.communication_ns;
  not_overlapped_ns += other.not_overlapped_ns;
  overlapped_ns += other.overlapped_ns;
  free_ns += other.free_ns;
  stage_ns += other.stage_ns;
  bubble_ns += other.bubble_ns;
  copy_not_overlapped_ns += other.copy_not_overlapped_ns;
  other_steps_ns += other.other_steps_ns;
}

bool Steps::numbered() const {
  return std::any_of(steps.begin(), steps.end(), [](const Step& step) { return step.number.has_value(); });
}

Steps steps_of_profiler(const sdk::Call& call, const sdk::TableView& view) {
  namespace step = table::step;
  Steps out;
  out.file = view.source_file();
  out.by_profiler = true;
  call.for_each_row(view.rows(), [&](uint64_t row) {
    if (view[step::computing_ns].is_null(row)) return;  // only timed
    Step one;
    one.number = view[step::step].get(row);
    one.computing_ns = view[step::computing_ns][row];
    one.communication_ns = view[step::communication_ns][row];
    one.not_overlapped_ns = view[step::not_overlapped_ns][row];
    one.overlapped_ns = view[step::overlapped_ns][row];
    one.free_ns = view[step::free_ns][row];
    one.stage_ns = view[step::stage_ns][row];
    one.bubble_ns = view[step::bubble_ns][row];
    one.row = view[step::src_pos][row];
    out.steps.push_back(one);
  });
  return out;
}

Steps steps_of_kernels(const sdk::Call& call, const sdk::TableView& view) {
  const auto number = view[kernel::step];
  const auto class_ = view[kernel::class_];
  const auto name = view[kernel::name];
  const auto start_ns = view[kernel::start_ns];
  const auto dur_ns = view[kernel::dur_ns];
  std::map<int64_t, KernelStep> numbered;
  KernelStep whole;
  const auto add = [&](KernelStep& step, uint64_t row) {
    step.add(start_ns[row], dur_ns[row], class_[row] == "communication", name[row]);
  };
  call.for_each_row(view.rows(), [&](uint64_t row) {
    if (class_[row] == "copy") return;  // free time, as the profiler's own sums have it
    if (const auto n = number.get(row)) {
      add(numbered[*n], row);
    } else {
      add(whole, row);
    }
  });
  Steps out;
  out.file = view.source_file();
  for (const auto& [n, kernels] : numbered) out.steps.push_back(from_first_to_last(n, kernels));
  if (numbered.empty() && !whole.busy.empty) out.steps.push_back(from_first_to_last(std::nullopt, whole));
  return out;
}

}  // namespace stepwise::overview
