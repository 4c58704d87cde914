#include "core/ingest/database/db_timeline.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace stepwise::ingest {
namespace {

// Processes are numbered as exporters number them in their traces: (process << 10) | (kind << 5) | device.
constexpr int64_t kCann = 7, kHardware = 13, kCommunication = 15;
constexpr int64_t kHostDevice = 31, kMostPid = int64_t{1} << 32;
constexpr int64_t kPlanesOfGroup = 1 << 16;

constexpr const char* kToDevice = "HostToDevice";
constexpr const char* kFromOperator = "async_npu";

/// Layers as traces call them.
std::string layer_of(const std::string& type) {
  if (type == "acl") return "AscendCL";
  std::string layer = type;
  if (!layer.empty() && layer[0] >= 'a' && layer[0] <= 'z') layer[0] = static_cast<char>(layer[0] - 'a' + 'A');
  return layer;
}

/// Exporters of January 2025 write the types where the shapes belong, and the reverse.
std::optional<std::string_view> shapes_among(std::optional<std::string_view> shapes,
                                             std::optional<std::string_view> types) {
  const auto has_letters = [](std::string_view text) {
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); });
  };
  if (!shapes || !has_letters(*shapes)) return shapes;
  if (!types) return "";  // of scalars
  return has_letters(*types) ? shapes : types;
}

bool is_copy(std::string_view task_type) { return task_type.starts_with("MEMCPY") || task_type.ends_with("DMA_SQE"); }

}  // namespace

DbTimeline::DbTimeline(Database& database, const std::string& file, IngestContext& context, TraceMerger& merger)
    : database_(database),
      file_(file),
      context_(context),
      strings_(database, file, context),
      types_(database, file, context),
      device_(database, file, context),
      events_(merger) {}

bool DbTimeline::run() {
  find_targets();
  read_driver_calls();
  read_stacks();
  read_framework_calls();
  read_ranges();
  link_operators();
  add_hardware_tasks();
  add_collectives();
  read_communication_tasks();
  read_overlap();
  read_counters();
  if (steps_ == 0) read_steps();
  events_.pass_on();
  return added_ != 0;
}

void DbTimeline::find_targets() {
  kernel_of_task_.resize(device_.tasks.size(), nullptr);
  for (const DbKernel& kernel : device_.kernels) kernel_of_task_[kernel.task] = &kernel;
  for (uint32_t i = 0; i < device_.tasks.size(); ++i) {
    const auto connection = device_.tasks[i].connection;
    if (connection && is_launched_work(i)) targets_.insert(*connection);
  }
  for (const DbCollective& one : device_.collectives) {
    if (one.connection) targets_.insert(*one.connection);
  }
}

/// Of the tasks that a call leads to, exporters draw arrows to kernels and copies only.
bool DbTimeline::is_launched_work(uint32_t task) const {
  if (kernel_of_task_[task] != nullptr) return true;
  const auto type = strings_.find(device_.tasks[task].type);
  return type && is_copy(*type);
}

int64_t DbTimeline::process_of(int64_t sort_index, std::optional<int64_t> device) const {
  const int64_t pid = device_.pid > 0 && device_.pid < kMostPid ? device_.pid : 0;
  return pid << 10 | sort_index << 5 | (device.value_or(0) & kHostDevice);
}

void DbTimeline::name_once(int64_t pid, std::string_view process, std::string_view label) {
  if (named_processes_.insert(pid).second) events_.name_process(pid, process, label);
}

void DbTimeline::name_once(int64_t pid, int64_t tid, std::string_view thread) {
  if (named_threads_.try_emplace({pid, tid}).second) events_.name_thread(pid, tid, thread);
}

void DbTimeline::link(const char* kind, int64_t id, int64_t time_ns, int64_t pid, int64_t tid, bool is_end) {
  FlowRecord flow;
  flow.ts_ns = time_ns;
  flow.id = static_cast<uint64_t>(id);
  flow.kind = events_.text(kind);
  flow.track = events_.track(pid, tid);
  flow.is_end = is_end;
  events_.add(flow);
}

void DbTimeline::link_work(int64_t connection, int64_t time_ns, int64_t pid, int64_t tid) {
  if (called_.contains(connection)) link(kToDevice, connection, time_ns, pid, tid, true);
  if (launched_by_op_.contains(connection)) link(kFromOperator, connection, time_ns, pid, tid, true);
}

void DbTimeline::read_driver_calls() {
  DbRows rows(database_, "CANN_API",
              {required("startNs"), required("endNs"), required("name"), {"type"}, {"globalTid"}, {"connectionId"}},
              file_, context_);
  std::unordered_map<int64_t, std::string> layers;
  while (rows.next()) {
    SliceRecord slice;
    const auto name = strings_.find(rows.integer(2));
    if (!name || !to_slice(rows.integer(0), rows.integer(1), slice.start_ns, slice.dur_ns)) {
      rows.leave_out("has no name, start and end that make sense");
      continue;
    }
    const DbThread thread = thread_of(rows.integer(4));
    const int64_t pid = process_of(kCann, kHostDevice);
    name_once(pid, "CANN", "CPU");
    name_once(pid, thread.tid, "Thread " + std::to_string(thread.tid));
    const auto type = rows.integer(3);
    std::string& layer = layers.try_emplace(type.value_or(-1), layer_of(types_.name(type))).first->second;
    slice.position = static_cast<uint32_t>(rows.number());
    slice.track = events_.track(pid, thread.tid);
    slice.name = layer.empty() ? events_.text(*name) : events_.text(layer + "@" + std::string(*name));
    const auto connection = rows.integer(5);
    slice.link_id = connection.value_or(kNoNumber);
    const int64_t start_ns = slice.start_ns;
    events_.add(slice);
    ++added_;
    if (connection && targets_.contains(*connection)) {
      called_.insert(*connection);
      link(kToDevice, *connection, start_ns, pid, thread.tid, false);
    }
  }
}

void DbTimeline::read_stacks() {
  DbRows rows(database_, "PYTORCH_CALLCHAINS", {required("id"), required("stack"), {"stackDepth"}}, file_, context_);
  struct Frame {
    int64_t id = 0, depth = 0, text = 0;
  };
  std::vector<Frame> frames;
  while (rows.next()) {
    const auto id = rows.integer(0), text = rows.integer(1);
    if (id && text) {
      frames.push_back({*id, rows.integer(2).value_or(rows.number()), *text});
    } else {
      rows.leave_out("holds no numbers");
    }
  }
  std::stable_sort(frames.begin(), frames.end(),
                   [](const Frame& a, const Frame& b) { return std::pair(a.id, a.depth) < std::pair(b.id, b.depth); });
  for (const Frame& frame : frames) {
    const auto text = strings_.find(frame.text);
    if (!text) continue;
    std::string& stack = stacks_[frame.id];
    if (!stack.empty()) stack += ";\n";
    stack += *text;
  }
}

void DbTimeline::read_framework_calls() {
  const Sets sets = read_connection_sets(database_, file_, context_);
  DbRows rows(database_, "PYTORCH_API",
              {required("startNs"),
               required("endNs"),
               required("name"),
               {"type"},
               {"globalTid"},
               {"connectionId"},
               {"sequenceNumber"},
               {"inputShapes"},
               {"callchainId"},
               {"inputDtypes"}},
              file_, context_);
  while (rows.next()) {
    const auto type = rows.integer(3);
    add_framework_call(rows, types_.name(type), sets);
  }
}

void DbTimeline::add_framework_call(DbRows& rows, const std::string& type, const Sets& sets) {
  SliceRecord slice;
  const auto name = strings_.find(rows.integer(2));
  if (!name || !to_slice(rows.integer(0), rows.integer(1), slice.start_ns, slice.dur_ns)) {
    return rows.leave_out("has no name, start and end that make sense");
  }
  const auto [pid, tid] = thread_of(rows.integer(4));
  name_once(pid, "Python", "CPU");
  name_once(pid, tid, "Thread " + std::to_string(tid));
  slice.position = static_cast<uint32_t>(rows.number());
  slice.track = events_.track(pid, tid);
  slice.name = events_.text(*name);
  const auto set = sets.find(rows.integer(5).value_or(-1));
  const bool is_linked = set != sets.end() && !set->second.empty();
  const int64_t start_ns = slice.start_ns, dur_ns = slice.dur_ns;
  ++added_;
  if (type == "queue") {
    const bool is_end = name->starts_with("Dequeue");
    slice.kind = is_end ? SliceKind::dequeue : SliceKind::enqueue;
    slice.category = events_.text(is_end ? "dequeue" : "enqueue");
    if (is_linked) slice.link_id = set->second.front();
    events_.add(slice);
    if (is_linked) link("async_task_queue", set->second.front(), start_ns, pid, tid, is_end);
    return;
  }
  if (type == "trace") {
    slice.kind = SliceKind::python_call;
    slice.category = events_.text("python_function");
    return events_.add(slice);
  }
  if (type != "op" && !type.empty()) {
    slice.kind = SliceKind::other;
    slice.category = events_.text(type);
    return events_.add(slice);
  }
  slice.kind = SliceKind::host_op;
  slice.category = events_.text("cpu_op");
  const auto sequence = rows.integer(6);
  if (sequence && *sequence != -1) slice.link_id = *sequence;
  const auto shapes = shapes_among(strings_.find(rows.integer(7)), strings_.find(rows.integer(9)));
  if (shapes) slice.shapes = events_.text(*shapes, TextForm::one_line);
  const auto stack = stacks_.find(rows.integer(8).value_or(-1));
  if (stack != stacks_.end()) slice.stack = events_.text(stack->second, TextForm::lines);
  if (const auto step = step_in_name(*name)) {
    events_.add(StepRecord{*step, start_ns, dur_ns, slice.track, slice.position});
    ++steps_;
  }
  events_.add(slice);
  if (!is_linked) return;
  for (const int64_t connection : set->second) linked_ops_.push_back({connection, start_ns, pid, tid});
}

/// A connection of one operator leads to the device; one of two, from the forward to the backward operator.
void DbTimeline::link_operators() {
  std::sort(linked_ops_.begin(), linked_ops_.end(), [](const LinkedOp& a, const LinkedOp& b) {
    return std::pair(a.connection, a.start_ns) < std::pair(b.connection, b.start_ns);
  });
  for (size_t begin = 0, end = 0; begin < linked_ops_.size(); begin = end) {
    const LinkedOp& first = linked_ops_[begin];
    for (end = begin; end < linked_ops_.size() && linked_ops_[end].connection == first.connection;) ++end;
    if (end - begin > 1) {
      for (size_t i = begin; i < end; ++i) {
        const LinkedOp& op = linked_ops_[i];
        link("fwdbwd", op.connection, op.start_ns, op.pid, op.tid, i != begin);
      }
    } else if (targets_.contains(first.connection)) {
      launched_by_op_.insert(first.connection);
      link(kFromOperator, first.connection, first.start_ns, first.pid, first.tid, false);
    }
  }
  linked_ops_ = {};
}

void DbTimeline::add_hardware_tasks() {
  for (uint32_t i = 0; i < device_.tasks.size() && !context_.cancel.is_set(); ++i) {
    const DbTask& task = device_.tasks[i];
    const DbKernel* const kernel = kernel_of_task_[i];
    const auto type = strings_.known(task.type);
    const auto core = kernel == nullptr ? std::nullopt : strings_.known(kernel->core_type);
    const auto name = kernel == nullptr ? type : strings_.find(kernel->name);
    const int64_t pid = process_of(kHardware, task.device), tid = task.stream.value_or(0);
    name_once(pid, "Ascend Hardware", "NPU " + std::to_string(task.device.value_or(0)));
    name_once(pid, tid, "Stream " + std::to_string(tid));
    SliceRecord slice;
    slice.start_ns = task.start_ns;
    slice.dur_ns = task.dur_ns;
    slice.position = static_cast<uint32_t>(task.row);
    slice.track = events_.track(pid, tid);
    slice.name = events_.text(name.value_or("?"));
    slice.link_id = task.connection.value_or(kNoNumber);
    slice.stream = task.stream.value_or(kNoNumber);
    slice.task_id = task.task_id.value_or(kNoNumber);
    slice.model_id = task.model_id.value_or(kNoNumber);
    if (const auto shown = core ? core : type) slice.task_type = events_.text(*shown);
    events_.add(slice);
    ++added_;
    if (task.connection && is_launched_work(i)) link_work(*task.connection, task.start_ns, pid, tid);
  }
}

int64_t DbTimeline::first_tid_of_group(std::optional<int64_t> group) {
  const auto next = static_cast<int64_t>(tid_of_group_.size()) * kPlanesOfGroup;
  return tid_of_group_.try_emplace(group.value_or(-1), next).first->second;
}

void DbTimeline::add_collectives() {
  const char* const process = types_.has("hccl") ? "HCCL" : "Communication";
  const auto only = device_.tasks.empty() ? std::nullopt : device_.tasks.front().device;
  for (const DbCollective& one : device_.collectives) {
    const auto device = one.device ? one.device : only;
    const int64_t pid = process_of(kCommunication, device), tid = first_tid_of_group(one.group);
    name_once(pid, process, "NPU " + std::to_string(device.value_or(0)));
    name_once(pid, tid, "Group " + std::to_string(tid / kPlanesOfGroup) + " Communication");
    SliceRecord slice;
    slice.start_ns = one.start_ns;
    slice.dur_ns = one.dur_ns;
    slice.position = static_cast<uint32_t>(one.row);
    slice.track = events_.track(pid, tid);
    slice.name = events_.text(strings_.find(one.name).value_or("?"));
    slice.link_id = one.connection.value_or(kNoNumber);
    events_.add(slice);
    ++added_;
    if (one.connection) link_work(*one.connection, one.start_ns, pid, tid);
  }
}

void DbTimeline::read_communication_tasks() {
  const char* const process = types_.has("hccl") ? "HCCL" : "Communication";
  DbRows rows(database_, "COMMUNICATION_TASK_INFO",
              {required("globalTaskId"), {"taskType"}, {"planeId"}, {"groupName"}}, file_, context_);
  while (rows.next()) {
    const auto index = device_.find(rows.integer(0));
    if (!index) {
      rows.leave_out("belongs to no row of TASK");
      continue;
    }
    const DbTask& task = device_.tasks[*index];
    const auto type = strings_.known(rows.integer(1));
    const int64_t plane = std::clamp<int64_t>(rows.integer(2).value_or(0), 0, kPlanesOfGroup - 2);
    const int64_t pid = process_of(kCommunication, task.device);
    const int64_t tid = first_tid_of_group(rows.integer(3)) + plane + 1;
    name_once(pid, process, "NPU " + std::to_string(task.device.value_or(0)));
    name_once(pid, tid, "Plane " + std::to_string(plane));
    SliceRecord slice;
    slice.start_ns = task.start_ns;
    slice.dur_ns = task.dur_ns;
    slice.position = static_cast<uint32_t>(rows.number());
    slice.track = events_.track(pid, tid);
    slice.name = events_.text(type.value_or("?"));
    if (type) slice.task_type = slice.name;
    slice.stream = task.stream.value_or(kNoNumber);
    slice.task_id = task.task_id.value_or(kNoNumber);
    slice.model_id = task.model_id.value_or(kNoNumber);
    events_.add(slice);
    ++added_;
  }
}

}  // namespace stepwise::ingest
