#include "device_idle.h"

#include <algorithm>

namespace stepwise::overview {
namespace {

Intervals busy_of(const sdk::Call& call, const sdk::TableView& kernels) {
  Intervals rows;
  rows.reserve(kernels.rows());
  call.for_each_row(kernels.rows(), [&](uint64_t row) {
    const int64_t start_ns = kernels[table::kernel::start_ns][row];
    rows.push_back({start_ns, start_ns + kernels[table::kernel::dur_ns][row]});
  });
  return unite(std::move(rows));
}

}  // namespace

DeviceIdle::DeviceIdle(const sdk::Call& call, const sdk::TableView& kernels) : DeviceIdle(busy_of(call, kernels)) {}

DeviceIdle::DeviceIdle(const Intervals& busy) {
  int64_t sum_ns = 0;
  for (size_t i = 1; i < busy.size(); ++i) {
    idle_.push_back({busy[i - 1].end_ns, busy[i].start_ns});
    sum_ns += idle_.back().end_ns - idle_.back().start_ns;
    idle_to_.push_back(sum_ns);
  }
  if (!busy.empty()) span_ns_ = busy.back().end_ns - busy.front().start_ns;
}

int64_t DeviceIdle::before_ns(int64_t at_ns) const {
  const auto next =
      std::partition_point(idle_.begin(), idle_.end(), [at_ns](const Interval& one) { return one.end_ns <= at_ns; });
  const auto index = static_cast<size_t>(next - idle_.begin());
  const int64_t whole_ns = index == 0 ? 0 : idle_to_[index - 1];
  return next == idle_.end() ? whole_ns : whole_ns + std::max<int64_t>(0, at_ns - next->start_ns);
}

int64_t DeviceIdle::within_ns(int64_t start_ns, int64_t end_ns) const {
  return end_ns <= start_ns ? 0 : before_ns(end_ns) - before_ns(start_ns);
}

}  // namespace stepwise::overview
