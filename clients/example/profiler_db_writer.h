// ascend_pytorch_profiler_<rank>.db of one training rank: the run that the text files tell, in the tables of January
// 2025. Counters by time are not in it; memory is written apart (memory_writers.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "clients/example/profiler_db.h"
#include "clients/example/timeline.h"
#include "clients/example/trace_sections.h"

namespace stepwise::example {

class ProfilerDbWriter : public TimelineSink {
 public:
  /// dynamic_kernels: what the kernels' opState says.
  ProfilerDbWriter(SqliteFile& db, const TracePids& pids, int rank, bool dynamic_kernels);

  void host_op(const HostOp& op) override;
  void enqueue(const QueueEvent& event) override { queue_event(event, "Enqueue"); }
  void dequeue(const QueueEvent& event) override;
  void cann(const CannCall& call) override;
  void task(const DeviceTask& task) override;
  void kernel(const KernelRun& run) override;
  void plane_task(const PlaneTask& task) override { plane_ = task; }
  void collective(const CollectiveRun& run) override;
  void launch_flow(const LaunchFlow& flow) override;
  void python(const PythonFrame& frame) override;
  void step_end(const StepRange& range) override;
  /// Before the first and after the last task: recording starts and ends, as on the timeline.
  void control_task(std::string_view name, int64_t ns, int64_t task_id);
  void finish() { write_task(); }

 private:
  struct PendingTask {
    DeviceTask task;
    std::string_view type;
  };
  void queue_event(const QueueEvent& event, std::string_view name);
  void write_task();
  void write_plane(const PlaneTask& plane);
  int64_t thread_id(Thread thread) const { return global_tid(pids_.python, pids_.thread(thread)); }
  int64_t connect(const std::vector<int64_t>& connections);
  int64_t call_chain(std::string_view stack);

  SqliteFile& db_;
  const TracePids& pids_;
  const int rank_;
  const std::string_view op_state_;
  DbStrings strings_, torch_strings_;
  std::optional<PendingTask> pending_;  // a kernel's own row follows its task's
  std::optional<PlaneTask> plane_;      // comes before its task
  CollectiveRun last_collective_;       // comes before its planes
  int64_t next_task_ = 0, next_collective_ = 0, next_connection_ = 0, next_chain_ = 0;
  std::map<std::pair<Thread, int64_t>, std::vector<int64_t>> launched_;  // by a call that is still open: its start
  std::map<std::string_view, int64_t> chains_;
};

}  // namespace stepwise::example
