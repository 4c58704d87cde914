#include <algorithm>

#include "clients/example/simulator.h"

namespace stepwise::example {
namespace {

using Kind = Instruction::Kind;

constexpr int64_t kThreadStartNs = 12'000;
constexpr int64_t kJoinNs = 15'000;

size_t slot(Thread thread) { return static_cast<size_t>(thread); }

}  // namespace

RankSimulator::RankSimulator(const Facts& facts, const Model& model, int rank, TimelineSink& sink)
    : facts_(facts), model_(model), rank_(rank), sink_(sink), random_(0) {
  // Ranks start within a few hundred microseconds of each other.
  const int64_t start = facts.origin_ns + stream(facts.seed, 0x57A7, static_cast<uint64_t>(rank)).below(30'000) * 10;
  clocks_.fill(start);
  stream_free_.fill(start);
  group_free_.fill(start);
  open_frame({model.script().frames[0]}, -1);
  clock(Thread::main) += 1'200;
  open_frame({model.script().frames[1]}, -1);
  clock(Thread::main) += 40'000;
}

void RankSimulator::start_step(int step, const std::vector<Instruction>& program) {
  step_ = step;
  program_ = &program;
  next_ = 0;
  random_ = stream(facts_.seed, 0x1000 + static_cast<uint64_t>(rank_), static_cast<uint64_t>(step));
  first_sequence_ = -1;
  forward_starts_.clear();
  open_call(Thread::main, {"ProfilerStep", facts_.first_step + step}, "", "");
  HostOp& op = calls_[slot(Thread::main)].back().op;
  op.is_step = true;
  step_start_ns_ = op.start_ns;
  spend(Thread::main, 20'000);
}

std::optional<Meeting> RankSimulator::advance() {
  while (next_ < program_->size()) {
    const Instruction& instruction = (*program_)[next_++];
    if (instruction.kind == Kind::collective) {
      begin_collective(instruction);
      return Meeting{model_.topology().of(rank_, instruction.group).id, pending_.arrival_ns};
    }
    execute(instruction);
  }
  end_step();
  return std::nullopt;
}

void RankSimulator::execute(const Instruction& instruction) {
  const Thread thread = instruction.thread;
  switch (instruction.kind) {
    case Kind::open_range:
      open_call(thread, instruction.label, "", "");
      if (instruction.value >= 0) {
        HostOp& op = calls_[slot(thread)].back().op;
        op.stage = static_cast<int>(instruction.value);
        op.stack = model_.script().stacks[static_cast<size_t>(instruction.value)];
      }
      spend(thread, 9'000);
      break;
    case Kind::close_range:
      spend(thread, 6'000);
      close_call(thread);
      break;
    case Kind::open_frame:
      open_frame(instruction.label, instruction.value);
      break;
    case Kind::close_frame:
      close_frame();
      break;
    case Kind::operation:
      run_operation(instruction);
      break;
    case Kind::load_batch:
      spend(thread, 180'000);
      if (rank_ == facts_.late_rank) clock(thread) += facts_.late_ns;
      if (step_ == facts_.stall_step) clock(thread) += facts_.stall_ns;
      break;
    case Kind::fork:
      spend(Thread::main, 5'000);
      clock(thread) = std::max(clock(thread), clock(Thread::main) + kThreadStartNs);
      break;
    case Kind::join:
      join(thread);
      break;
    case Kind::wait_group:
      wait_group(thread, instruction.group);
      break;
    case Kind::await_result:
      open_call(Thread::main, instruction.label, "", "");
      spend(Thread::main, 8'000);
      instruction.value == 0 ? join(Thread::prefetch) : spend(Thread::main, instruction.value);
      close_call(Thread::main);
      break;
    case Kind::wait_device:
      wait_device();
      break;
    case Kind::collective:
      break;  // advance() stops there
  }
}

void RankSimulator::open_call(Thread thread, Label label, std::string_view dims, std::string_view types) {
  std::vector<OpenCall>& calls = calls_[slot(thread)];
  OpenCall& call = calls.emplace_back();
  call.op.thread = thread;
  call.op.label = label;
  call.op.dims = dims;
  call.op.types = types;
  call.op.start_ns = clock(thread);
  if (calls.size() > 1) {
    OpenCall& outer = calls[calls.size() - 2];
    outer.op.has_children = true;
    if (thread == Thread::main || thread == Thread::prefetch || thread == Thread::update)
      call.op.stack = outer.op.stack;
  }
  if (call.op.stack.empty() && thread == Thread::main) {
    call.op.stack = model_.script().stack;
  }
}

void RankSimulator::close_call(Thread thread) {
  std::vector<OpenCall>& calls = calls_[slot(thread)];
  OpenCall& call = calls.back();
  HostOp& op = call.op;
  op.end_ns = clock(thread);
  op.self_ns = op.end_ns - op.start_ns - call.inner_ns;
  op.device_total_ns += op.device_self_ns;
  op.core_total_ns += op.core_self_ns;
  sink_.host_op(op);
  if (calls.size() > 1) {
    OpenCall& outer = calls[calls.size() - 2];
    outer.inner_ns += op.end_ns - op.start_ns;
    outer.op.device_total_ns += op.device_total_ns;
    outer.op.core_total_ns += op.core_total_ns;
  }
  calls.pop_back();
}

void RankSimulator::run_operation(const Instruction& instruction) {
  const OpSpec& spec = *instruction.op;
  const Thread thread = instruction.thread;
  const size_t outside = calls_[slot(thread)].size();
  auto close_down_to = [&](size_t depth) {
    while (calls_[slot(thread)].size() > depth) {
      spend(thread, facts_.host_node_ns / 10);
      close_call(thread);
    }
  };
  for (size_t i = 0; i < spec.nodes.size(); ++i) {
    const CallNode& node = spec.nodes[i];
    close_down_to(outside + static_cast<size_t>(node.depth));
    open_call(thread, {node.name}, node.dims, node.types);
    if (i == 0) calls_[slot(thread)].back().op.stage = spec.stage;
    if (static_cast<int>(i) == spec.autograd_node && instruction.value >= 0) {
      HostOp& op = calls_[slot(thread)].back().op;
      op.sequence = instruction.value;
      if (thread == Thread::backward) {
        op.of_backward = true;
        const int64_t forward = forward_starts_[static_cast<size_t>(instruction.value - first_sequence_)];
        sink_.backward_flow(instruction.value, forward, op.start_ns);
      } else {
        if (first_sequence_ < 0) first_sequence_ = instruction.value;
        forward_starts_.push_back(op.start_ns);
      }
    }
    spend(thread, facts_.host_node_ns);
    if (node.launch >= 0) launch(thread, spec.launches[static_cast<size_t>(node.launch)]);
  }
  if (spec.waits_for_stream) {
    const int64_t start = clock(thread) + 400;
    const int64_t end = std::max(start + 6'000, (stream_free_[static_cast<size_t>(lane_of(thread))] + 2'009) / 10 * 10);
    cann_call(thread, kAclRuntime, "aclrtSynchronizeStreamWithTimeout", start, end - start);
    clock(thread) = end + 800;
  }
  close_down_to(outside);
  spend(thread, facts_.host_node_ns / 6);
}

void RankSimulator::begin_collective(const Instruction& instruction) {
  const Thread thread = instruction.thread;
  const CollectiveSpec& spec = *instruction.collective_spec;
  const auto group = static_cast<size_t>(instruction.group);
  const Lane lane = lane_of(thread);
  open_call(thread, {spec.outer}, spec.dims, spec.types);
  spend(thread, facts_.host_node_ns);
  open_call(thread, {spec.inner}, "", "");
  spend(thread, facts_.host_node_ns / 2);
  const int64_t torch_ns = clock(thread);
  const QueueSlot entry = enqueue(thread, spec.inner);

  // The queue's thread orders the group's stream after the producers, then launches.
  const Thread queue = queue_of(lane);
  const int64_t producers = stream_free_[static_cast<size_t>(lane)];
  int64_t at = entry.start_ns + 1'500;
  const int64_t record = cann_call(queue, kAclRuntime, "aclrtRecordEvent", at, random_.around(6'000) / 10 * 10);
  const int64_t recorded = std::max(at + 9'000, producers + 700);
  event_task(kLaneStreams[static_cast<size_t>(lane)], "EVENT_RECORD", "EVENT_RECORD_SQE", recorded, recorded + 20,
             record);
  stream_free_[static_cast<size_t>(lane)] = recorded + 20;
  at += 9'000;
  const int64_t wait = cann_call(queue, kAclRuntime, "aclrtStreamWaitEvent", at, random_.around(5'000) / 10 * 10);
  const int64_t waiting = std::max(at + 9'500, group_free_[group] + 500);
  const int64_t ready = std::max(waiting, recorded + 400);
  event_task(kGroupStreams[group], "EVENT_WAIT", "EVENT_WAIT_SQE", waiting, ready, wait);
  at += 8'000;
  const int64_t call_ns = random_.around(180'000) / 10 * 10;
  cann_call(queue, kAclHccl, spec.type, at, call_ns);

  CannCall node{
      queue,         FlowForm::communication, &kNodeLaunch, "launch", "", spec.type, at + 3'000, at + call_ns - 2'000,
      ++connection_, at + call_ns / 20 * 10};
  sink_.cann(node);
  CannCall master{queue, FlowForm::none,         &kHcclMaster,         "Launch_Ffts", "",
                  "0",   at + call_ns / 20 * 10, at + call_ns - 9'000, ++connection_, 0};
  sink_.cann(master);
  finish_dequeue(lane, spec.inner, entry, at + call_ns + 2'000);

  const int64_t arrival = std::max(node.flow_ns + 11'000, ready + 1'200) + random_.below(20);
  pending_ = {&instruction, device_start(arrival, kLanes + static_cast<int>(group)), node.connection};
  sink_.launch_flow({thread, calls_[slot(thread)].back().op.start_ns, pending_.arrival_ns, true,
                     static_cast<int>(group), pending_.connection});
  clock(thread) = std::max(clock(thread), torch_ns) + 3'000;
}

void RankSimulator::join(Thread thread) {
  clock(Thread::main) = std::max(clock(Thread::main) + 2'000, clock(thread) + kJoinNs);
}

void RankSimulator::open_frame(const Label& label, int64_t module) {
  PythonFrame frame{label, clock(Thread::main), 0, python_id_++, frames_.empty() ? 0 : frames_.back().frame.id, module};
  frames_.push_back({frame});
  clock(Thread::main) += 700;
}

void RankSimulator::close_frame() {
  PythonFrame& frame = frames_.back().frame;
  clock(Thread::main) += 400;
  frame.end_ns = clock(Thread::main);
  sink_.python(frame);
  frames_.pop_back();
}

int64_t RankSimulator::cann_call(Thread thread, const CannLayer& layer, std::string_view api, int64_t start_ns,
                                 int64_t dur_ns) {
  CannCall call{thread, FlowForm::none, &layer, api, "", "0", start_ns, start_ns + dur_ns, ++connection_, 0};
  sink_.cann(call);
  return call.connection;
}

void RankSimulator::wait_device() {
  int64_t done = clock(Thread::main) + 9'000;
  for (int64_t free : stream_free_) done = std::max(done, free);
  for (int64_t free : group_free_) done = std::max(done, free);
  for (int64_t thread_clock : clocks_) done = std::max(done, thread_clock);
  const int64_t start = clock(Thread::main) + 300;
  const int64_t end = (done + 3'009) / 10 * 10;
  cann_call(Thread::main, kAclRuntime, "aclrtSynchronizeDevice", start, end - start);
  clock(Thread::main) = end + 1'000;
}

void RankSimulator::end_step() {
  spend(Thread::main, 12'000);
  close_call(Thread::main);
  const StepRange range{step_, facts_.first_step + step_, step_start_ns_, clock(Thread::main)};
  sink_.step_end(range);
  spend(Thread::main, 120'000);
  // Threads that had nothing to do are not behind.
  for (int64_t& thread_clock : clocks_) thread_clock = std::max(thread_clock, clock(Thread::main) - 60'000);
}

void RankSimulator::finish() {
  while (!frames_.empty()) close_frame();
}

}  // namespace stepwise::example
