#include "device_stages.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace stepwise::recsys_stages {
namespace {

namespace host_op = table::host_op;
namespace kernel = table::kernel;
namespace kernel_link = table::kernel_link;
namespace device_task = table::device_task;
namespace flow = table::flow;

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// Streams that wait for each other do no work.
bool is_event(std::string_view name, std::string_view task_type) {
  return contains(name, "EVENT_") || contains(name, "Notify_") || contains(task_type, "EVENT_") ||
         contains(task_type, "NOTIFY_");
}

class Collector {
 public:
  Collector(const sdk::TableView& host_ops, const Windows& windows, const HostStages& host, DeviceStages& out)
      : host_start_(host_ops[host_op::start_ns]),
        host_rows_(host_ops.rows()),
        windows_(windows),
        host_(host),
        starts_(stage_starts(host.entries, windows.all.size())),
        clock_(host, windows),
        out_(out) {
    out_.of_window.resize(windows.all.size());
  }

  bool is_host_row(int64_t row) const { return row >= 0 && static_cast<uint64_t>(row) < host_rows_; }

  void launched(uint64_t host_row, int64_t start_ns, int64_t dur_ns, std::optional<Collective> collective) {
    const uint32_t entry = host_.entry_of_row[host_row];
    const auto window =
        entry != HostStages::kNone ? std::optional(host_.entries[entry].window) : windows_.at(host_start_[host_row]);
    if (!window) return;
    Stage stage = host_.stage_of_row(host_row);
    if (stage == Stage::unclassified && collective) {
      stage = stage_of_collective(*collective, host_start_[host_row], starts_[*window]);
    }
    add(*window, stage, start_ns, dur_ns, collective.has_value());
  }

  void at_that_time(int64_t start_ns, int64_t dur_ns, std::optional<Collective> collective) {
    const auto window = windows_.at(start_ns);
    if (!window) return;
    Stage stage = collective ? stage_of_collective(*collective, start_ns, starts_[*window]) : Stage::unclassified;
    if (stage == Stage::unclassified) stage = clock_.at(start_ns);
    add(*window, stage, start_ns, dur_ns, collective.has_value());
  }

  void finish() {
    for (auto& stages : out_.of_window) {
      for (Intervals& intervals : stages) intervals = unite(std::move(intervals));
    }
    std::stable_sort(out_.communications.begin(), out_.communications.end(),
                     [](const Communication& a, const Communication& b) { return a.start_ns < b.start_ns; });
  }

 private:
  void add(uint32_t window, Stage stage, int64_t start_ns, int64_t dur_ns, bool communicates) {
    if (communicates) out_.communications.push_back({start_ns, start_ns + dur_ns, stage});
    out_.of_window[window][slot(stage)].push_back({start_ns, start_ns + dur_ns});
  }

  sdk::Column<table::Type::i64> host_start_;
  uint64_t host_rows_;
  const Windows& windows_;
  const HostStages& host_;
  std::vector<StageStarts> starts_;
  StageClock clock_;
  DeviceStages& out_;
};

std::optional<Collective> collective_of(const sdk::TableView& kernels, uint64_t row) {
  if (kernels[kernel::class_][row] != "communication") return std::nullopt;
  return collective_kind(kernels[kernel::name][row]);
}

void by_time(const sdk::TableView& kernels, uint64_t row, Collector& collector) {
  collector.at_that_time(kernels[kernel::start_ns][row], kernels[kernel::dur_ns][row], collective_of(kernels, row));
}

void by_kernel_links(const sdk::Call& call, const sdk::TableView& links, const sdk::TableView& kernels,
                     Collector& collector, DeviceStages& out) {
  const auto kernel_id = links[kernel_link::kernel_id], host_id = links[kernel_link::host_op_id];
  const auto start = kernels[kernel::start_ns], dur = kernels[kernel::dur_ns];
  std::vector<bool> linked(kernels.rows());
  call.for_each_row(links.rows(), [&](uint64_t row) {
    const int64_t id = kernel_id[row];
    const auto host_row = host_id.get(row);
    if (!host_row || !collector.is_host_row(*host_row) || id < 0 || static_cast<uint64_t>(id) >= kernels.rows()) return;
    const auto kernel_row = static_cast<uint64_t>(id);
    linked[kernel_row] = true;
    collector.launched(static_cast<uint64_t>(*host_row), start[kernel_row], dur[kernel_row],
                       collective_of(kernels, kernel_row));
  });
  call.for_each_row(kernels.rows(), [&](uint64_t row) {
    if (linked[row]) return;
    by_time(kernels, row, collector);
    ++out.unlinked;
    out.unlinked_ns += dur[row];
  });
}

// Returns whether there was any.
bool by_flows(const sdk::Call& call, const sdk::TableView& flows, const sdk::TableView& tasks, Collector& collector) {
  const auto from = flows[flow::src_table], to = flows[flow::dst_table];
  const auto from_id = flows[flow::src_id], to_id = flows[flow::dst_id];
  const auto start = tasks[device_task::start_ns], dur = tasks[device_task::dur_ns];
  const auto name = tasks[device_task::name], task_type = tasks[device_task::task_type],
             lane = tasks[device_task::lane];
  bool any = false;
  call.for_each_row(flows.rows(), [&](uint64_t row) {
    if (from[row] != host_op::kTable.name || to[row] != device_task::kTable.name) return;
    const int64_t task = to_id[row];
    if (!collector.is_host_row(from_id[row]) || task < 0 || static_cast<uint64_t>(task) >= tasks.rows()) return;
    const auto task_row = static_cast<uint64_t>(task);
    any = true;
    if (is_event(name[task_row], task_type[task_row])) return;
    const auto collective =
        lane[task_row] == "communication" ? std::optional(collective_kind(name[task_row])) : std::nullopt;
    collector.launched(static_cast<uint64_t>(from_id[row]), start[task_row], dur[task_row], collective);
  });
  return any;
}

}  // namespace

DeviceStages find_device_stages(sdk::Call& call, uint32_t rank, const sdk::TableView& host_ops, const Windows& windows,
                                const HostStages& host) {
  DeviceStages out;
  Collector collector(host_ops, windows, host, out);
  const auto links = call.table(rank, kernel_link::kTable), kernels = call.table(rank, kernel::kTable);
  const auto flows = call.table(rank, flow::kTable), tasks = call.table(rank, device_task::kTable);
  const bool has_links = links && kernels && links->rows() > 0;
  // Where kernels and their slices are apart, the timeline has work that no kernel stands for, such as copies.
  const bool is_apart = has_links && (*links)[kernel_link::device_task_id].any();
  if ((!has_links || is_apart) && flows && tasks && by_flows(call, *flows, *tasks, collector)) {
    out.how = DeviceStages::How::launch;
    out.file = tasks->source_file();
  } else if (has_links) {
    out.how = DeviceStages::How::launch;
    out.file = kernels->source_file();
    by_kernel_links(call, *links, *kernels, collector, out);
  } else if (kernels && kernels->rows() > 0) {
    out.how = DeviceStages::How::time;
    out.file = kernels->source_file();
    call.for_each_row(kernels->rows(), [&](uint64_t row) { by_time(*kernels, row, collector); });
  }
  collector.finish();
  return out;
}

}  // namespace stepwise::recsys_stages
