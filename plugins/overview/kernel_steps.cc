#include "kernel_steps.h"

namespace stepwise::overview {

namespace kernel = table::kernel;

KernelSteps::KernelSteps(const sdk::TableView& kernel_table, const TimedSteps& timed)
    : in_file_(kernel_table[kernel::step]), start_ns_(kernel_table[kernel::start_ns]) {
  if (!in_file_.any()) ranges_ = timed_ranges(timed);
}

std::optional<int64_t> KernelSteps::of(uint64_t row) const {
  if (ranges_.empty()) return in_file_.get(row);
  const TimedRange* const range = range_at(ranges_, start_ns_[row]);
  return range == nullptr ? std::nullopt : range->step->number;
}

}  // namespace stepwise::overview
