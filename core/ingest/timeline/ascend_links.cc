#include "core/ingest/timeline/ascend_links.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "core/ingest/base/rows_by_id.h"
#include "core/ingest/timeline/own_slices.h"
#include "core/ingest/timeline/trace_innermost.h"

namespace stepwise::ingest {
namespace {

namespace flow = table::flow;

constexpr uint32_t kNone = Launch::kNone;
constexpr int64_t kInvalidConnection = 4294967295;

bool is_connection(int64_t id) { return id != kNoNumber && id != kInvalidConnection; }

uint32_t at_or_none(const std::vector<uint32_t>& rows, uint32_t row) { return row == kNone ? kNone : rows[row]; }

/// What arrows say of each slice of the device.
struct Arrows {
  std::vector<uint32_t> call, host_op;
};

Arrows arrows_to_tasks(size_t tasks, store::SegmentBuilder& out) {
  Arrows arrows{std::vector<uint32_t>(tasks, kNone), std::vector<uint32_t>(tasks, kNone)};
  if (!out.has(flow::kTable)) return arrows;
  store::TableBuilder& rows = out.table(flow::kTable);
  const int32_t to_task = out.dictionary().intern(table::device_task::kTable.name),
                from_call = out.dictionary().intern(table::runtime_api::kTable.name),
                from_op = out.dictionary().intern(table::host_op::kTable.name);
  const auto &from = rows.values(flow::src_table), &to = rows.values(flow::dst_table);
  for (size_t row = 0; row < rows.rows(); ++row) {
    if (to[row] != to_task) continue;
    const auto task = static_cast<size_t>(rows.values(flow::dst_id)[row]);
    const auto source = static_cast<uint32_t>(rows.values(flow::src_id)[row]);
    if (from[row] == from_call) arrows.call[task] = source;
    if (from[row] == from_op) arrows.host_op[task] = source;
  }
  return arrows;
}

/// Of each row of the queue, if it is an exit, the entry that belongs to it.
std::vector<uint32_t> entries_of_exits(const QueueTable& queue) {
  const SliceColumns slices = queue.slices();
  RowsById entries;
  for (uint32_t row = 0; row < slices.start_ns.size(); ++row) {
    if (!queue.is_dequeue(row) && queue.link_id(row) != kNoNumber) entries.add(queue.link_id(row), row);
  }
  entries.finish();
  std::vector<uint32_t> entry_of(slices.start_ns.size(), kNone);
  for (uint32_t row = 0; row < entry_of.size(); ++row) {
    if (!queue.is_dequeue(row) || queue.link_id(row) == kNoNumber) continue;
    entry_of[row] = entries.find(queue.link_id(row), slices.start_ns[row], slices.start_ns);
  }
  return entry_of;
}

/// Which operator asked for a call, and when.
class Askers {
 public:
  Askers(const AscendSources& sources, const std::vector<uint32_t>& call_tracks)
      : queue_(sources.queue.slices()), calls_(sources.calls.slices()), entry_of_(entries_of_exits(sources.queue)) {
    const SliceColumns calls{calls_.start_ns, calls_.dur_ns, call_tracks, calls_.src_pos};
    const auto innermost = [&](const SliceColumns& slices, const SliceColumns& outer) {
      return innermost_running(slices, outer, sources.tracks.size(), AtOneStart::outer_holds);
    };
    queue_of_call_ = innermost(calls, queue_);
    op_of_call_ = innermost(calls, sources.host_ops.slices());
    op_of_queue_ = innermost(queue_, sources.host_ops.slices());
  }

  struct Asker {
    uint32_t host_op = kNone;
    int64_t time_ns = 0;
  };
  Asker of(uint32_t call) const {
    const uint32_t exit = queue_of_call_[call];
    const uint32_t entry = at_or_none(entry_of_, exit);
    if (entry != kNone) return {op_of_queue_[entry], queue_.start_ns[entry]};
    return {op_of_call_[call], calls_.start_ns[call]};
  }

 private:
  const SliceColumns queue_, calls_;
  const std::vector<uint32_t> entry_of_;
  std::vector<uint32_t> queue_of_call_, op_of_call_, op_of_queue_;
};

}  // namespace

std::vector<uint32_t> framework_tracks(const AscendSources& sources) {
  std::vector<bool> is_framework(sources.tracks.size());
  for (const uint32_t track : sources.host_ops.slices().track) is_framework[track] = true;
  for (const uint32_t track : sources.queue.slices().track) is_framework[track] = true;
  std::unordered_multimap<int64_t, uint32_t> by_thread;
  for (uint32_t track = 0; track < is_framework.size(); ++track) {
    if (is_framework[track]) by_thread.emplace(sources.tracks[track].tid, track);
  }
  std::vector<uint32_t> to(sources.tracks.size());
  std::iota(to.begin(), to.end(), 0u);
  std::vector<bool> is_known = is_framework;
  std::vector<uint32_t> tracks;
  for (const uint32_t track : sources.calls.slices().track) {
    if (!is_known[track]) {
      is_known[track] = true;
      const TrackKey key = sources.tracks[track];
      const auto [begin, end] = by_thread.equal_range(key.tid);
      const bool is_only_one = begin != end && std::next(begin) == end;
      for (auto it = begin; it != end; ++it) {
        if (is_only_one || sources.tracks[it->second].pid == key.pid >> 10) to[track] = it->second;
      }
    }
    tracks.push_back(to[track]);
  }
  return tracks;
}

std::vector<Launch> find_ascend_launches(const AscendSources& sources, const KernelRows& kernels,
                                         const std::vector<uint32_t>& call_tracks, store::SegmentBuilder& out) {
  const SliceColumns calls = sources.calls.slices(), ops = sources.host_ops.slices();
  RowsById by_connection;
  for (uint32_t row = 0; row < calls.start_ns.size(); ++row) {
    if (is_connection(sources.calls.link_id(row))) by_connection.add(sources.calls.link_id(row), row);
  }
  by_connection.finish();
  const Arrows arrows = arrows_to_tasks(sources.tasks.slices().start_ns.size(), out);
  const Askers askers(sources, call_tracks);
  const std::vector<uint32_t> own = find_own_slices(kernels, sources.tasks, out.dictionary());

  std::vector<Launch> launches(kernels.size());
  for (size_t kernel = 0; kernel < launches.size(); ++kernel) {
    Launch& launch = launches[kernel];
    launch.slice = own[kernel];
    if (launch.slice == kNone) continue;
    launch.how = Launch::How::time;
    const int64_t connection = sources.tasks.connection_id(launch.slice);
    if (is_connection(connection)) {
      launch.call = by_connection.find(connection, kernels.start_ns[kernel], calls.start_ns);
    }
    if (launch.call != kNone) {
      launch.how = Launch::How::connection;
    } else if (arrows.call[launch.slice] != kNone) {
      launch.call = arrows.call[launch.slice];
      launch.how = Launch::How::flow;
    }
    std::optional<int64_t> asked_at_ns;
    launch.host_op = arrows.host_op[launch.slice];
    if (launch.host_op != kNone) {
      asked_at_ns = ops.start_ns[launch.host_op];
      if (launch.call == kNone) launch.how = Launch::How::flow;
    } else if (launch.call != kNone) {
      const auto [host_op, time_ns] = askers.of(launch.call);
      launch.host_op = host_op;
      asked_at_ns = time_ns;
    }
    if (asked_at_ns) launch.step = sources.steps.step_at(*asked_at_ns);
  }
  return launches;
}

void report_lost_launches(const AscendSources& sources, const store::Dictionary& dictionary, const std::string& file,
                          Diagnostics& diagnostics) {
  const SliceColumns calls = sources.calls.slices(), tasks = sources.tasks.slices();
  if (calls.start_ns.empty()) return;
  RowsById launched;
  for (uint32_t row = 0; row < tasks.start_ns.size(); ++row) {
    if (is_connection(sources.tasks.connection_id(row))) launched.add(sources.tasks.connection_id(row), row);
  }
  launched.finish();
  if (launched.empty() && !tasks.start_ns.empty()) return;  // the device's slices do not say who launched them
  int32_t launch_code = kNoText;
  for (size_t code = 0; code < dictionary.size() && launch_code == kNoText; ++code) {
    if (dictionary.at(static_cast<int32_t>(code)) == "Node@launch") launch_code = static_cast<int32_t>(code);
  }
  uint64_t launching = 0, lost = 0;
  std::optional<int64_t> first;
  for (uint32_t row = 0; row < calls.start_ns.size(); ++row) {
    if (sources.calls.name_code(row) != launch_code || !is_connection(sources.calls.link_id(row))) continue;
    ++launching;
    if (launched.has(sources.calls.link_id(row))) continue;
    ++lost;
    first = std::min(first.value_or(INT64_MAX), calls.src_pos[row]);
  }
  report_lost_launches(lost, launching, first, file, diagnostics);
}

void report_missing_slices(const std::vector<Launch>& launches, const DeviceTable& tasks, const std::string& file,
                           Diagnostics& diagnostics) {
  if (tasks.empty()) return;
  const auto missing = static_cast<uint64_t>(
      std::count_if(launches.begin(), launches.end(), [](const Launch& launch) { return launch.slice == kNone; }));
  if (!is_large_share(missing, launches.size())) return;
  diagnostics.count(Diag::kernel_without_slice, file, std::nullopt, missing,
                    "They are " + std::to_string(missing) + " of " + std::to_string(launches.size()) + ".");
}

}  // namespace stepwise::ingest
