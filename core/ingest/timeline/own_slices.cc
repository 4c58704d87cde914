#include "core/ingest/timeline/own_slices.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace stepwise::ingest {
namespace {

constexpr uint32_t kNone = Nesting::kNone;
constexpr int64_t kRoundedNs = 10'000;
constexpr size_t kMostAtOneStart = 64;  // slices of one start that are compared; the rest is found by its ids or name

class Matcher {
 public:
  Matcher(const KernelRows& kernels, const DeviceTable& tasks, const store::Dictionary& dictionary)
      : kernels_(kernels), tasks_(tasks), start_ns_(tasks.slices().start_ns), own_(kernels.size(), kNone) {
    std::unordered_map<std::string_view, int32_t> codes;
    for (size_t code = 0; code < kernels.names.size(); ++code) {
      codes.emplace(kernels.names.at(static_cast<int32_t>(code)), kNoText);
    }
    for (size_t code = 0; code < dictionary.size(); ++code) {
      const auto it = codes.find(dictionary.at(static_cast<int32_t>(code)));
      if (it != codes.end()) it->second = static_cast<int32_t>(code);
    }
    for (size_t code = 0; code < kernels.names.size(); ++code) {
      code_of_.push_back(codes.at(kernels.names.at(static_cast<int32_t>(code))));
    }
  }

  std::vector<uint32_t> run() {
    match_exact();
    if (!rest_.empty()) match_nearest();
    return std::move(own_);
  }

 private:
  /// Stream and task; or name and kind of lane, for a kernel of which the file gives neither.
  using Key = std::tuple<int64_t, int64_t, bool>;

  bool has_ids(size_t kernel) const {
    return kernels_.stream[kernel] != kNoNumber && kernels_.task_id[kernel] != kNoNumber;
  }
  bool is_communication(size_t task) const { return tasks_.lanes()[task] == DeviceLane::communication; }
  int32_t name_of(size_t kernel) const { return code_of_[static_cast<size_t>(kernels_.name[kernel])]; }

  /// 0: it is another's.
  int fit(size_t kernel, size_t task) const {
    const bool same_ids = has_ids(kernel) && tasks_.stream(task) == kernels_.stream[kernel] &&
                          tasks_.task_id(task) == kernels_.task_id[kernel];
    const bool same_name = tasks_.name_code(task) == name_of(kernel);
    const bool same_lane = is_communication(task) == kernels_.communicates[kernel];
    // Collectives are named alike where they run and where they are summed up: that lane goes before, if need be later.
    if (!same_ids && !(same_name && same_lane)) return 0;
    return 1 + (same_ids ? 4 : 0) + (same_name ? 2 : 0) + (same_lane ? 1 : 0);
  }

  void match_exact() {
    size_t task = 0;
    for (size_t kernel = 0; kernel < own_.size(); ++kernel) {
      const int64_t start = kernels_.start_ns[kernel];
      while (task < start_ns_.size() && start_ns_[task] < start) ++task;
      int best = 0;
      for (size_t i = task; i < start_ns_.size() && start_ns_[i] == start && i - task < kMostAtOneStart; ++i) {
        const int fits = fit(kernel, i);
        if (fits <= best) continue;
        best = fits;
        own_[kernel] = static_cast<uint32_t>(i);
      }
      if (best == 0) rest_.push_back(kernel);
    }
  }

  Key key_of_kernel(size_t kernel, bool in_communication) const {
    if (has_ids(kernel)) return {kernels_.stream[kernel], kernels_.task_id[kernel], false};
    return {name_of(kernel), kNoNumber, in_communication};
  }

  void match_nearest() {
    std::map<Key, std::vector<uint32_t>> wanted;
    for (const size_t kernel : rest_) {
      if (!has_ids(kernel) && name_of(kernel) == kNoText) continue;
      for (const bool in_communication : {false, true}) wanted[key_of_kernel(kernel, in_communication)];
    }
    for (uint32_t task = 0; task < start_ns_.size() && !wanted.empty(); ++task) {
      const auto offer = [&](const Key& key) {
        const auto it = wanted.find(key);
        if (it != wanted.end()) it->second.push_back(task);
      };
      if (tasks_.task_id(task) != kNoNumber) offer({tasks_.stream(task), tasks_.task_id(task), false});
      offer({tasks_.name_code(task), kNoNumber, is_communication(task)});
    }
    for (const size_t kernel : rest_) {
      for (const bool in_communication : {kernels_.communicates[kernel], !kernels_.communicates[kernel]}) {
        const auto it = wanted.find(key_of_kernel(kernel, in_communication));
        if (own_[kernel] == kNone && it != wanted.end()) own_[kernel] = nearest(it->second, kernels_.start_ns[kernel]);
      }
    }
  }

  uint32_t nearest(const std::vector<uint32_t>& tasks, int64_t start_ns) const {
    const auto behind =
        std::partition_point(tasks.begin(), tasks.end(), [&](uint32_t task) { return start_ns_[task] < start_ns; });
    uint32_t best = kNone;
    int64_t best_ns = kRoundedNs + 1;
    for (const auto it : {behind, behind == tasks.begin() ? tasks.end() : behind - 1}) {
      if (it == tasks.end()) continue;
      const int64_t far_ns = std::abs(start_ns_[*it] - start_ns);
      if (far_ns >= best_ns) continue;
      best_ns = far_ns;
      best = *it;
    }
    return best;
  }

  const KernelRows& kernels_;
  const DeviceTable& tasks_;
  const std::span<const int64_t> start_ns_;
  std::vector<int32_t> code_of_;  // of each name of the kernels its code in the segment, or kNoText
  std::vector<uint32_t> own_;
  std::vector<size_t> rest_;  // kernels without a slice that begins when they do
};

}  // namespace

std::vector<uint32_t> find_own_slices(const KernelRows& kernels, const DeviceTable& tasks,
                                      const store::Dictionary& dictionary) {
  if (tasks.empty() || kernels.size() == 0) return std::vector<uint32_t>(kernels.size(), kNone);
  return Matcher(kernels, tasks, dictionary).run();
}

}  // namespace stepwise::ingest
