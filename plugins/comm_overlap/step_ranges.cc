#include "step_ranges.h"

#include <algorithm>
#include <map>

namespace stepwise::comm_overlap {
namespace {

namespace kernel = table::kernel;
namespace step_range = table::step_range;

}  // namespace

StepRanges device_ranges(sdk::Call& call, uint32_t rank) {
  std::map<int64_t, Interval> by_step;
  if (const auto kernels = call.table(rank, kernel::kTable)) {
    const auto step = (*kernels)[kernel::step];
    const auto class_ = (*kernels)[kernel::class_];
    const auto start_ns = (*kernels)[kernel::start_ns], dur_ns = (*kernels)[kernel::dur_ns];
    call.for_each_row(kernels->rows(), [&](uint64_t row) {
      const auto n = step.get(row);
      if (!n || class_[row] == "copy") return;
      const Interval one{start_ns[row], start_ns[row] + dur_ns[row]};
      const auto [it, added] = by_step.try_emplace(*n, one);
      if (added) return;
      it->second.start_ns = std::min(it->second.start_ns, one.start_ns);
      it->second.end_ns = std::max(it->second.end_ns, one.end_ns);
    });
  }
  StepRanges out;
  if (const auto host = call.table(rank, step_range::kTable)) {
    call.for_each_row(host->rows(), [&](uint64_t row) {
      const auto it = by_step.find((*host)[step_range::step][row]);
      if (it == by_step.end()) return;
      const int64_t end_ns = (*host)[step_range::start_ns][row] + (*host)[step_range::dur_ns][row];
      it->second.end_ns = std::max(it->second.end_ns, end_ns);
      out.know_host = true;
    });
  }
  std::vector<StepRange>& ranges = out.list;
  for (const auto& [step, range] : by_step) ranges.push_back({step, range});
  std::stable_sort(ranges.begin(), ranges.end(),
                   [](const StepRange& a, const StepRange& b) { return a.range.start_ns < b.range.start_ns; });
  for (size_t i = 1; i < ranges.size(); ++i) {
    ranges[i].range.start_ns = std::max(ranges[i].range.start_ns, ranges[i - 1].range.end_ns);
    ranges[i].range.end_ns = std::max(ranges[i].range.end_ns, ranges[i].range.start_ns);
  }
  return out;
}

}  // namespace stepwise::comm_overlap
