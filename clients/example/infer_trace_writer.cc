// msprof_<time>.json: a bare array without blanks. A flow leads from the launch of a graph to its first kernel.
#include <string>
#include <string_view>

#include "clients/example/infer_writers.h"
#include "clients/example/random.h"
#include "clients/example/text_file.h"

namespace stepwise::example {
namespace {

constexpr int kCannRow = 7, kHardwareRow = 13, kFrequencyRow = 14, kHostDevice = 31;
constexpr int64_t kMetadataEvents = 3 * 3 + 2 * 2;
constexpr int64_t kFlowEvents = 2;  // of an iteration

class MsprofTrace {
 public:
  MsprofTrace(TextFile& file, const InferExport& run, int64_t counters)
      : file_(file),
        run_(run),
        counters_(counters),
        cann_(pid(kCannRow, kHostDevice)),
        hardware_(pid(kHardwareRow, run.device % kHostDevice)),
        frequency_(pid(kFrequencyRow, run.device % kHostDevice)) {}

  void write() {
    file_.text("[");
    name_process(hardware_, "Ascend Hardware", "NPU " + std::to_string(run_.device), kHardwareRow);
    name_thread(hardware_, kInferStream, "Stream " + std::to_string(kInferStream));
    name_process(cann_, "CANN", "CPU", kCannRow);
    name_thread(cann_, run_.process_id(), "Thread " + std::to_string(run_.process_id()));
    name_process(frequency_, "AI Core Freq", "NPU " + std::to_string(run_.device), kFrequencyRow);
    run_inference(run_.facts, run_.graph, run_.device, [&](const InferIteration& iteration) {
      for (const InferCall& call : iteration.calls) write_call(call);
      for (const InferKernel& one : iteration.kernels) write_kernel(one, iteration);
      const InferCall& launch = iteration.calls[kLaunch];
      write_flow("s", launch.connection, cann_, run_.process_id(), launch.start_ns + 500);
      write_flow("f", launch.connection, hardware_, kInferStream, iteration.kernels.front().start_ns);
    });
    const int64_t spacing_ns = (run_.tally.last_ns - run_.tally.first_ns) / (counters_ + 1);
    for (int64_t i = 0; i < counters_; ++i) write_counter(run_.tally.first_ns + i * spacing_ns);
    file_.text("]");
  }

 private:
  int64_t pid(int row, int device) const { return (run_.process_id() << 10) | (row << 5) | device; }

  TextFile& open(std::string_view name, int64_t pid, int64_t tid) {
    file_.text(is_first_ ? "{\"name\":\"" : ",{\"name\":\"").text(name).text("\",\"pid\":").integer(pid);
    is_first_ = false;
    return file_.text(",\"tid\":").integer(tid);
  }

  void metadata(std::string_view what, int64_t pid, int64_t tid, std::string_view key, const std::string& value) {
    open(what, pid, tid).text(",\"ph\":\"M\",\"args\":{\"").text(key).text("\":").text(value).text("}}");
  }
  void name_process(int64_t pid, std::string_view name, const std::string& label, int sort_index) {
    metadata("process_name", pid, 0, "name", "\"" + std::string(name) + "\"");
    metadata("process_labels", pid, 0, "labels", "\"" + label + "\"");
    metadata("process_sort_index", pid, 0, "sort_index", std::to_string(sort_index));
  }
  void name_thread(int64_t pid, int64_t tid, const std::string& name) {
    metadata("thread_name", pid, tid, "name", "\"" + name + "\"");
    metadata("thread_sort_index", pid, tid, "sort_index", std::to_string(tid));
  }

  TextFile& slice(std::string_view name, int64_t pid, int64_t tid, int64_t start_ns, int64_t end_ns) {
    open(name, pid, tid).text(",\"ts\":\"").us3(start_ns).text("\",\"dur\":").us(end_ns - start_ns);
    return file_.text(",\"ph\":\"X\",\"args\":{");
  }
  void write_call(const InferCall& call) {
    slice(std::string(call.layer) + "@" + std::string(call.api), cann_, run_.process_id(), call.start_ns, call.end_ns)
        .text("\"Thread Id\":")
        .integer(run_.process_id())
        .text(",\"Mode\":\"")
        .text(call.mode)
        .text("\",\"level\":\"")
        .text(call.level)
        .text("\",\"id\":\"")
        .text(call.api)
        .text("\",\"item_id\":\"0\",\"connection_id\":")
        .integer(call.connection)
        .text("}}");
  }
  void write_kernel(const InferKernel& one, const InferIteration& iteration) {
    const GraphNode& node = run_.graph.nodes[static_cast<size_t>(one.node)];
    const KernelSpec& spec = run_.graph.kernels[static_cast<size_t>(node.kernel)];
    slice(spec.name, hardware_, kInferStream, one.start_ns, one.end_ns)
        .text("\"Model Id\":")
        .integer(kInferModelId)
        .text(",\"Task Type\":\"")
        .text(csv_core(spec.core))
        .text("\",\"Physic Stream Id\":")
        .integer(kInferStream)
        .text(",\"Task Id\":")
        .integer(one.task_id)
        .text(",\"Batch Id\":0,\"Subtask Id\":4294967295,\"connection_id\":")
        .integer(iteration.calls[kLaunch].connection)
        .text("}}");
  }
  void write_flow(std::string_view phase, int64_t connection, int64_t pid, int64_t tid, int64_t ns) {
    const std::string id = std::to_string(connection << 32);
    open("HostToDevice" + id, pid, tid).text(",\"ph\":\"").text(phase);
    file_.text("\",\"cat\":\"HostToDevice\",\"id\":\"").text(id).text("\",\"ts\":\"").us3(ns);
    file_.text(phase == "f" ? "\",\"bp\":\"e\"}" : "\"}");
  }
  void write_counter(int64_t ns) {
    open("AI Core Freq", frequency_, 0).text(",\"ts\":\"").us3(ns).text("\",\"ph\":\"C\",\"args\":{\"MHz\":");
    file_.integer(Random(static_cast<uint64_t>(ns)).one_in(16) ? 1'650 : 1'800).text("}}");
  }

  TextFile& file_;
  const InferExport& run_;
  const int64_t counters_, cann_, hardware_, frequency_;
  bool is_first_ = true;
};

}  // namespace

int64_t msprof_events_without_counters(int64_t iterations, int64_t kernels) {
  return kMetadataEvents + iterations * (kInferCalls + kFlowEvents) + kernels;
}

Result<int64_t> write_msprof_trace(const std::filesystem::path& path, const InferExport& run, int64_t counters) {
  SW_ASSIGN_OR_RETURN(TextFile file, TextFile::create(path));
  MsprofTrace(file, run, counters).write();
  SW_RETURN_IF_ERROR(file.close());
  return file.bytes();
}

}  // namespace stepwise::example
