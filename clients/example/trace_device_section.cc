#include <algorithm>
#include <utility>

#include "clients/example/communication_figures.h"
#include "clients/example/trace_sections.h"

namespace stepwise::example {
namespace {

constexpr std::string_view kSpanNames[] = {"Computing", "Communication", "Communication(Not Overlapped)", "Free"};
constexpr int64_t kNodeFlowOffset = 141'170;  // what the exporter of 2025-01 adds to a connection id: any constant

/// plain: 936. communication: 936 * 2^32 - 1. node: (936 + constant) * 2^48 + 2^32 - 1.
TextFile& flow_id(TextFile& file, FlowForm form, int64_t connection) {
  switch (form) {
    case FlowForm::communication:
      return file.integer((connection << 32) - 1);
    case FlowForm::node:
      return file.wide_flow_id(connection, kNodeFlowOffset);
    case FlowForm::plain:
    case FlowForm::none:
      break;
  }
  return file.integer(connection);
}

TextFile& slice(TextFile& file, int64_t pid, int64_t tid, int64_t start_ns) {
  return file.text("\", \"pid\": ")
      .integer(pid)
      .text(", \"tid\": ")
      .integer(tid)
      .text(", \"ts\": \"")
      .us3(start_ns)
      .text("\", \"dur\": ");
}

}  // namespace

DeviceSection::DeviceSection(TraceArray& out, const TracePids& pids, CounterSource& counters, int64_t start_ns,
                             int64_t end_ns)
    : out_(out), pids_(pids), counters_(counters), end_ns_(end_ns) {
  control_task("PROFILING_ENABLE", start_ns, 1);
}

void DeviceSection::control_task(std::string_view name, int64_t ns, int64_t task_id) {
  hold(ns, DeviceTask{name, "PLACE_HOLDER_SQE", 0, ns, ns + 20, 0, task_id, 4294967295, 1, FlowForm::none});
}

void DeviceSection::hold(int64_t ns, Record record) {
  keys_.push_back({ns, static_cast<uint32_t>(records_.size())});
  records_.push_back(record);
}

void DeviceSection::cann(const CannCall& call) {
  hold(call.start_ns, call);
  if (call.flow != FlowForm::none) hold(call.flow_ns, FlowStart{call.flow, call.connection, call.thread});
}

void DeviceSection::task(const DeviceTask& task) { hold(task.start_ns, task); }
void DeviceSection::plane_task(const PlaneTask& task) { hold(task.start_ns, task); }

void DeviceSection::collective(const CollectiveRun& run) {
  overlap_.collective(run.start_ns, run.end_ns, run.spec->receives);
  hold(run.start_ns, CollectiveSlice{run.spec, run.communicator, run.index, run.start_ns, run.end_ns, run.connection});
}

void DeviceSection::step_end(const StepRange& range) {
  const OverlapAnalysis::Spans spans = overlap_.close_step(range);
  int row = 0;
  for (const Intervals* intervals : {&spans.computing, &spans.communication, &spans.not_overlapped, &spans.free}) {
    for (const Interval& one : *intervals) hold(one.start_ns, Span{row, one.start_ns, one.end_ns});
    ++row;
  }
  // The free time up to the next step starts where this step's device work ends: nothing later may be written yet.
  write_before(overlap_.steps().back().last_ns);
}

void DeviceSection::finish() {
  control_task("PROFILING_DISABLE", end_ns_, 2);
  write_before(INT64_MAX);
  counters_.write_rest(out_);
}

void DeviceSection::write_before(int64_t ns) {
  std::sort(keys_.begin(), keys_.end(),
            [](const Key& a, const Key& b) { return a.ns != b.ns ? a.ns < b.ns : a.index < b.index; });
  size_t written = 0;
  for (; written < keys_.size() && keys_[written].ns < ns; ++written) {
    counters_.write_until(keys_[written].ns, out_);
    write(keys_[written].ns, records_[keys_[written].index]);
  }
  std::vector<Record> rest;
  std::vector<Key> rest_keys;
  for (; written < keys_.size(); ++written) {
    rest_keys.push_back({keys_[written].ns, static_cast<uint32_t>(rest.size())});
    rest.push_back(records_[keys_[written].index]);
  }
  records_.assign(rest.begin(), rest.end());
  keys_.assign(rest_keys.begin(), rest_keys.end());
}

void DeviceSection::write(int64_t ns, const Record& record) {
  if (const auto* start = std::get_if<FlowStart>(&record)) {
    TextFile& file = out_.next();
    flow_id(file.text("{\"name\": \"HostToDevice"), start->form, start->connection);
    flow_id(file.text("\", \"ph\": \"s\", \"cat\": \"HostToDevice\", \"id\": \""), start->form, start->connection);
    file.text("\", \"pid\": ").integer(pids_.cann()).text(", \"tid\": ").integer(pids_.thread(start->thread));
    file.text(", \"ts\": \"").us3(ns).text("\"}");
    return;
  }
  if (const auto* call = std::get_if<CannCall>(&record)) return write_slice(*call);
  if (const auto* task = std::get_if<DeviceTask>(&record)) return write_slice(*task);
  if (const auto* plane = std::get_if<PlaneTask>(&record)) return write_slice(*plane);
  if (const auto* run = std::get_if<CollectiveSlice>(&record)) return write_slice(*run);
  write_slice(std::get<Span>(record));
}

void DeviceSection::flow_end(FlowForm form, int64_t connection, int64_t ns, int64_t pid, int64_t tid) {
  if (form == FlowForm::none) return;
  TextFile& file = out_.next();
  flow_id(file.text("{\"name\": \"HostToDevice"), form, connection);
  flow_id(file.text("\", \"ph\": \"f\", \"id\": \""), form, connection);
  file.text("\", \"ts\": \"").us3(ns).text("\", \"cat\": \"HostToDevice\", \"pid\": ").integer(pid);
  file.text(", \"tid\": ").integer(tid).text(", \"bp\": \"e\"}");
}

void DeviceSection::write_slice(const CannCall& call) {
  TextFile& file = out_.next();
  const int64_t tid = pids_.thread(call.thread);
  const bool node = call.layer == &kNodeLaunch;
  file.text("{\"name\": \"").text(call.layer->name).text("@").text(call.api).text(call.suffix);
  slice(file, pids_.cann(), tid, call.start_ns).us(call.end_ns - call.start_ns);
  file.text(", \"args\": {\"Thread Id\": ").integer(tid).text(", \"Mode\": \"").text(call.layer->mode);
  file.text("\", \"level\": \"").text(call.layer->level).text("\", \"id\": \"");
  if (node) {
    file.text("0");
  } else {
    file.text(call.api).text(call.suffix);
  }
  file.text("\", \"item_id\": \"").text(call.item).text("\", \"connection_id\": ").integer(call.connection);
  file.text("}, \"ph\": \"X\"}");
}

void DeviceSection::write_slice(const DeviceTask& task) {
  TextFile& file = out_.next();
  file.text("{\"name\": \"").text(task.name);
  slice(file, pids_.hardware(), task.stream, task.start_ns).device_us(task.end_ns - task.start_ns, task.fraction);
  file.text(", \"args\": {\"Model Id\": 4294967295, \"Task Type\": \"").text(task.task_type);
  file.text("\", \"Physic Stream Id\": ").integer(task.stream).text(", \"Task Id\": ").integer(task.task_id);
  file.text(", \"Batch Id\": 0, \"Subtask Id\": ").integer(task.subtask_id);
  file.text(", \"connection_id\": ").integer(task.connection).text("}, \"ph\": \"X\"}");
  flow_end(task.flow, task.connection, task.start_ns, pids_.hardware(), task.stream);
}

void DeviceSection::write_slice(const PlaneTask& task) {
  TextFile& file = out_.next();
  const bool moves = task.bytes > 0, waits = task.name == "Notify_Wait";
  file.text("{\"name\": \"").text(task.name);
  slice(file, pids_.hccl(), pids_.group_row(task.group) + task.plane + 1, task.start_ns)
      .device_us(task.end_ns - task.start_ns, task.fraction);
  file.text(", \"args\": {\"notify_id\": \"").integer(task.notify_id).text("\", \"duration estimated(us)\": ");
  if (moves) {
    file.us(600 + task.bytes * 10 / 193);  // 19.3 GB/s
  } else {
    file.text(waits ? "0.02" : "1");
  }
  file.text(", \"stream id\": ").integer(kGroupStreams[static_cast<size_t>(task.group)]);
  file.text(", \"task id\": ").integer(task.task_id).text(", \"context id\": ").integer(task.context_id);
  file.text(", \"task type\": \"").text(task.name).text("\", \"src rank\": ").integer(task.self);
  file.text(", \"dst rank\": ").integer(task.peer).text(", \"transport type\": \"").text(waits ? "LOCAL" : "SDMA");
  file.text("\", \"size(Byte)\": ").integer(task.bytes).text(", \"data type\": \"").text(task.data_type);
  file.text("\", \"link type\": \"").text(!moves ? "INVALID_TYPE" : task.plane == 0 ? "ON_CHIP" : "HCCS");
  file.text("\", \"bandwidth(GB/s)\": ");
  file.decimal(moves ? task.bytes * 10'000 / (task.end_ns - task.start_ns) : 0, 4);
  file.text(", \"model id\": 4294967295}, \"ph\": \"X\"}");
}

void DeviceSection::write_slice(const CollectiveSlice& run) {
  TextFile& file = out_.next();
  const int64_t tid = pids_.group_row(run.communicator->group);
  file.text("{\"name\": \"").text(collective_name(*run.spec, *run.communicator, run.index));
  slice(file, pids_.hccl(), tid, run.start_ns).us(run.end_ns - run.start_ns);
  file.text(", \"args\": {\"connection_id\": ").integer(run.connection);
  file.text(", \"model id\": 4294967295, \"data_type\": \"").text(run.spec->data_type);
  file.text("\", \"alg_type\": \"").text(run.spec->algorithm).text("\", \"count\": ").integer(run.spec->elements);
  file.text("}, \"ph\": \"X\"}");
  flow_end(FlowForm::communication, run.connection, run.start_ns, pids_.hccl(), tid);
}

void DeviceSection::write_slice(const Span& span) {
  TextFile& file = out_.next();
  file.text("{\"name\": \"").text(kSpanNames[span.row]);
  slice(file, pids_.overlap(), span.row, span.start_ns).us(span.end_ns - span.start_ns).text(", \"ph\": \"X\"}");
}

}  // namespace stepwise::example
