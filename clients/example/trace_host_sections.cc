#include <algorithm>

#include "clients/example/trace_sections.h"

namespace stepwise::example {
namespace {

/// Parts by ';' as torch_npu joins them: ";\r\n", escaped as JSON has it.
void joined(TextFile& file, std::string_view parts) {
  for (size_t from = 0; from <= parts.size();) {
    const size_t end = std::min(parts.find(';', from), parts.size());
    file.text(parts.substr(from, end - from));
    if (end < parts.size()) file.text(";\\r\\n");
    from = end + 1;
  }
}

TextFile& label(TextFile& file, const Label& value) {
  file.text(value.name);
  return value.number >= 0 ? file.text("#").integer(value.number) : file;
}

void place(TextFile& file, int64_t pid, int64_t tid, int64_t start_ns) {
  file.text("\", \"pid\": ").integer(pid).text(", \"tid\": ").integer(tid).text(", \"ts\": \"").us3(start_ns);
}

void arrow(TextFile& file, std::string_view phase, std::string_view name, int64_t id, int64_t pid, int64_t tid,
           int64_t ns, std::string_view category) {
  file.text("{\"ph\": \"").text(phase).text("\", \"bp\": \"e\", \"name\": \"").text(name).text("\", \"id\": ");
  file.integer(id).text(", \"pid\": ").integer(pid).text(", \"tid\": ").integer(tid).text(", \"ts\": \"").us3(ns);
  file.text("\", \"cat\": \"").text(category).text("\"}");
}

}  // namespace

void HostOpSection::host_op(const HostOp& op) {
  TextFile& file = out_.next();
  file.text("{\"ph\": \"X\", \"name\": \"");
  label(file, op.label);
  place(file, pids_.python, pids_.thread(op.thread), op.start_ns);
  file.text("\", \"dur\": ").us(op.end_ns - op.start_ns);
  file.text(", \"cat\": \"cpu_op\", \"args\": {\"Sequence number\": ").integer(op.sequence);
  file.text(", \"Fwd thread id\": ").integer(op.of_backward ? 1 : 0);
  if (!op.types.empty()) {
    file.text(", \"Input Dims\": \"");
    joined(file, op.dims);
    file.text("\", \"Input type\": \"");
    joined(file, op.types);
    file.text("\"");
  }
  if (!op.stack.empty()) {
    file.text(", \"Call stack\": \"");
    joined(file, op.stack);
    file.text("\"");
  }
  file.text("}}");
}

void QueueSection::enqueue(const QueueEvent& event) {
  if (!entries_) return;
  TextFile& file = out_.next();
  file.text("{\"ph\": \"X\", \"name\": \"Enqueue");
  place(file, pids_.python, pids_.thread(event.thread), event.start_ns);
  file.text("\", \"dur\": ").us(event.end_ns - event.start_ns);
  file.text(", \"cat\": \"enqueue\", \"args\": {\"correlation_id\": ").integer(event.correlation).text("}}");
  flow(event, "s");
}

void QueueSection::dequeue(const QueueEvent& event) {
  if (entries_) return;
  TextFile& file = out_.next();
  file.text("{\"ph\": \"X\", \"name\": \"Dequeue@").text(event.name);
  place(file, pids_.python, pids_.thread(event.thread), event.start_ns);
  file.text("\", \"dur\": ").us(event.end_ns - event.start_ns);
  file.text(", \"cat\": \"dequeue\", \"args\": {\"correlation_id\": ").integer(event.correlation).text("}}");
  flow(event, "f");
}

void QueueSection::flow(const QueueEvent& event, std::string_view phase) {
  arrow(out_.next(), phase, "enqueue_to_dequeue", event.correlation, pids_.python, pids_.thread(event.thread),
        event.start_ns, "async_task_queue");
}

void BackwardFlowSection::backward_flow(int64_t sequence, int64_t forward_ns, int64_t backward_ns) {
  arrow(out_.next(), "s", "fwdbwd", sequence, pids_.python, pids_.thread(Thread::main), forward_ns, "fwdbwd");
  arrow(out_.next(), "f", "fwdbwd", sequence, pids_.python, pids_.thread(Thread::backward), backward_ns, "fwdbwd");
}

void PythonSection::python(const PythonFrame& frame) {
  TextFile& file = out_.next();
  file.text("{\"ph\": \"X\", \"name\": \"").text(frame.label.name);
  if (frame.label.number >= 0) file.text("_").integer(frame.label.number);
  place(file, pids_.python, pids_.thread(Thread::main), frame.start_ns);
  file.text("\", \"dur\": ").us(frame.end_ns - frame.start_ns);
  file.text(", \"cat\": \"python_function\", \"args\": {\"Python id\": ").integer(frame.id);
  file.text(", \"Python parent id\": ").integer(frame.parent);
  if (frame.module >= 0) file.text(", \"Python module id\": ").integer(frame.module);
  file.text("}}");
}

void LaunchFlowSection::launch_flow(const LaunchFlow& flow) {
  arrow(out_.next(), "s", "torch_to_npu", flow.device_ns, pids_.python, pids_.thread(flow.thread), flow.host_ns,
        "async_npu");
  const int64_t pid = flow.to_communication ? pids_.hccl() : pids_.hardware();
  const int64_t tid = flow.to_communication ? pids_.group_row(static_cast<Group>(flow.track)) : flow.track;
  arrow(out_.next(), "f", "torch_to_npu", flow.device_ns, pid, tid, flow.device_ns, "async_npu");
}

}  // namespace stepwise::example
