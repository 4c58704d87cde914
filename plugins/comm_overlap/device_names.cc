#include "device_names.h"

#include <algorithm>

namespace stepwise::comm_overlap {
namespace {

namespace kernel = table::kernel;
namespace device_task = table::device_task;

}  // namespace

DeviceNames::DeviceNames(sdk::Call& call, uint32_t rank) {
  if (const auto kernels = call.table(rank, kernel::kTable)) {
    read_kernels(call, *kernels);
  } else if (const auto tasks = call.table(rank, device_task::kTable)) {
    read_timeline(call, *tasks);
  }
  for (const Named& one : collectives_) {
    latest_end_.push_back(std::max(one.when.end_ns, latest_end_.empty() ? one.when.end_ns : latest_end_.back()));
  }
}

void DeviceNames::read_kernels(const sdk::Call& call, const sdk::TableView& view) {
  const auto name = view[kernel::name], class_ = view[kernel::class_];
  const auto start_ns = view[kernel::start_ns], dur_ns = view[kernel::dur_ns], step = view[kernel::step];
  call.for_each_row(view.rows(), [&](uint64_t row) {
    const bool communicates = class_[row] == "communication";
    if (!communicates && class_[row] != "compute") return;
    const Interval when{start_ns[row], start_ns[row] + dur_ns[row]};
    (communicates ? collectives_ : computations_).push_back({when, name[row], step.get(row)});
  });
}

// Of the communication lanes only operations, not the tasks that they are made of.
void DeviceNames::read_timeline(const sdk::Call& call, const sdk::TableView& view) {
  const auto name = view[device_task::name], lane = view[device_task::lane];
  const auto start_ns = view[device_task::start_ns], dur_ns = view[device_task::dur_ns];
  call.for_each_row(view.rows(), [&](uint64_t row) {
    if (lane[row] != "communication" || name[row].rfind("hcom_", 0) != 0) return;
    collectives_.push_back({{start_ns[row], start_ns[row] + dur_ns[row]}, name[row], std::nullopt});
  });
}

std::vector<std::string_view> DeviceNames::collectives_in(const Interval& span, size_t limit) const {
  const auto past = std::partition_point(collectives_.begin(), collectives_.end(),
                                         [&span](const Named& one) { return one.when.start_ns < span.end_ns; });
  auto first = static_cast<size_t>(past - collectives_.begin());
  while (first > 0 && latest_end_[first - 1] > span.start_ns) --first;
  std::vector<std::string_view> names;
  for (size_t i = first; i < static_cast<size_t>(past - collectives_.begin()) && names.size() < limit; ++i) {
    const Named& one = collectives_[i];
    if (one.when.end_ns <= span.start_ns || std::find(names.begin(), names.end(), one.name) != names.end()) continue;
    names.push_back(one.name);
  }
  return names;
}

std::optional<std::string_view> DeviceNames::computation_from(int64_t instant_ns, std::optional<int64_t> step) const {
  const auto next = std::partition_point(computations_.begin(), computations_.end(),
                                         [instant_ns](const Named& one) { return one.when.start_ns < instant_ns; });
  if (next == computations_.end() || (step && next->step && next->step != step)) return std::nullopt;
  return next->name;
}

}  // namespace stepwise::comm_overlap
