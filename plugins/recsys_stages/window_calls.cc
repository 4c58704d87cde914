#include "window_calls.h"

namespace stepwise::recsys_stages {

namespace host_op = table::host_op;

WindowCalls::WindowCalls(const sdk::Call& call, const Sources& sources, uint32_t window)
    : name_(sources.host_ops[host_op::name]),
      start_(sources.host_ops[host_op::start_ns]),
      dur_(sources.host_ops[host_op::dur_ns]),
      parent_(sources.host_ops[host_op::parent_id]),
      pid_(sources.host_ops[host_op::pid]),
      tid_(sources.host_ops[host_op::tid]) {
  const Window& step = sources.windows.all[window];
  first_ = first_row_from(step.start_ns, sources.host_ops.rows());
  const uint64_t end = first_row_from(step.end_ns, sources.host_ops.rows());
  children_.resize(end - first_);
  call.for_each_row(end - first_, [this](uint64_t i) { place(first_ + i); });
}

uint64_t WindowCalls::first_row_from(int64_t ns, uint64_t rows) const {
  uint64_t low = 0, high = rows;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (start_[middle] < ns) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

void WindowCalls::place(uint64_t row) {
  if (is_step_name(name_[row])) return;
  const auto parent = parent_.get(row);
  const bool inside = parent && *parent >= static_cast<int64_t>(first_) && *parent < static_cast<int64_t>(row) &&
                      !is_step_name(name_[static_cast<uint64_t>(*parent)]);
  if (inside) {
    children_[static_cast<uint64_t>(*parent) - first_].push_back(row);
  } else {
    outermost_[{pid_[row], tid_[row]}].push_back(row);
  }
}

}  // namespace stepwise::recsys_stages
