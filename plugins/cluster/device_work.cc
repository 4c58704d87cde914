#include "device_work.h"

#include <algorithm>

namespace stepwise::cluster {
namespace {

namespace kernel = table::kernel;

void unite_all(DeviceWork& work) {
  work.computing = unite(std::move(work.computing));
  work.copies = unite(std::move(work.copies));
  work.communication = unite(std::move(work.communication));
}

Intervals& kind_of(DeviceWork& work, std::string_view kernel_class) {
  if (kernel_class == "communication") return work.communication;
  return kernel_class == "copy" ? work.copies : work.computing;
}

}  // namespace

Interval DeviceWork::span() const {
  std::optional<Interval> all;
  for (const Intervals* kind : {&computing, &copies, &communication}) {
    if (kind->empty()) continue;
    if (!all) all = Interval{kind->front().start_ns, kind->back().end_ns};
    all->start_ns = std::min(all->start_ns, kind->front().start_ns);
    all->end_ns = std::max(all->end_ns, kind->back().end_ns);
  }
  return all.value_or(Interval{});
}

std::map<Step, DeviceWork> work_by_step(sdk::Call& call, uint32_t rank, Step step) {
  std::map<Step, DeviceWork> out;
  const auto view = call.table(rank, kernel::kTable);
  if (!view) return out;
  const bool is_gpu = call.args().profile().kind == "kineto";
  const auto class_ = (*view)[kernel::class_];
  const auto step_of = (*view)[kernel::step];
  const auto start_ns = (*view)[kernel::start_ns], dur_ns = (*view)[kernel::dur_ns];
  // Rows outside every step count where there are no steps at all.
  const bool whole = !step && (is_gpu || !step_of.any());
  call.for_each_row(view->rows(), [&](uint64_t row) {
    const Step n = step_of.get(row);
    if (!whole && (!n || (step && n != step))) return;
    if (!is_gpu && class_[row] == "copy") return;  // free time, as in the profiler's own sums
    kind_of(out[whole ? Step() : n], class_[row]).push_back({start_ns[row], start_ns[row] + dur_ns[row]});
  });
  for (auto& [n, work] : out) unite_all(work);
  return out;
}

std::map<std::string, int64_t> operator_sums(sdk::Call& call, uint32_t rank, const Figures& figures) {
  std::map<std::string, int64_t> out;
  const auto view = call.table(rank, kernel::kTable);
  if (!view) return out;
  const auto class_ = (*view)[kernel::class_], type = (*view)[kernel::op_type], name = (*view)[kernel::name];
  const auto step_of = (*view)[kernel::step];
  call.for_each_row(view->rows(), [&](uint64_t row) {
    if (class_[row] != "compute" || !figures.covers(step_of.get(row))) return;
    out[std::string(type.get(row).value_or(name[row]))] += (*view)[kernel::dur_ns][row];
  });
  return out;
}

}  // namespace stepwise::cluster
