// Executes step programs as one rank: clocks of host threads, task queues, device streams; tells a TimelineSink.
//
// A collective starts moving data when its last rank has arrived, so the simulation stops at each:
//   for each step: start_step(); while (auto meeting = advance()) release(latest arrival of its ranks);
// Durations come from a stream of chance for (seed, rank, step): simulating a rank again, with any sink, gives the
// same. One thread. Model, facts and programs outlive it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "clients/example/model.h"
#include "clients/example/program.h"
#include "clients/example/random.h"
#include "clients/example/timeline.h"

namespace stepwise::example {

/// Where a rank stands and waits for others.
struct Meeting {
  int communicator = 0;  // its id
  int64_t arrival_ns = 0;
};

class RankSimulator {
 public:
  RankSimulator(const Facts& facts, const Model& model, int rank, TimelineSink& sink);

  void start_step(int step, const std::vector<Instruction>& program);
  /// Runs to the next collective and says when this rank arrives there; nothing: the step is over.
  std::optional<Meeting> advance();
  /// The collective that advance() stopped at: its last rank has arrived at `released_ns`.
  void release(int64_t released_ns);

  int64_t now() const { return clock(Thread::main); }
  /// Closes the Python frames that enclose the steps.
  void finish();

 private:
  struct OpenCall {
    HostOp op;
    int64_t inner_ns = 0;
  };
  struct OpenFrame {
    PythonFrame frame;
  };
  struct PendingCollective {
    const Instruction* instruction = nullptr;
    int64_t arrival_ns = 0, connection = 0;
  };

  int64_t& clock(Thread thread) { return clocks_[static_cast<size_t>(thread)]; }
  int64_t clock(Thread thread) const { return clocks_[static_cast<size_t>(thread)]; }
  void spend(Thread thread, int64_t around_ns) { clock(thread) += random_.around(around_ns) / 10 * 10; }

  // simulator_host.cc
  void execute(const Instruction& instruction);
  void open_call(Thread thread, Label label, std::string_view dims, std::string_view types);
  void close_call(Thread thread);
  void run_operation(const Instruction& instruction);
  void begin_collective(const Instruction& instruction);
  void join(Thread thread);
  void open_frame(const Label& label, int64_t module);
  void close_frame();
  int64_t cann_call(Thread thread, const CannLayer& layer, std::string_view api, int64_t start_ns, int64_t dur_ns);
  void wait_device();
  void end_step();

  // simulator_device.cc
  struct QueueSlot {
    int64_t start_ns;  // when the queue's thread takes the entry
    int64_t correlation;
  };
  QueueSlot enqueue(Thread thread, std::string_view name);
  void finish_dequeue(Lane lane, std::string_view name, const QueueSlot& slot, int64_t end_ns);
  void launch(Thread thread, const Launch& work);
  int64_t launch_kernel(Lane lane, const KernelSpec& spec, int64_t call_ns, const LaunchFlow& from);
  void launch_copy(Lane lane, const Launch& work, int64_t call_ns, const LaunchFlow& from);
  bool communicator_has_slow_link(const Communicator& communicator) const;
  void event_task(int stream, std::string_view name, std::string_view type, int64_t start_ns, int64_t end_ns,
                  int64_t connection);
  void wait_group(Thread thread, Group group);
  void plane_tasks(const CollectiveRun& run, int64_t transit_start_ns);
  void credit(Thread thread, int64_t device_ns, bool on_core);
  int device_fraction();

  const Facts& facts_;
  const Model& model_;
  const int rank_;
  TimelineSink& sink_;
  Random random_;

  int step_ = 0;
  const std::vector<Instruction>* program_ = nullptr;
  size_t next_ = 0;
  PendingCollective pending_;

  std::array<int64_t, kThreads> clocks_{};
  std::array<int64_t, kLanes> stream_free_{};
  std::array<int64_t, kGroups> group_free_{};
  std::array<int64_t, 16> task_ids_{};  // by stream
  std::array<std::vector<OpenCall>, kThreads> calls_;
  std::vector<OpenFrame> frames_;
  std::vector<int64_t> forward_starts_;  // by autograd sequence number of the step
  int64_t first_sequence_ = 0;
  std::array<int, kGroups> collective_index_{};
  int64_t step_start_ns_ = 0;
  int64_t correlation_ = 8'000, connection_ = 900, python_id_ = 0;
};

/// Launch arrows are named by the device instant where they end, so no two streams may start work in the same ns:
/// each has its own remainder. The first such instant not before `ns`.
inline int64_t device_start(int64_t ns, int remainder) {
  constexpr int64_t kStreams = 8;
  static_assert(kLanes + kGroups <= kStreams);
  return ns + (remainder + kStreams - ns % kStreams) % kStreams;
}

inline Lane lane_of(Thread thread) {
  if (thread == Thread::prefetch) return Lane::fetch;
  return thread == Thread::update ? Lane::update : Lane::dense;
}
inline Thread queue_of(Lane lane) {
  return static_cast<Thread>(static_cast<int>(Thread::queue_dense) + static_cast<int>(lane));
}

}  // namespace stepwise::example
