#include "core/engine/timeline_slices.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "core/base/text.h"
#include "core/engine/open_profile.h"
#include "core/store/table_view.h"
#include "stepwise/tables.hpp"

namespace stepwise::engine {
namespace {

using TrackId = std::pair<int64_t, int64_t>;  // process, thread

constexpr uint64_t kRowsBetweenPolls = 4'096;

class Reader {
 public:
  Reader(CallHost& host, uint32_t rank, const Window& window) : host_(host), rank_(rank), window_(window) {}

  /// Rows of a table whose slices lie on tracks by process and thread; `pid` and `tid` say where that stands in it.
  template <class Name, class Start, class Dur, class Pid, class Tid>
  Result<void> add(const table::TableDecl& decl, Name name, Start start, Dur dur, Pid pid, Tid tid) {
    SW_ASSIGN_OR_RETURN(const sw_table* rows, table_of(decl));
    for (uint64_t row = 0; rows != nullptr && row < rows->rows; ++row) {
      if (row % kRowsBetweenPolls == 0 && host_.cancel().is_set()) {
        return Error{ErrorKind::cancelled, "call.cancelled", "The call was cancelled.", "", ""};
      }
      const int64_t start_ns = *store::get(*rows, start, row), dur_ns = *store::get(*rows, dur, row);
      timeline_.all.start_ns = std::min(timeline_.all.start_ns, start_ns);
      timeline_.all.end_ns = std::max(timeline_.all.end_ns, start_ns + dur_ns);
      if (!touches(start_ns, dur_ns)) continue;
      const TrackId id{store::get(*rows, pid, row).value_or(-1), store::get(*rows, tid, row).value_or(-1)};
      slices_[id].push_back({start_ns, dur_ns, decl.name, row, *store::get(*rows, name, row)});
    }
    return {};
  }

  Result<void> add_names() {
    namespace track = table::track;
    SW_ASSIGN_OR_RETURN(const sw_table* rows, table_of(track::kTable));
    for (uint64_t row = 0; rows != nullptr && row < rows->rows; ++row) {
      const int64_t pid = *store::get(*rows, track::pid, row);
      const auto tid = store::get(*rows, track::tid, row);
      const std::string process(store::get(*rows, track::process_name, row).value_or(""));
      const std::string labels(store::get(*rows, track::labels, row).value_or(""));
      const std::string thread(store::get(*rows, track::thread_name, row).value_or(""));
      std::string& process_name = processes_[pid];
      if (process_name.empty()) process_name = process + (labels.empty() ? "" : (process.empty() ? "" : " ") + labels);
      if (tid && !thread.empty()) threads_[{pid, *tid}] = thread;
    }
    return {};
  }

  Timeline finish() {
    for (auto& [id, slices] : slices_) {
      Track track{name_of(id), std::move(slices), 0};
      order_and_nest(track);
      timeline_.tracks.push_back(std::move(track));
    }
    std::stable_sort(timeline_.tracks.begin(), timeline_.tracks.end(),
                     [](const Track& a, const Track& b) { return a.busy_ns > b.busy_ns; });
    return std::move(timeline_);
  }

 private:
  Result<const sw_table*> table_of(const table::TableDecl& decl) {
    SW_RETURN_IF_ERROR(host_.read(std::span(&rank_, 1), decl.name));
    return host_.table(rank_, decl.name);
  }
  /// A slice without duration lies in the window that its instant lies in.
  bool touches(int64_t start_ns, int64_t dur_ns) const {
    return start_ns < window_.end_ns && (start_ns >= window_.start_ns || start_ns + dur_ns > window_.start_ns);
  }
  std::string name_of(const TrackId& id) const {
    const auto process = processes_.find(id.first);
    const auto thread = threads_.find(id);
    std::string name = process == processes_.end() || process->second.empty() ? "process " + std::to_string(id.first)
                                                                              : process->second;
    name += " / " + (thread == threads_.end() ? "thread " + std::to_string(id.second) : thread->second);
    return to_valid_utf8(name);
  }

  void order_and_nest(Track& track) const {
    std::sort(track.slices.begin(), track.slices.end(), [](const Slice& a, const Slice& b) {
      return std::tuple(a.start_ns, -a.dur_ns, std::string_view(a.table), a.row) <
             std::tuple(b.start_ns, -b.dur_ns, std::string_view(b.table), b.row);
    });
    std::vector<int64_t> open;  // ends of the slices that hold the next one
    int64_t covered_ns = window_.start_ns;
    for (Slice& slice : track.slices) {
      const int64_t end_ns = slice.start_ns + slice.dur_ns;
      while (!open.empty() && open.back() <= slice.start_ns) open.pop_back();
      slice.depth = static_cast<uint32_t>(open.size());
      open.push_back(end_ns);
      const int64_t from = std::max(slice.start_ns, covered_ns), to = std::min(end_ns, window_.end_ns);
      if (to > from) track.busy_ns += to - from;
      covered_ns = std::max(covered_ns, to);
    }
  }

  CallHost& host_;
  const uint32_t rank_;
  const Window window_;
  Timeline timeline_;
  std::map<TrackId, std::vector<Slice>> slices_;
  std::map<int64_t, std::string> processes_;
  std::map<TrackId, std::string> threads_;
};

}  // namespace

Result<Timeline> read_timeline(CallHost& host, uint32_t rank, const Window& window) {
  namespace t = table;
  Reader reader(host, rank, window);
  SW_RETURN_IF_ERROR(reader.add_names());
  SW_RETURN_IF_ERROR(reader.add(t::host_op::kTable, t::host_op::name, t::host_op::start_ns, t::host_op::dur_ns,
                                t::host_op::pid, t::host_op::tid));
  SW_RETURN_IF_ERROR(reader.add(t::runtime_api::kTable, t::runtime_api::name, t::runtime_api::start_ns,
                                t::runtime_api::dur_ns, t::runtime_api::pid, t::runtime_api::tid));
  SW_RETURN_IF_ERROR(reader.add(t::python_call::kTable, t::python_call::name, t::python_call::start_ns,
                                t::python_call::dur_ns, t::python_call::pid, t::python_call::tid));
  SW_RETURN_IF_ERROR(
      reader.add(t::queue::kTable, t::queue::name, t::queue::start_ns, t::queue::dur_ns, t::queue::pid, t::queue::tid));
  SW_RETURN_IF_ERROR(reader.add(t::device_task::kTable, t::device_task::name, t::device_task::start_ns,
                                t::device_task::dur_ns, t::device_task::pid, t::device_task::tid));
  // On a GPU a kernel's track is its device and stream; Ascend's kernels stand in device_task, their table is a file's.
  if (host.profile()->layout.kind == ingest::ProfileKind::kineto) {
    SW_RETURN_IF_ERROR(reader.add(t::kernel::kTable, t::kernel::name, t::kernel::start_ns, t::kernel::dur_ns,
                                  t::kernel::device, t::kernel::stream));
  }
  return reader.finish();
}

}  // namespace stepwise::engine
