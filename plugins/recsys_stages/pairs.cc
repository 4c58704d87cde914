#include "pairs.h"

#include <algorithm>
#include <map>
#include <utility>

namespace stepwise::recsys_stages {
namespace {

using StageIntervals = std::array<Intervals, kStages>;

// The thread that most of a stage's time is on; empty: there is none, or it is a main thread.
std::optional<Thread> prefetch_thread(const StepModel& model, const std::map<Thread, int64_t>& by_thread) {
  int64_t all_ns = 0;
  for (const auto& [thread, ns] : by_thread) all_ns += ns;
  for (const auto& [thread, ns] : by_thread) {
    const bool is_main = std::any_of(model.chosen.begin(), model.chosen.end(), [&model, &thread](uint32_t window) {
      return model.windows.all[window].main == thread;
    });
    if (!is_main && ns > all_ns - ns) return thread;
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> Pair::overlap_ratio() const {
  if (shorter_ns <= 0) return std::nullopt;
  return static_cast<double>(overlap_ns) / static_cast<double>(shorter_ns);
}

std::optional<bool> Pair::serial() const {
  const auto ratio = overlap_ratio();
  if (!ratio) return std::nullopt;
  return *ratio < kSerialBelow;
}

std::array<Pair, kPairs.size()> find_pairs(const StepModel& model) {
  std::vector<StageIntervals> of_window(model.windows.all.size());
  std::array<std::map<Thread, int64_t>, kStages> by_thread;
  std::vector<bool> is_chosen(model.windows.all.size());
  for (const uint32_t window : model.chosen) is_chosen[window] = true;
  for (uint32_t thread = 0; thread < model.host.segments.size(); ++thread) {
    for (const Segment& segment : model.host.segments[thread]) {
      const Entry& entry = model.host.entries[segment.entry];
      if (!is_chosen[entry.window]) continue;
      of_window[entry.window][slot(entry.stage)].push_back({segment.start_ns, segment.end_ns});
      by_thread[slot(entry.stage)][model.host.threads[thread]] += segment.end_ns - segment.start_ns;
    }
  }
  std::array<Pair, kPairs.size()> pairs;
  for (size_t i = 0; i < pairs.size(); ++i) {
    Pair& pair = pairs[i];
    std::tie(pair.a, pair.b) = std::pair(kPairs[i][0], kPairs[i][1]);
    if (model.device.how != DeviceStages::How::none) pair.device_overlap_ns = 0;
    for (const uint32_t window : model.chosen) {
      const Intervals a = unite(of_window[window][slot(pair.a)]), b = unite(of_window[window][slot(pair.b)]);
      const int64_t a_ns = total_ns(a), b_ns = total_ns(b);
      pair.a_ns += a_ns;
      pair.b_ns += b_ns;
      pair.shorter_ns += std::min(a_ns, b_ns);
      pair.overlap_ns += total_ns(intersect(a, b));
      if (!pair.device_overlap_ns) continue;
      const auto& device = model.device.of_window[window];
      *pair.device_overlap_ns += total_ns(intersect(device[slot(pair.a)], device[slot(pair.b)]));
    }
    const auto thread = prefetch_thread(model, by_thread[slot(pair.a)]);
    pair.one_prefetch_thread = thread && thread == prefetch_thread(model, by_thread[slot(pair.b)]);
  }
  return pairs;
}

}  // namespace stepwise::recsys_stages
