#include <algorithm>

#include "clients/example/simulator.h"

namespace stepwise::example {
namespace {

constexpr int64_t kKernelGapNs = 1'000;       // between two kernels of a stream at best
constexpr int64_t kCollectivePreNs = 12'000;  // from a collective's start to its first wait
constexpr int64_t kCollectivePostNs = 6'000;  // from its last transfer to its end
constexpr int64_t kNotifyNs = 20;             // a wait that finds its notification
constexpr int kMaxPeers = 7;

}  // namespace

RankSimulator::QueueSlot RankSimulator::enqueue(Thread thread, std::string_view name) {
  const int64_t start = clock(thread);
  spend(thread, 7'000);
  sink_.enqueue({thread, name, start, clock(thread), ++correlation_});
  const int64_t free = clock(queue_of(lane_of(thread)));
  return {std::max(clock(thread) + random_.between(300, 1'200) * 10, free + 900) / 10 * 10, correlation_};
}

void RankSimulator::finish_dequeue(Lane lane, std::string_view name, const QueueSlot& slot, int64_t end_ns) {
  const Thread queue = queue_of(lane);
  sink_.dequeue({queue, name, slot.start_ns, end_ns, slot.correlation});
  clock(queue) = end_ns;
}

void RankSimulator::launch(Thread thread, const Launch& work) {
  const Lane lane = lane_of(thread);
  if (work.workspace) {
    const int64_t dur = random_.around(24'000) / 10 * 10;
    sink_.cann({thread, FlowForm::none, &kAclOperator, work.call, "GetWorkspaceSize", "0", clock(thread) + 500,
                clock(thread) + 500 + dur, ++connection_, 0});
    clock(thread) += dur + 1'500;
  }
  const std::vector<OpenCall>& calls = calls_[static_cast<size_t>(thread)];
  LaunchFlow from{thread, calls.back().op.start_ns, 0, false, kLaneStreams[static_cast<size_t>(lane)], 0};
  const QueueSlot entry = enqueue(thread, work.call);
  int64_t at = entry.start_ns + 2'500;
  if (work.copy != Copy::none) {
    launch_copy(lane, work, at, from);
    at += 24'000;
  } else {
    const int64_t spacing_ns = random_.between(800, 1'100) * 10;
    const int64_t call_ns = 6'000 + static_cast<int64_t>(work.kernels.size()) * spacing_ns;
    cann_call(queue_of(lane), kAclOperator, work.call, at, call_ns);
    at += 3'000;
    for (const KernelSpec& spec : work.kernels) {
      credit(thread, launch_kernel(lane, spec, at, from), spec.core != Core::ai_cpu);
      at += spacing_ns;
    }
    at += 3'000;
  }
  finish_dequeue(lane, work.call, entry, at + 2'000);
}

int64_t RankSimulator::launch_kernel(Lane lane, const KernelSpec& spec, int64_t call_ns, const LaunchFlow& from) {
  const auto slot = static_cast<size_t>(lane);
  const int64_t dur = random_.between(400, 750) * 10;
  CannCall node{queue_of(lane), FlowForm::node, &kNodeLaunch,  "launch",      "",
                spec.name,      call_ns,        call_ns + dur, ++connection_, call_ns + dur * 6 / 100 * 10};
  sink_.cann(node);

  KernelRun run{&spec, step_, from.track, 0, 0, ++task_ids_[static_cast<size_t>(from.track)]};
  run.start_ns =
      device_start(std::max(node.flow_ns + random_.between(6'000, 14'000), stream_free_[slot] + kKernelGapNs),
                   static_cast<int>(lane));
  run.end_ns = run.start_ns + random_.around(spec.base_ns);
  stream_free_[slot] = run.end_ns;
  DeviceTask task{spec.name,       trace_task(spec.core),
                  from.track,      run.start_ns,
                  run.end_ns,      device_fraction(),
                  run.task_id,     spec.core == Core::mix_aiv || spec.core == Core::mix_aic ? 0 : 4294967295,
                  node.connection, FlowForm::node};
  sink_.task(task);
  sink_.kernel(run);
  LaunchFlow flow = from;
  flow.device_ns = run.start_ns;
  flow.connection = node.connection;
  sink_.launch_flow(flow);
  return run.end_ns - run.start_ns;
}

void RankSimulator::launch_copy(Lane lane, const Launch& work, int64_t call_ns, const LaunchFlow& from) {
  const auto slot = static_cast<size_t>(lane);
  CannCall call{queue_of(lane),   FlowForm::plain, &kAclRuntime, "aclrtMemcpyAsync", "", "0", call_ns,
                call_ns + 18'000, ++connection_,   call_ns};
  sink_.cann(call);
  DeviceTask task{"MEMCPY_ASYNC",
                  "PCIE_DMA_SQE",
                  from.track,
                  0,
                  0,
                  device_fraction(),
                  ++task_ids_[static_cast<size_t>(from.track)],
                  4294967295,
                  call.connection,
                  FlowForm::plain};
  task.start_ns = device_start(std::max(call_ns + random_.between(14'000, 26'000), stream_free_[slot] + kKernelGapNs),
                               static_cast<int>(lane));
  task.end_ns = task.start_ns + random_.around(work.copy_ns);
  stream_free_[slot] = task.end_ns;
  sink_.task(task);
  LaunchFlow flow = from;
  flow.device_ns = task.start_ns;
  flow.connection = call.connection;
  sink_.launch_flow(flow);
}

void RankSimulator::event_task(int stream, std::string_view name, std::string_view type, int64_t start_ns,
                               int64_t end_ns, int64_t connection) {
  sink_.task({name, type, stream, start_ns, end_ns, 0, ++task_ids_[static_cast<size_t>(stream)], 4294967295, connection,
              FlowForm::none});
}

void RankSimulator::wait_group(Thread thread, Group group) {
  const Lane lane = lane_of(thread);
  const auto slot = static_cast<size_t>(lane);
  open_call(thread, {"wait_event"}, "", "");
  spend(thread, facts_.host_node_ns / 2);
  const QueueSlot entry = enqueue(thread, "wait_event");
  const int64_t at = entry.start_ns + 1'500;
  const int64_t wait =
      cann_call(queue_of(lane), kAclRuntime, "aclrtStreamWaitEvent", at, random_.around(5'000) / 10 * 10);
  finish_dequeue(lane, "wait_event", entry, at + 9'000);
  const int64_t start = std::max(at + 9'500, stream_free_[slot] + 300);
  const int64_t end = std::max(start + kNotifyNs, group_free_[static_cast<size_t>(group)] + 200);
  event_task(kLaneStreams[slot], "EVENT_WAIT", "EVENT_WAIT_SQE", start, end, wait);
  stream_free_[slot] = end;
  spend(thread, 2'000);
  close_call(thread);
}

bool RankSimulator::communicator_has_slow_link(const Communicator& communicator) const {
  const auto& ranks = communicator.ranks;
  const auto at = [&ranks](int rank) { return std::find(ranks.begin(), ranks.end(), rank); };
  if (facts_.slow_src < 0 || at(facts_.slow_src) == ranks.end() || at(facts_.slow_dst) == ranks.end()) return false;
  // A rank has transfers to the next few only.
  const int size = communicator.size();
  const int plane = (communicator.position(facts_.slow_dst) - communicator.position(facts_.slow_src) + size) % size;
  return plane <= kMaxPeers;
}

void RankSimulator::release(int64_t released_ns) {
  const Instruction& instruction = *pending_.instruction;
  const auto group = static_cast<size_t>(instruction.group);
  const CollectiveSpec& spec = *instruction.collective_spec;
  CollectiveRun run;
  run.spec = &spec;
  run.communicator = &model_.topology().of(rank_, instruction.group);
  run.step = step_;
  run.index = collective_index_[group]++;
  run.connection = pending_.connection;
  run.start_ns = pending_.arrival_ns;
  // The same for every rank of it: drawn from what they share.
  Random shared =
      stream(facts_.seed, 0xC011 + static_cast<uint64_t>(run.communicator->id), static_cast<uint64_t>(run.index));
  const int64_t per_link_ns = 25'000 + spec.bytes_per_link / 18;  // about 18 GB/s a link
  const int64_t fast_ns = shared.around(per_link_ns);
  // It is over for everybody when its slowest link is.
  const bool is_slow = communicator_has_slow_link(*run.communicator);
  run.transit_ns = is_slow ? fast_ns * 100 / facts_.slow_percent : fast_ns;
  run.wait_ns = released_ns - run.start_ns + kNotifyNs;
  run.local_copy_ns = 3'000 + spec.bytes_per_link / 600;
  run.idle_ns = kCollectivePreNs + kCollectivePostNs;
  const int64_t transit_start = run.start_ns + kCollectivePreNs + run.wait_ns;
  run.end_ns = transit_start + run.transit_ns + kCollectivePostNs;
  run.planes = std::min(run.communicator->size() - 1, kMaxPeers) + 1;
  const int self = run.communicator->position(rank_);
  for (int plane = 1; plane < run.planes; ++plane) {
    const int64_t later = (plane - 1) * 260;
    const int64_t jitter = plane == 1 ? 0 : random_.below(fast_ns / 64 + 1);
    const int peer = run.communicator->ranks[static_cast<size_t>((self + plane) % run.communicator->size())];
    const bool slow = is_slow && rank_ == facts_.slow_src && peer == facts_.slow_dst;
    run.plane_transit_ns[static_cast<size_t>(plane)] = slow ? run.transit_ns - later : fast_ns - later - jitter;
  }
  run.plane_transit_ns[0] = run.local_copy_ns;
  group_free_[group] = run.end_ns;

  sink_.collective(run);
  plane_tasks(run, transit_start);
  credit(instruction.thread, run.end_ns - run.start_ns, false);
  spend(instruction.thread, 3'000);
  close_call(instruction.thread);
  spend(instruction.thread, 4'000);
  close_call(instruction.thread);
  pending_ = {};
}

void RankSimulator::plane_tasks(const CollectiveRun& run, int64_t transit_start_ns) {
  const CollectiveSpec& spec = *run.spec;
  const int self = run.communicator->position(rank_);
  const int hccl_stream = kGroupStreams[static_cast<size_t>(run.communicator->group)];
  const int64_t task_id = ++task_ids_[static_cast<size_t>(hccl_stream)];
  int64_t context = 0;
  auto tell = [&](int plane, int peer, std::string_view name, std::string_view hardware, int64_t start_ns,
                  int64_t dur_ns, int64_t bytes, std::string_view data_type) {
    const int fraction = device_fraction();
    PlaneTask task{run.communicator->group,
                   plane,
                   self,
                   peer,
                   name,
                   data_type,
                   start_ns,
                   start_ns + dur_ns,
                   bytes,
                   fraction,
                   task_id,
                   context,
                   bytes > 0 ? 0 : (int64_t{plane} << 32) + 60 + 8 * plane};
    sink_.plane_task(task);
    sink_.task({hardware, hardware, hccl_stream, task.start_ns, task.end_ns, fraction, task_id, context, run.connection,
                FlowForm::none});
    ++context;
  };
  const int64_t size = spec.bytes_per_link;
  tell(0, self, "Memcpy", "SDMA", run.start_ns + 1'800, run.local_copy_ns, size, "INVALID_TYPE");
  for (int plane = 1; plane < run.planes; ++plane) {
    const int peer = (self + plane) % run.communicator->size();
    const int64_t later = (plane - 1) * 260;
    tell(plane, peer, "Notify_Record", "Write Value", run.start_ns + 6'000 + later, 700, 0, "INVALID_TYPE");
    const int64_t wait_start = run.start_ns + kCollectivePreNs;
    tell(plane, peer, "Notify_Wait", "Notify Wait", wait_start,
         plane == 1 ? run.wait_ns : std::min(run.wait_ns, kNotifyNs), 0, "INVALID_TYPE");
    tell(plane, peer, spec.task, "SDMA", transit_start_ns + later, run.plane_transit_ns[static_cast<size_t>(plane)],
         size, spec.task == "Memcpy" ? "INVALID_TYPE" : std::string_view(spec.data_type));
  }
}

void RankSimulator::credit(Thread thread, int64_t device_ns, bool on_core) {
  HostOp& op = calls_[static_cast<size_t>(thread)].back().op;
  op.device_self_ns += device_ns;
  if (on_core) op.core_self_ns += device_ns;
}

int RankSimulator::device_fraction() {
  // The device clock ticks 50 million times a second by its own reckoning: a correction leaves 1/32 ns now and then.
  constexpr int kFractions[] = {0, 0, 1, 1, 2, 3, 10, 12};
  return kFractions[random_.below(8)];
}

}  // namespace stepwise::example
