// The sections of trace_view.json (trace_writer.h). Each is a sink that writes its own events to the shared file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "clients/example/facts.h"
#include "clients/example/overlap.h"
#include "clients/example/text_file.h"
#include "clients/example/timeline.h"

namespace stepwise::example {

/// Process and thread ids of one rank as the exporter builds them.
struct TracePids {
  TracePids(const Facts& facts, const Topology& topology, int rank);
  int64_t process(int sort_index) const { return (python << 10) | (sort_index << 5) | device; }
  int64_t thread(Thread which) const;
  int64_t cann() const { return process(7); }
  int64_t hardware() const { return process(13); }
  int64_t hccl() const { return process(15); }
  int64_t overlap() const { return process(23); }
  /// Of a group's own row; plane p follows as + p + 1.
  int64_t group_row(Group group) const { return static_cast<int64_t>(group) * (planes + 1); }

  int64_t python = 0, device = 0;
  int planes = 0;
};

/// The array: separators and the count of events.
struct TraceArray {
  TextFile& file;
  int64_t events = 0;

  TextFile& next() { return events++ == 0 ? file : file.text(", "); }
};

// trace_metadata.cc
std::vector<std::string> python_metadata(const TracePids& pids);
std::vector<std::string> device_metadata(const TracePids& pids);

// trace_host_sections.cc
class HostOpSection : public TimelineSink {
 public:
  HostOpSection(TraceArray& out, const TracePids& pids) : out_(out), pids_(pids) {}
  void host_op(const HostOp& op) override;

 private:
  TraceArray& out_;
  const TracePids& pids_;
};

class QueueSection : public TimelineSink {
 public:
  QueueSection(TraceArray& out, const TracePids& pids, bool entries) : out_(out), pids_(pids), entries_(entries) {}
  void enqueue(const QueueEvent& event) override;
  void dequeue(const QueueEvent& event) override;

 private:
  void flow(const QueueEvent& event, std::string_view phase);
  TraceArray& out_;
  const TracePids& pids_;
  const bool entries_;
};

class BackwardFlowSection : public TimelineSink {
 public:
  BackwardFlowSection(TraceArray& out, const TracePids& pids) : out_(out), pids_(pids) {}
  void backward_flow(int64_t sequence, int64_t forward_ns, int64_t backward_ns) override;

 private:
  TraceArray& out_;
  const TracePids& pids_;
};

class PythonSection : public TimelineSink {
 public:
  PythonSection(TraceArray& out, const TracePids& pids) : out_(out), pids_(pids) {}
  void python(const PythonFrame& frame) override;

 private:
  TraceArray& out_;
  const TracePids& pids_;
};

class LaunchFlowSection : public TimelineSink {
 public:
  LaunchFlowSection(TraceArray& out, const TracePids& pids) : out_(out), pids_(pids) {}
  void launch_flow(const LaunchFlow& flow) override;

 private:
  TraceArray& out_;
  const TracePids& pids_;
};

/// `count` samples spread evenly over [start, end], several counters in turn.
class CounterSource {
 public:
  CounterSource(const TracePids& pids, int64_t start_ns, int64_t end_ns, int64_t count)
      : pids_(pids), start_ns_(start_ns), end_ns_(end_ns), count_(count) {}
  /// Writes those not later than `ns`.
  void write_until(int64_t ns, TraceArray& out);
  void write_rest(TraceArray& out) { write_until(INT64_MAX, out); }

 private:
  void write_one(int64_t ns, TraceArray& out);
  const TracePids& pids_;
  const int64_t start_ns_, end_ns_, count_;
  int64_t next_ = 0;
};

/// What msprof exports: driver calls, device tasks, communication, overlap analysis and counters in order of time.
/// Holds one step.
class DeviceSection : public TimelineSink {
 public:
  DeviceSection(TraceArray& out, const TracePids& pids, CounterSource& counters, int64_t start_ns, int64_t end_ns);
  void cann(const CannCall& call) override;
  void task(const DeviceTask& task) override;
  void kernel(const KernelRun& run) override { overlap_.kernel(run.start_ns, run.end_ns); }
  void plane_task(const PlaneTask& task) override;
  void collective(const CollectiveRun& run) override;
  void step_end(const StepRange& range) override;
  /// After the last step: what is held back, the last counters.
  void finish();

 private:
  struct Span {
    int row;  // in kSpanNames
    int64_t start_ns, end_ns;
  };
  struct FlowStart {
    FlowForm form;
    int64_t connection;
    Thread thread;
  };
  struct CollectiveSlice {
    const CollectiveSpec* spec;
    const Communicator* communicator;
    int index;
    int64_t start_ns, end_ns, connection;
  };
  using Record = std::variant<CannCall, FlowStart, DeviceTask, PlaneTask, CollectiveSlice, Span>;
  struct Key {
    int64_t ns;
    uint32_t index;
  };
  void hold(int64_t ns, Record record);
  void write_before(int64_t ns);
  void control_task(std::string_view name, int64_t ns, int64_t task_id);
  void write(int64_t ns, const Record& record);
  void write_slice(const CannCall& call);
  void write_slice(const DeviceTask& task);
  void write_slice(const PlaneTask& task);
  void write_slice(const CollectiveSlice& run);
  void write_slice(const Span& span);
  void flow_end(FlowForm form, int64_t connection, int64_t ns, int64_t pid, int64_t tid);

  TraceArray& out_;
  const TracePids& pids_;
  CounterSource& counters_;
  const int64_t end_ns_;
  OverlapAnalysis overlap_;
  std::vector<Record> records_;
  std::vector<Key> keys_;
};

}  // namespace stepwise::example
