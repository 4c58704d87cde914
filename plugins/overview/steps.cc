#include "steps.h"

#include <algorithm>
#include <map>

namespace stepwise::overview {
namespace {

namespace kernel = table::kernel;

// Grows a union of intervals that arrive in order of their starts.
struct Union {
  int64_t total_ns = 0, end_ns = 0;
  bool empty = true;

  void add(int64_t start_ns, int64_t stop_ns) {
    const int64_t from = empty ? start_ns : std::max(start_ns, end_ns);
    if (stop_ns > from) total_ns += stop_ns - from;
    end_ns = empty ? stop_ns : std::max(end_ns, stop_ns);
    empty = false;
  }
};

struct KernelStep {
  Union computing, communication, busy;
  int64_t first_ns = 0, bubble_ns = 0;
};

bool receives(std::string_view name) { return name.rfind("hcom_receive", 0) == 0; }

Step decompose(std::optional<int64_t> number, const KernelStep& kernels) {
  Step step;
  step.number = number;
  step.computing_ns = kernels.computing.total_ns;
  step.communication_ns = kernels.communication.total_ns;
  step.not_overlapped_ns = kernels.busy.total_ns - kernels.computing.total_ns;
  step.overlapped_ns = step.communication_ns - step.not_overlapped_ns;
  const int64_t wall_ns = kernels.busy.end_ns - kernels.first_ns;
  step.free_ns = wall_ns - kernels.busy.total_ns;
  step.bubble_ns = kernels.bubble_ns;
  step.stage_ns = wall_ns - kernels.bubble_ns;
  return step;
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
    const int64_t from = start_ns[row], to = from + dur_ns[row];
    if (step.busy.empty) step.first_ns = from;
    const bool communicates = class_[row] == "communication";
    (communicates ? step.communication : step.computing).add(from, to);
    step.busy.add(from, to);
    if (communicates && receives(name[row])) step.bubble_ns += dur_ns[row];
  };
  call.for_each_row(view.rows(), [&](uint64_t row) {
    if (const auto n = number.get(row)) {
      add(numbered[*n], row);
    } else {
      add(whole, row);
    }
  });
  Steps out;
  out.file = view.source_file();
  for (const auto& [n, kernels] : numbered) out.steps.push_back(decompose(n, kernels));
  if (numbered.empty() && !whole.busy.empty) out.steps.push_back(decompose(std::nullopt, whole));
  return out;
}

}  // namespace stepwise::overview
