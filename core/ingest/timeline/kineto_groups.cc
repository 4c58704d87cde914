#include "core/ingest/timeline/kineto_groups.h"

#include "core/ingest/timeline/trace_innermost.h"

namespace stepwise::ingest {

void ProcessGroups::add(const KinetoSlice& slice, int64_t src_pos) {
  if (slice.what == KinetoKind::kernel) {
    of_kernel_.emplace(src_pos, slice.group);
    return;
  }
  start_ns_.push_back(slice.start_ns);
  dur_ns_.push_back(slice.dur_ns);
  src_pos_.push_back(src_pos);
  track_.push_back(slice.track);
  group_.push_back(slice.group);
}

std::vector<int32_t> ProcessGroups::of_calls(const SliceColumns& calls, size_t track_count, int64_t base_ns) {
  for (int64_t& start_ns : start_ns_) start_ns += base_ns;
  const std::vector<uint32_t> order = start_order({start_ns_, dur_ns_, track_, src_pos_});
  if (!order.empty()) {
    for (auto* const values : {&start_ns_, &dur_ns_, &src_pos_}) reorder(*values, order);
    reorder(track_, order);
    reorder(group_, order);
  }
  const SliceColumns collectives{start_ns_, dur_ns_, track_, src_pos_};
  std::vector<int32_t> groups;
  for (const uint32_t row : innermost_running(calls, collectives, track_count, AtOneStart::outer_holds)) {
    groups.push_back(row == Nesting::kNone ? kNoText : group_[row]);
  }
  return groups;
}

std::vector<int32_t> ProcessGroups::of_kernels(const KernelTable& kernels, const HostTable& calls,
                                               const std::vector<Launch>& launches, size_t track_count,
                                               int64_t base_ns) {
  if (of_kernel_.empty() && group_.empty()) return {};
  const std::vector<int32_t> of_call =
      group_.empty() ? std::vector<int32_t>() : of_calls(calls.slices(), track_count, base_ns);
  const SliceColumns rows = kernels.slices();
  std::vector<int32_t> groups;
  groups.reserve(launches.size());
  for (size_t row = 0; row < launches.size(); ++row) {
    const auto own = of_kernel_.find(rows.src_pos[row]);
    const uint32_t call = launches[row].call;
    groups.push_back(own != of_kernel_.end()                     ? own->second
                     : call != Launch::kNone && !of_call.empty() ? of_call[call]
                                                                 : kNoText);
  }
  return groups;
}

}  // namespace stepwise::ingest
