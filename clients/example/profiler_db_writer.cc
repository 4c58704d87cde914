#include "clients/example/profiler_db_writer.h"

#include <algorithm>
#include <string>

#include "clients/example/communication_figures.h"

namespace stepwise::example {
namespace {

constexpr int64_t kOperator = 50'001, kQueue = 50'002, kTrace = 50'003;
// Connections of different kinds share one column: each has a range of its own.
constexpr int64_t kBackwardConnections = int64_t{5} << 28, kQueueConnections = int64_t{6} << 28;

/// Parts by ';' as torch_npu joins them.
std::string on_lines(std::string_view parts) {
  std::string text;
  for (char c : parts) {
    text += c;
    if (c == ';') text += "\r\n";
  }
  return text;
}

std::string text_of(const Label& label, char before_number) {
  std::string text(label.name);
  return label.number >= 0 ? text + before_number + std::to_string(label.number) : text;
}

}  // namespace

ProfilerDbWriter::ProfilerDbWriter(SqliteFile& db, const TracePids& pids, int rank, bool dynamic_kernels)
    : db_(db),
      pids_(pids),
      rank_(rank),
      op_state_(dynamic_kernels ? "dynamic" : "static"),
      strings_(db, 0),
      torch_strings_(db, kFirstTorchString) {
  db_.insert("RANK_DEVICE_MAP", {int64_t{rank_}, pids_.device});
}

void ProfilerDbWriter::host_op(const HostOp& op) {
  std::vector<int64_t> connections;
  if (auto launched = launched_.extract({op.thread, op.start_ns}); !launched.empty()) {
    connections = std::move(launched.mapped());
  }
  if (op.sequence >= 0) connections.push_back(kBackwardConnections + op.sequence);
  const SqlValue connection = connections.empty() ? SqlValue() : SqlValue(connect(connections));
  SqlValue dtypes, shapes, chain;
  if (!op.types.empty()) {
    dtypes = torch_strings_.id(on_lines(op.types));
    shapes = torch_strings_.id(on_lines(op.dims));
  }
  if (!op.stack.empty()) chain = call_chain(op.stack);
  const std::string start = std::to_string(op.start_ns), end = std::to_string(op.end_ns);
  db_.insert("PYTORCH_API", {start, end, thread_id(op.thread), connection, torch_strings_.id(text_of(op.label, '#')),
                             op.sequence, int64_t{op.of_backward ? 1 : 0}, dtypes, shapes, chain, kOperator});
}

void ProfilerDbWriter::dequeue(const QueueEvent& event) { queue_event(event, "Dequeue@" + std::string(event.name)); }

void ProfilerDbWriter::queue_event(const QueueEvent& event, std::string_view name) {
  const std::string start = std::to_string(event.start_ns), end = std::to_string(event.end_ns);
  db_.insert("PYTORCH_API", {start,
                             end,
                             thread_id(event.thread),
                             connect({kQueueConnections + event.correlation}),
                             torch_strings_.id(name),
                             {},
                             {},
                             {},
                             {},
                             {},
                             kQueue});
}

void ProfilerDbWriter::python(const PythonFrame& frame) {
  const std::string start = std::to_string(frame.start_ns), end = std::to_string(frame.end_ns);
  db_.insert("PYTORCH_API", {start,
                             end,
                             thread_id(Thread::main),
                             {},
                             torch_strings_.id(text_of(frame.label, '_')),
                             {},
                             {},
                             {},
                             {},
                             {},
                             kTrace});
}

void ProfilerDbWriter::cann(const CannCall& call) {
  db_.insert("CANN_API", {call.start_ns, call.end_ns, db_api_type(call.layer->level), thread_id(call.thread),
                          call.connection, strings_.id(std::string(call.api) + std::string(call.suffix))});
}

void ProfilerDbWriter::task(const DeviceTask& task) {
  write_task();
  pending_ = {task, task.name};
  if (plane_) {
    write_plane(*plane_);
    plane_.reset();
  }
}

void ProfilerDbWriter::kernel(const KernelRun& run) {
  pending_->type = db_task_type(run.spec->core);
  insert_compute_task(db_, strings_, *run.spec, op_state_, run.step, next_task_, run.start_ns,
                      run.end_ns - run.start_ns);
}

void ProfilerDbWriter::control_task(std::string_view name, int64_t ns, int64_t task_id) {
  task({name, name, 0, ns, ns + 20, 0, task_id, kDbNone, 1, FlowForm::none});
}

void ProfilerDbWriter::write_task() {
  if (!pending_) return;
  const DeviceTask& task = pending_->task;
  db_.insert("TASK", {task.start_ns, task.end_ns, pids_.device, task.connection, next_task_++, pids_.python,
                      strings_.id(pending_->type), task.subtask_id, int64_t{task.stream}, task.task_id, kDbNone});
  pending_.reset();
}

void ProfilerDbWriter::write_plane(const PlaneTask& plane) {
  const bool moves = plane.bytes > 0, waits = plane.name == "Notify_Wait";
  const CollectiveRun& run = last_collective_;
  db_.insert("COMMUNICATION_TASK_INFO",
             {strings_.id(collective_name(run)), next_task_, strings_.id(plane.name), int64_t{plane.plane},
              strings_.id(run.communicator->hash), plane.notify_id, kDbInvalidType, int64_t{plane.self},
              int64_t{plane.peer}, int64_t{waits ? 2 : 0}, plane.bytes, db_data_type(plane.data_type),
              !moves ? kDbInvalidType : int64_t{plane.plane == 0 ? 0 : 1}, next_collective_});
}

void ProfilerDbWriter::collective(const CollectiveRun& run) {
  last_collective_ = run;
  db_.insert("COMMUNICATION_OP", {strings_.id(collective_name(run)), run.start_ns, run.end_ns, run.connection,
                                  strings_.id(run.communicator->hash), ++next_collective_, int64_t{0}, int64_t{0},
                                  db_data_type(run.spec->data_type), strings_.id(run.spec->algorithm),
                                  run.spec->elements, strings_.id(run.spec->type)});
}

void ProfilerDbWriter::launch_flow(const LaunchFlow& flow) {
  launched_[{flow.thread, flow.host_ns}].push_back(flow.connection);
}

void ProfilerDbWriter::step_end(const StepRange& range) {
  db_.insert("STEP_TIME", {range.number, range.start_ns, range.end_ns});
}

int64_t ProfilerDbWriter::connect(const std::vector<int64_t>& connections) {
  for (int64_t connection : connections) db_.insert("CONNECTION_IDS", {next_connection_, connection});
  return next_connection_++;
}

int64_t ProfilerDbWriter::call_chain(std::string_view stack) {
  const auto [found, is_new] = chains_.emplace(stack, next_chain_);
  if (!is_new) return found->second;
  int64_t depth = 0;
  for (size_t from = 0; from <= stack.size();) {
    const size_t end = std::min(stack.find(';', from), stack.size());
    db_.insert("PYTORCH_CALLCHAINS", {next_chain_, torch_strings_.id(stack.substr(from, end - from)), depth++});
    from = end + 1;
  }
  return next_chain_++;
}

}  // namespace stepwise::example
