#include "sync_sources.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "by_code.h"

namespace stepwise::recsys_stages {
namespace {

namespace host_op = table::host_op;
namespace runtime_api = table::runtime_api;
namespace device_task = table::device_task;
namespace flow = table::flow;
using sdk::Call;

bool synchronizes(std::string_view name) { return wait_kind(name) == WaitKind::synchronization; }

class Summer {
 public:
  Summer(const StepModel& model, std::optional<int64_t> step)
      : model_(model), clock_(model.host, model.windows), is_chosen_(model.windows.all.size()) {
    for (const uint32_t window : model.chosen) {
      is_chosen_[window] = !step || model.windows.all[window].number == step;
    }
    for (uint32_t i = 0; i < model.host.threads.size(); ++i) threads_.emplace(model.host.threads[i].tid, i);
  }

  void of_host(std::string_view api, int64_t tid, int64_t start_ns, int64_t dur_ns) {
    add(api, false, start_ns, dur_ns, stage_of_thread(tid, start_ns));
  }
  void of_device(std::string_view api, int64_t start_ns, int64_t dur_ns, std::optional<Stage> launched_by) {
    add(api, true, start_ns, dur_ns, launched_by ? *launched_by : clock_.at(start_ns));
  }

  std::vector<SyncSource> ranked() {
    std::vector<SyncSource> out;
    for (const auto& [key, source] : sources_) out.push_back(source);
    std::stable_sort(out.begin(), out.end(),
                     [](const SyncSource& a, const SyncSource& b) { return a.total_ns > b.total_ns; });
    return out;
  }

 private:
  // What that thread is in; a thread without stages, like that of a task queue, works for what the host is in.
  Stage stage_of_thread(int64_t tid, int64_t ns) const {
    const auto [first, last] = threads_.equal_range(tid);
    for (auto it = first; it != last; ++it) {
      const Segment* segment = segment_at(model_.host.segments[it->second], ns);
      if (segment != nullptr) return model_.host.entries[segment->entry].stage;
    }
    return first == last ? clock_.at(ns) : Stage::unclassified;
  }

  void add(std::string_view api, bool of_device, int64_t start_ns, int64_t dur_ns, Stage stage) {
    const auto window = model_.windows.at(start_ns);
    if (!window || !is_chosen_[*window]) return;
    SyncSource& source = sources_[{of_device, api, slot(stage)}];
    source.api = api;
    source.of_device = of_device;
    source.stage = stage;
    ++source.count;
    source.total_ns += dur_ns;
    source.max_ns = std::max(source.max_ns, dur_ns);
  }

  const StepModel& model_;
  const StageClock clock_;
  std::vector<bool> is_chosen_;
  std::multimap<int64_t, uint32_t> threads_;  // by thread id
  std::map<std::tuple<bool, std::string_view, size_t>, SyncSource> sources_;
};

// Of calls inside each other the outermost; the table says what is inside, since printed times may be the same of two
// that follow each other.
template <class Name, class Start, class Dur, class Tid, class Parent>
void sum_host(const Call& call, const sdk::TableView& calls, Name name, Start start, Dur dur, Tid tid, Parent parent,
              Summer& out) {
  ByCode is_sync(calls[name], synchronizes);
  std::vector<bool> in_sync(calls.rows());
  call.for_each_row(calls.rows(), [&](uint64_t row) {
    const auto outer = calls[parent].get(row);
    const bool inside =
        outer && *outer >= 0 && static_cast<uint64_t>(*outer) < row && in_sync[static_cast<uint64_t>(*outer)];
    in_sync[row] = inside || is_sync(row);
    if (inside || !in_sync[row]) return;
    out.of_host(calls[name][row], calls[tid][row], calls[start][row], calls[dur][row]);
  });
}

void sum_device(Call& call, const StepModel& model, const sdk::TableView& tasks, Summer& out) {
  std::map<uint64_t, Stage> launched_by;
  if (const auto flows = call.table(model.rank, flow::kTable)) {
    const auto from = (*flows)[flow::src_table], to = (*flows)[flow::dst_table];
    call.for_each_row(flows->rows(), [&](uint64_t row) {
      const int64_t host = (*flows)[flow::src_id][row], task = (*flows)[flow::dst_id][row];
      if (from[row] != host_op::kTable.name || to[row] != device_task::kTable.name || host < 0 || task < 0) return;
      if (static_cast<uint64_t>(task) >= tasks.rows()) return;
      launched_by[static_cast<uint64_t>(task)] = model.host.stage_of_row(static_cast<uint64_t>(host));
    });
  }
  const auto name = tasks[device_task::name], lane = tasks[device_task::lane];
  const auto start = tasks[device_task::start_ns], dur = tasks[device_task::dur_ns];
  ByCode waits(name, waits_on_device);
  call.for_each_row(tasks.rows(), [&](uint64_t row) {
    // The communication process shows the waits of its streams a second time.
    if (lane[row] != "hardware" || !waits(row)) return;
    const auto it = launched_by.find(row);
    out.of_device(name[row], start[row], dur[row], it == launched_by.end() ? std::nullopt : std::optional(it->second));
  });
}

}  // namespace

bool waits_on_device(std::string_view task) {
  return task == "EVENT_WAIT" || task == "DAVID_EVENT_WAIT" || task == "Notify_Wait" || task == "Notify Wait" ||
         task == "NOTIFY_WAIT";
}

SyncSources find_sync_sources(Call& call, const StepModel& model, std::optional<int64_t> step) {
  Summer summer(model, step);
  if (const auto driver = call.table(model.rank, runtime_api::kTable)) {
    sum_host(call, *driver, runtime_api::name, runtime_api::start_ns, runtime_api::dur_ns, runtime_api::tid,
             runtime_api::parent_id, summer);
  } else {
    sum_host(call, model.host_ops, host_op::name, host_op::start_ns, host_op::dur_ns, host_op::tid, host_op::parent_id,
             summer);
  }
  SyncSources out;
  const auto tasks = call.table(model.rank, device_task::kTable);
  const bool shows_hardware = tasks && call.args().profile().kind != "kineto";
  if (shows_hardware) sum_device(call, model, *tasks, summer);
  out.list = summer.ranked();
  if (!shows_hardware) return out;
  out.device_wait_ns = 0;
  for (const SyncSource& source : out.list) *out.device_wait_ns += source.of_device ? source.total_ns : 0;
  return out;
}

}  // namespace stepwise::recsys_stages
