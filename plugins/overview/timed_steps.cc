#include "timed_steps.h"

#include <algorithm>
#include <iterator>

#include "kernel_step.h"

namespace stepwise::overview {

const TimedStep* TimedSteps::find(int64_t number) const {
  const auto it =
      std::find_if(steps.begin(), steps.end(), [number](const TimedStep& step) { return step.number == number; });
  return it == steps.end() ? nullptr : &*it;
}

TimedSteps timed_steps(const sdk::Call& call, const sdk::TableView& view) {
  namespace step = table::step;
  const auto number = view[step::step];
  const auto computing_ns = view[step::computing_ns];
  const auto iteration_ns = view[step::iteration_ns];
  const auto start_ns = view[step::start_ns];
  const auto end_ns = view[step::end_ns];
  const auto src_pos = view[step::src_pos];
  TimedSteps out;
  out.file = view.source_file();
  call.for_each_row(view.rows(), [&](uint64_t row) {
    const auto took_ns = iteration_ns.get(row);
    if (!took_ns || computing_ns.get(row)) return;
    out.steps.push_back({number.get(row), *took_ns, start_ns.get(row), end_ns.get(row), src_pos[row]});
  });
  return out;
}

std::vector<TimedRange> timed_ranges(const TimedSteps& timed) {
  std::vector<TimedRange> ranges;
  for (const TimedStep& step : timed.steps) {
    if (step.start_ns && step.end_ns) ranges.push_back({&step, *step.start_ns});
  }
  std::stable_sort(ranges.begin(), ranges.end(),
                   [](const TimedRange& a, const TimedRange& b) { return a.from_ns < b.from_ns; });
  for (size_t i = 1; i < ranges.size(); ++i) {
    const TimedRange& before = ranges[i - 1];
    ranges[i].from_ns = std::max({ranges[i].from_ns, before.from_ns, *before.step->end_ns});
  }
  return ranges;
}

const TimedRange* range_at(const std::vector<TimedRange>& ranges, int64_t ns) {
  const auto next =
      std::partition_point(ranges.begin(), ranges.end(), [ns](const TimedRange& range) { return range.from_ns <= ns; });
  return next == ranges.begin() || ns >= *std::prev(next)->step->end_ns ? nullptr : &*std::prev(next);
}

namespace {

struct Range {
  const TimedStep* step;
  int64_t from_ns;  // later than its start where an iteration before it still runs
  KernelStep kernels;
};

/// Kernels may have been collected during some of the iterations only: what ended before the first of them or began
/// behind the last was not idle, and the iteration beside it may be cut. Returns how many were left out.
uint64_t leave_out_uncollected(std::vector<Range>& ranges, int64_t first_start_ns, int64_t last_end_ns) {
  auto first = std::find_if(ranges.begin(), ranges.end(),
                            [&](const Range& range) { return *range.step->end_ns > first_start_ns; });
  auto behind =
      std::find_if(first, ranges.end(), [&](const Range& range) { return *range.step->start_ns >= last_end_ns; });
  if (first != ranges.begin() && behind - first > 1) ++first;
  if (behind != ranges.end() && behind - first > 1) --behind;
  const uint64_t left_out = ranges.size() - static_cast<uint64_t>(behind - first);
  ranges.erase(behind, ranges.end());
  ranges.erase(ranges.begin(), first);
  return left_out;
}

}  // namespace

Steps steps_by_time(const sdk::Call& call, const sdk::TableView& view, const TimedSteps& timed) {
  namespace kernel = table::kernel;
  std::vector<Range> ranges;
  for (const TimedRange& range : timed_ranges(timed)) ranges.push_back({range.step, range.from_ns, {}});

  const auto name = view[kernel::name];
  const auto class_ = view[kernel::class_];
  const auto start_ns = view[kernel::start_ns];
  const auto dur_ns = view[kernel::dur_ns];
  size_t at = 0;
  int64_t last_end_ns = INT64_MIN;
  call.for_each_row(view.rows(), [&](uint64_t row) {
    last_end_ns = std::max(last_end_ns, start_ns[row] + dur_ns[row]);
    while (at < ranges.size() && *ranges[at].step->end_ns <= start_ns[row]) ++at;
    if (at == ranges.size() || start_ns[row] < ranges[at].from_ns || class_[row] == "copy") return;
    ranges[at].kernels.add(start_ns[row], dur_ns[row], class_[row] == "communication", name[row]);
  });

  Steps out;
  out.file = timed.file;
  out.by_time = true;
  if (view.rows() > 0) out.not_collected = leave_out_uncollected(ranges, start_ns[0], last_end_ns);
  for (const Range& range : ranges) {
    const int64_t end_ns = std::max(*range.step->end_ns, range.kernels.busy.empty ? 0 : range.kernels.busy.end_ns);
    out.steps.push_back(range.kernels.step(range.step->number, *range.step->start_ns, end_ns));
    out.steps.back().row = range.step->row;
  }
  return out;
}

}  // namespace stepwise::overview
