// What a simulated rank does, told event by event to a sink: the one vocabulary between the simulation and everything
// that writes or counts. Times are int64 Unix ns, host times on a 10 ns grid. Views are valid during the call, and
// those that point into the model or into literals (names, shapes) for the whole run.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "clients/example/groups.h"
#include "clients/example/operators.h"

namespace stepwise::example {

/// Host threads. Each of the last three empties the task queue of one lane.
enum class Thread : uint8_t { main, backward, prefetch, update, queue_dense, queue_fetch, queue_update };
inline constexpr int kThreads = 7;

/// A task queue with the device stream that it feeds; threads main and backward share the first.
enum class Lane : uint8_t { dense, fetch, update };
inline constexpr int kLanes = 3;
inline constexpr std::array<int, kLanes> kLaneStreams{2, 3, 5};

/// A name; number >= 0 is appended after a '#'.
struct Label {
  std::string_view name;
  int64_t number = -1;
};

/// cat cpu_op. Told at its end, so inner calls come first.
struct HostOp {
  Thread thread{};
  Label label;
  std::string_view dims, types;  // both empty: not recorded
  std::string_view stack;        // innermost frame first, by ';'; empty on threads without Python
  int64_t start_ns = 0, end_ns = 0;
  int64_t sequence = -1;     // autograd; -1: none
  bool of_backward = false;  // has a forward thread
  bool has_children = false;
  int64_t self_ns = 0;                              // without inner calls
  int64_t device_self_ns = 0, device_total_ns = 0;  // device work launched by it (and by inner calls)
  int64_t core_self_ns = 0, core_total_ns = 0;      // the part that ran on AI cores
  int stage = -1;                                   // a stage's own range (program.h)
  bool is_step = false;
};

/// Entry (thread main, backward...) or exit (a queue thread) of the framework's task queue.
struct QueueEvent {
  Thread thread{};
  std::string_view name;
  int64_t start_ns = 0, end_ns = 0, correlation = 0;
};

/// Which text the flow id from a CANN call to the device has: see FlowForm's uses in trace_device_writer.cc.
enum class FlowForm : uint8_t { none, plain, communication, node };

struct CannLayer {
  std::string_view name, level, mode;
};
inline constexpr CannLayer kAclOperator{"AscendCL", "acl", "ACL_NN"};
inline constexpr CannLayer kAclRuntime{"AscendCL", "acl", "ACL_RTS"};
inline constexpr CannLayer kAclHccl{"AscendCL", "acl", "HOST_HCCL"};
inline constexpr CannLayer kNodeLaunch{"Node", "node", "launch"};
inline constexpr CannLayer kHcclMaster{"Hccl", "hccl", "master"};

struct CannCall {
  Thread thread{};
  FlowForm flow = FlowForm::none;
  const CannLayer* layer = nullptr;
  std::string_view api, suffix;  // aclnnAddmm, and GetWorkspaceSize or nothing
  std::string_view item;         // node launches: the kernel; else "0"
  int64_t start_ns = 0, end_ns = 0, connection = 0;
  int64_t flow_ns = 0;  // inside the call
};

/// A slice on the Ascend Hardware process.
struct DeviceTask {
  std::string_view name, task_type;
  int stream = 0;
  int64_t start_ns = 0, end_ns = 0;
  int fraction = 0;  // of a ns, in 1/32, below 16: rounds away
  int64_t task_id = 0, subtask_id = 4294967295, connection = 0;
  FlowForm flow = FlowForm::none;
};

/// A computation: also told as a DeviceTask.
struct KernelRun {
  const KernelSpec* spec = nullptr;
  int step = 0;  // index of the step
  int stream = 0;
  int64_t start_ns = 0, end_ns = 0, task_id = 0;
};

struct PlaneTask {
  Group group{};
  int plane = 0;           // 0: local copies; p: the p-th other rank
  int self = 0, peer = 0;  // as the communicator numbers its ranks
  std::string_view name;
  std::string_view data_type;
  int64_t start_ns = 0, end_ns = 0, bytes = 0;
  int fraction = 0;
  int64_t task_id = 0, context_id = 0, notify_id = 0;
};

/// A collective, or one end of a transfer between two ranks. elapse = transit + wait + idle, to the ns.
struct CollectiveRun {
  const CollectiveSpec* spec = nullptr;
  const Communicator* communicator = nullptr;
  int step = 0, index = 0;  // index: of the communicator, counted over the run
  int64_t start_ns = 0, end_ns = 0;
  int64_t transit_ns = 0, wait_ns = 0, idle_ns = 0;
  int64_t local_copy_ns = 0;
  int planes = 0;
  std::array<int64_t, 8> plane_transit_ns{};  // [0, planes): time of the data task to each peer
  int64_t connection = 0;
};

/// torch_to_npu: from the launching framework call to the device.
struct LaunchFlow {
  Thread thread{};
  int64_t host_ns = 0, device_ns = 0;
  bool to_communication = false;
  int track = 0;  // stream, or group
  int64_t connection = 0;
};

struct PythonFrame {
  Label label;
  int64_t start_ns = 0, end_ns = 0, id = 0, parent = 0, module = -1;
};

struct StepRange {
  int index = 0;
  int64_t number = 0, start_ns = 0, end_ns = 0;
};

class TimelineSink {
 public:
  virtual ~TimelineSink() = default;
  virtual void host_op(const HostOp&) {}
  virtual void enqueue(const QueueEvent&) {}
  virtual void dequeue(const QueueEvent&) {}
  virtual void cann(const CannCall&) {}
  virtual void task(const DeviceTask&) {}
  virtual void kernel(const KernelRun&) {}
  virtual void plane_task(const PlaneTask&) {}
  virtual void collective(const CollectiveRun&) {}
  virtual void launch_flow(const LaunchFlow&) {}
  virtual void backward_flow(int64_t /*sequence*/, int64_t /*forward_ns*/, int64_t /*backward_ns*/) {}
  virtual void python(const PythonFrame&) {}
  /// Everything of the step was told; nothing of later steps starts before its end.
  virtual void step_end(const StepRange&) {}
};

}  // namespace stepwise::example
