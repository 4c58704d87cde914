#include "windows.h"

#include <algorithm>
#include <map>

namespace stepwise::recsys_stages {
namespace {

namespace host_op = table::host_op;
namespace step_range = table::step_range;

Windows windows_of_steps(const sdk::Call& call, const sdk::TableView& steps) {
  Windows windows;
  windows.by_steps = true;
  call.for_each_row(steps.rows(), [&](uint64_t row) {
    Window window;
    window.number = steps[step_range::step][row];
    window.start_ns = steps[step_range::start_ns][row];
    window.end_ns = window.start_ns + steps[step_range::dur_ns][row];
    window.main = {steps[step_range::pid][row], steps[step_range::tid][row]};
    window.src_pos = steps[step_range::src_pos][row];
    windows.all.push_back(window);
  });
  std::stable_sort(windows.all.begin(), windows.all.end(),
                   [](const Window& a, const Window& b) { return a.start_ns < b.start_ns; });
  return windows;
}

Window whole_span(const sdk::Call& call, const sdk::TableView& host_ops) {
  const auto start = host_ops[host_op::start_ns], dur = host_ops[host_op::dur_ns];
  const auto pid = host_ops[host_op::pid], tid = host_ops[host_op::tid], parent = host_ops[host_op::parent_id];
  Window window;
  std::map<Thread, int64_t> outermost_ns;
  call.for_each_row(host_ops.rows(), [&](uint64_t row) {
    const int64_t end_ns = start[row] + dur[row];
    window.start_ns = row == 0 ? start[row] : std::min(window.start_ns, start[row]);
    window.end_ns = row == 0 ? end_ns : std::max(window.end_ns, end_ns);
    if (parent.is_null(row)) outermost_ns[{pid[row], tid[row]}] += dur[row];
  });
  int64_t most_ns = -1;
  for (const auto& [thread, ns] : outermost_ns) {
    if (thread.pid == thread.tid) {
      window.main = thread;
      break;
    }
    if (ns > most_ns) window.main = thread;
    most_ns = std::max(most_ns, ns);
  }
  return window;
}

}  // namespace

std::optional<uint32_t> Windows::at(int64_t ns) const {
  const auto after = std::upper_bound(all.begin(), all.end(), ns,
                                      [](int64_t instant, const Window& window) { return instant < window.start_ns; });
  if (after == all.begin()) return std::nullopt;
  const auto index = static_cast<uint32_t>(after - all.begin() - 1);
  // The last instant of the whole span belongs to it: there is nothing after.
  if (ns > all[index].end_ns || (by_steps && ns == all[index].end_ns)) return std::nullopt;
  return index;
}

std::vector<uint32_t> Windows::chosen(std::optional<int64_t> number) const {
  std::vector<uint32_t> out;
  for (uint32_t i = 0; i < all.size(); ++i) {
    if (!number || all[i].number == number) out.push_back(i);
  }
  return out;
}

Windows find_windows(sdk::Call& call, uint32_t rank, const sdk::TableView& host_ops) {
  const auto steps = call.table(rank, step_range::kTable);
  if (steps && steps->rows() > 0) return windows_of_steps(call, *steps);
  Windows windows;
  if (host_ops.rows() > 0) windows.all.push_back(whole_span(call, host_ops));
  return windows;
}

std::string list_numbers(const Windows& windows, const std::vector<uint32_t>& chosen) {
  constexpr size_t kShown = 8;
  std::string text;
  for (size_t i = 0; i < chosen.size() && i < kShown; ++i) {
    text += (i > 0 ? ", " : "") + std::to_string(windows.all[chosen[i]].number.value_or(0));
  }
  if (chosen.size() > kShown) text += ", ... " + std::to_string(chosen.size()) + " in all";
  return text;
}

}  // namespace stepwise::recsys_stages
