#include "device_rows.h"

#include <algorithm>
#include <map>

namespace stepwise::overview {
namespace {

namespace kernel = table::kernel;

Interval row_interval(const sdk::TableView& view, uint64_t row) {
  const int64_t start_ns = view[kernel::start_ns][row];
  return {start_ns, start_ns + view[kernel::dur_ns][row]};
}

/// Of disjoint intervals in order, the time within another one.
int64_t within_ns(const Intervals& intervals, Interval window) {
  auto it = std::partition_point(intervals.begin(), intervals.end(),
                                 [&window](const Interval& one) { return one.end_ns <= window.start_ns; });
  int64_t ns = 0;
  for (; it != intervals.end() && it->start_ns < window.end_ns; ++it) {
    ns += std::min(it->end_ns, window.end_ns) - std::max(it->start_ns, window.start_ns);
  }
  return ns;
}

/// Device rows while they are added, in any order.
struct DeviceWork {
  Intervals computing, communication, copies;

  void add(std::string_view class_, Interval row) {
    (class_ == "communication" ? communication : class_ == "copy" ? copies : computing).push_back(row);
  }

  /// The four parts of the span from the first start to the last end; nullopt: there is no row. `device`: when the
  /// device ran anything, in order.
  std::optional<Step> parts(std::optional<int64_t> number, const Intervals& device) && {
    Intervals all = computing;
    for (const Intervals* kind : {&communication, &copies}) all.insert(all.end(), kind->begin(), kind->end());
    all = unite(std::move(all));
    if (all.empty()) return std::nullopt;
    computing = unite(std::move(computing));
    communication = unite(std::move(communication));
    Step one;
    one.number = number;
    one.computing_ns = total_ns(computing);
    one.communication_ns = total_ns(communication);
    one.not_overlapped_ns = total_ns(subtract(communication, computing));
    one.overlapped_ns = one.communication_ns - one.not_overlapped_ns;
    one.copy_not_overlapped_ns = total_ns(all) - one.computing_ns - one.not_overlapped_ns;
    one.stage_ns = all.back().end_ns - all.front().start_ns;
    one.free_ns = one.stage_ns - total_ns(all);
    one.other_steps_ns = within_ns(device, {all.front().start_ns, all.back().end_ns}) - total_ns(all);
    return one;
  }
};

constexpr const char* kFromTo = ", from the first start to the last end";

}  // namespace

bool is_gpu(const sdk::Call& call) { return call.args().profile().kind == "kineto"; }

std::optional<Window> window_of_device_rows(const sdk::Call& call, const sdk::TableView& kernels,
                                            std::optional<int64_t> step) {
  const auto step_of = kernels[kernel::step];
  const auto class_ = kernels[kernel::class_];
  DeviceWork work;
  Intervals device;
  call.for_each_row(kernels.rows(), [&](uint64_t row) {
    device.push_back(row_interval(kernels, row));
    if (!step || step_of.get(row) == step) work.add(class_[row], device.back());
  });
  const auto parts = std::move(work).parts(step, unite(std::move(device)));
  if (!parts) return std::nullopt;
  Window window;
  window.steps = {*parts};
  window.sum = *parts;
  window.file = kernels.source_file();
  window.tells_copies = true;
  window.whole_trace = !step;
  window.text = (step ? "the device rows that step " + std::to_string(*step) + " launched" : "all device rows") +
                std::string(kFromTo);
  return window;
}

std::optional<Window> window_of_each_step(const sdk::Call& call, const sdk::TableView& kernels) {
  const auto step_of = kernels[kernel::step];
  const auto class_ = kernels[kernel::class_];
  std::map<int64_t, DeviceWork> work_of;
  Intervals device;
  call.for_each_row(kernels.rows(), [&](uint64_t row) {
    device.push_back(row_interval(kernels, row));
    if (const auto step = step_of.get(row)) work_of[*step].add(class_[row], device.back());
  });
  device = unite(std::move(device));
  Window window;
  for (auto& [step, work] : work_of) {
    window.steps.push_back(*std::move(work).parts(step, device));  // a step is here only with a row
    window.sum.add(window.steps.back());
  }
  if (window.steps.empty()) return std::nullopt;
  window.file = kernels.source_file();
  window.tells_copies = true;
  const std::string steps = list_steps(window.steps);
  window.text = (window.steps.size() == 1 ? "step " + steps + ", the device rows that it launched"
                                          : "mean of " + std::to_string(window.steps.size()) + " steps (" + steps +
                                                "), each the device rows that it launched") +
                kFromTo;
  return window;
}

Steps steps_of_host(const sdk::Call& call, const sdk::TableView& step_table,
                    const std::optional<sdk::TableView>& kernels) {
  namespace step = table::step;
  std::map<int64_t, Intervals> computing_of;
  if (kernels) {
    const auto step_of = (*kernels)[kernel::step];
    const auto class_ = (*kernels)[kernel::class_];
    call.for_each_row(kernels->rows(), [&](uint64_t row) {
      const auto n = step_of.get(row);
      if (n && class_[row] != "communication" && class_[row] != "copy") {
        computing_of[*n].push_back(row_interval(*kernels, row));
      }
    });
  }
  Steps out;
  out.file = step_table.source_file();
  out.by_host = true;
  out.knows_device = kernels && kernels->rows() > 0;
  call.for_each_row(step_table.rows(), [&](uint64_t row) {
    const auto number = step_table[step::step].get(row), start_ns = step_table[step::start_ns].get(row),
               end_ns = step_table[step::end_ns].get(row);
    if (!number || !start_ns || !end_ns) return;
    Step one;
    one.number = number;
    one.stage_ns = total_ns({{*start_ns, *end_ns}});
    one.row = step_table[step::src_pos][row];
    if (const auto it = computing_of.find(*number); it != computing_of.end()) {
      one.computing_ns = total_ns(unite(it->second));
    }
    out.steps.push_back(one);
  });
  std::stable_sort(out.steps.begin(), out.steps.end(),
                   [](const Step& a, const Step& b) { return a.number < b.number; });
  return out;
}

}  // namespace stepwise::overview
