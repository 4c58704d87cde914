#include "breakdown.h"

#include <algorithm>
#include <map>
#include <utility>

namespace stepwise::recsys_stages {
namespace {

namespace host_op = table::host_op;

constexpr int64_t kBlockingNs = 50'000'000;
constexpr int64_t kBlockingShare = 20;  // one in so many

struct WindowIntervals {
  std::array<Intervals, kStages> main;  // cut to the step
  std::array<Intervals, kStages> all_threads;
  std::array<Intervals, kStages + 1> waits;
};

void unite_all(WindowIntervals& window) {
  for (Intervals& intervals : window.main) intervals = unite(std::move(intervals));
  for (Intervals& intervals : window.all_threads) intervals = unite(std::move(intervals));
  for (Intervals& intervals : window.waits) intervals = unite(std::move(intervals));
}

Intervals union_of(const std::array<Intervals, kStages>& stages, size_t but = kStages) {
  Intervals all;
  for (size_t stage = 0; stage < kStages; ++stage) {
    if (stage != but) all.insert(all.end(), stages[stage].begin(), stages[stage].end());
  }
  return unite(std::move(all));
}

class Summer {
 public:
  Summer(const Sources& sources, std::vector<uint32_t> chosen) : sources_(sources) {
    out_.windows = std::move(chosen);
    index_.assign(sources.windows.all.size(), kNotChosen);
    for (uint32_t i = 0; i < out_.windows.size(); ++i) index_[out_.windows[i]] = i;
    intervals_.resize(out_.windows.size());
  }

  Breakdown sum(const sdk::Call& call) {
    take_segments();
    take_waits();
    for (WindowIntervals& window : intervals_) unite_all(window);
    for (uint32_t i = 0; i < out_.windows.size(); ++i) add_window(i);
    rank_waits();
    sum_other_calls(call);
    return std::move(out_);
  }

 private:
  static constexpr uint32_t kNotChosen = UINT32_MAX;

  void take_segments() {
    const HostStages& host = sources_.host;
    for (uint32_t thread = 0; thread < host.segments.size(); ++thread) {
      for (const Segment& segment : host.segments[thread]) {
        const Entry& entry = host.entries[segment.entry];
        const uint32_t at = index_[entry.window];
        if (at == kNotChosen) continue;
        const size_t stage = slot(entry.stage);
        intervals_[at].all_threads[stage].push_back({segment.start_ns, segment.end_ns});
        const Window& window = sources_.windows.all[entry.window];
        if (host.threads[thread] != window.main) continue;
        const Interval cut{std::max(segment.start_ns, window.start_ns), std::min(segment.end_ns, window.end_ns)};
        if (cut.end_ns > cut.start_ns) intervals_[at].main[stage].push_back(cut);
      }
    }
    for (const Entry& entry : host.entries) {
      if (index_[entry.window] == kNotChosen || entry.stage == Stage::unclassified) continue;
      StageSum& sum = out_.stages[slot(entry.stage)];
      sum.present = true;
      if (entry.end_ns - entry.start_ns > sum.longest_ns) {
        sum.longest_ns = entry.end_ns - entry.start_ns;
        sum.longest_row = entry.row;
      }
    }
  }

  void take_waits() {
    for (const Wait& wait : sources_.waits) {
      const uint32_t at = index_[wait.window];
      if (at == kNotChosen) continue;
      intervals_[at].waits[slot(wait.stage)].push_back({wait.start_ns, wait.end_ns});
      WaitSum& sum = waits_[{slot(wait.stage), wait.name}];
      sum.name = wait.name;
      ++sum.count;
      sum.total_ns += wait.dur_ns();
      sum.max_ns = std::max(sum.max_ns, wait.dur_ns());
    }
  }

  void add_window(uint32_t at) {
    const WindowIntervals& intervals = intervals_[at];
    const Window& window = sources_.windows.all[out_.windows[at]];
    const auto& device = sources_.device.of_window[out_.windows[at]];
    out_.wall_ns += window.wall_ns();
    for (size_t stage = 0; stage <= kStages; ++stage) {
      StageSum& sum = out_.stages[stage];
      sum.device_ns += total_ns(device[stage]);
      sum.present = sum.present || !device[stage].empty();
      const int64_t wait_ns = total_ns(intervals.waits[stage]);
      sum.wait_ns += wait_ns;
      sum.blocking = sum.blocking || blocks(wait_ns, window.wall_ns());
      if (stage == kStages) continue;
      const int64_t wall_ns = total_ns(intervals.main[stage]);
      sum.wall_ns += wall_ns;
      if (wall_ns > sum.most_wall_ns) sum.most_wall_ns = wall_ns, sum.most_window = out_.windows[at];
      sum.all_threads_ns += total_ns(intervals.all_threads[stage]);
      sum.exclusive_ns += total_ns(subtract(intervals.all_threads[stage], union_of(intervals.all_threads, stage)));
    }
    classified_.push_back(union_of(intervals.main));
    out_.stages[kStages].wall_ns += window.wall_ns() - total_ns(classified_.back());
  }

  void rank_waits() {
    for (const auto& [key, sum] : waits_) out_.stages[key.first].waits.push_back(sum);
    for (StageSum& stage : out_.stages) {
      std::stable_sort(stage.waits.begin(), stage.waits.end(),
                       [](const WaitSum& a, const WaitSum& b) { return a.total_ns > b.total_ns; });
    }
  }

  // What the main threads' outermost calls spend in no stage.
  void sum_other_calls(const sdk::Call& call) {
    const sdk::TableView& ops = sources_.host_ops;
    const auto name = ops[host_op::name];
    const auto start = ops[host_op::start_ns], dur = ops[host_op::dur_ns], parent = ops[host_op::parent_id];
    const auto pid = ops[host_op::pid], tid = ops[host_op::tid];
    std::vector<Intervals> in_calls(out_.windows.size());
    std::map<std::string_view, OtherCall> others;
    call.for_each_row(ops.rows(), [&](uint64_t row) {
      const auto outer = parent.get(row);
      if (outer && (*outer < 0 || static_cast<uint64_t>(*outer) >= row)) return;
      if (outer && !is_step_name(name[static_cast<uint64_t>(*outer)])) return;
      if (is_step_name(name[row])) return;
      const auto window = sources_.windows.at(start[row]);
      if (!window || index_[*window] == kNotChosen) return;
      const Window& step = sources_.windows.all[*window];
      if (Thread{pid[row], tid[row]} != step.main) return;
      const Interval one{start[row], std::min(start[row] + dur[row], step.end_ns)};
      in_calls[index_[*window]].push_back(one);
      const int64_t ns = one.end_ns - one.start_ns - classified_within(index_[*window], one);
      if (ns <= 0) return;
      OtherCall& other = others[name[row]];
      other.name = name[row];
      other.ns += ns;
      ++other.count;
      if (ns > other.longest_ns) other.longest_ns = ns, other.longest_row = row;
    });
    for (const auto& [_, other] : others) out_.others.push_back(other);
    std::stable_sort(out_.others.begin(), out_.others.end(),
                     [](const OtherCall& a, const OtherCall& b) { return a.ns > b.ns; });
    for (size_t i = 0; i < in_calls.size(); ++i) {
      const Window& window = sources_.windows.all[out_.windows[i]];
      out_.no_call_ns += window.wall_ns() - total_ns(unite(std::move(in_calls[i])));
    }
  }

  int64_t classified_within(uint32_t at, const Interval& one) const {
    const Intervals& all = classified_[at];
    auto it = std::lower_bound(all.begin(), all.end(), one.start_ns,
                               [](const Interval& interval, int64_t ns) { return interval.end_ns <= ns; });
    int64_t ns = 0;
    for (; it != all.end() && it->start_ns < one.end_ns; ++it) {
      ns += std::min(it->end_ns, one.end_ns) - std::max(it->start_ns, one.start_ns);
    }
    return ns;
  }

  const Sources& sources_;
  Breakdown out_;
  std::vector<uint32_t> index_;  // by window: its place among the chosen
  std::vector<WindowIntervals> intervals_;
  std::vector<Intervals> classified_;  // of the main thread, by place among the chosen
  std::map<std::pair<size_t, std::string_view>, WaitSum> waits_;
};

}  // namespace

bool blocks(int64_t wait_ns, int64_t step_ns) {
  return wait_ns > kBlockingNs || (step_ns > 0 && wait_ns > step_ns / kBlockingShare);
}

bool is_step_name(std::string_view name) { return name.starts_with("ProfilerStep"); }

Breakdown break_down(const sdk::Call& call, const Sources& sources, std::vector<uint32_t> chosen) {
  return Summer(sources, std::move(chosen)).sum(call);
}

}  // namespace stepwise::recsys_stages
