#include "clients/example/tally.h"

#include <algorithm>
#include <utility>

namespace stepwise::example {

void DurationSum::add(int64_t ns) {
  min_ns = count == 0 ? ns : std::min(min_ns, ns);
  max_ns = std::max(max_ns, ns);
  ++count;
  total_ns += ns;
  squares += static_cast<Wide>(ns) * static_cast<Wide>(ns);
}

int64_t DurationSum::variance_milli_us2() const {
  // (n * sum of squares - square of the sum) / n^2, all integers: the same digits on every machine.
  const Wide n = static_cast<Wide>(count), sum = static_cast<Wide>(total_ns);
  const Wide scaled = n * n * 1'000;  // ns^2 to 1/1000 us^2
  return static_cast<int64_t>((n * squares - sum * sum + scaled / 2) / scaled);
}

void Tally::host_op(const HostOp& op) {
  ++counts.cpu_op;
  if (op.stage >= 0) {
    const auto stage = static_cast<size_t>(op.stage);
    if (op.thread == Thread::main) open_stages_.main_ns[stage] += op.end_ns - op.start_ns;
    open_stages_.ranges[stage].push_back({op.start_ns, op.end_ns});
  }
  if (op.label.name.ends_with(".result")) open_stages_.result_wait_ns += op.end_ns - op.start_ns;
}

void Tally::cann(const CannCall& call) {
  ++counts.cann;
  if (call.flow != FlowForm::none) ++counts.flows;
  by_api[{std::string(call.api) + std::string(call.suffix), call.layer->level}].add(call.end_ns - call.start_ns);
}

void Tally::task(const DeviceTask& task) {
  ++counts.hardware;
  if (task.flow != FlowForm::none) ++counts.flows;
}

void Tally::kernel(const KernelRun& run) {
  ++kernels;
  const int64_t ns = run.end_ns - run.start_ns;
  by_type[{run.spec->type, run.spec->core}].add(ns);
  by_name[{run.spec->name, run.spec->type}].add(ns);
  overlap.kernel(run.start_ns, run.end_ns);
}

void Tally::collective(const CollectiveRun& run) {
  ++counts.collectives;
  ++counts.flows;
  collectives.push_back(run);
  overlap.collective(run.start_ns, run.end_ns, run.spec->receives);
}

void Tally::python(const PythonFrame& frame) {
  ++counts.python_function;
  if (frame.id != 0) return;
  first_ns = frame.start_ns;  // the module's own frame encloses everything
  last_ns = frame.end_ns;
}

void Tally::step_end(const StepRange& range) {
  const OverlapAnalysis::Spans spans = overlap.close_step(range);
  counts.overlap += static_cast<int64_t>(spans.computing.size() + spans.communication.size() +
                                         spans.not_overlapped.size() + spans.free.size());
  for (size_t stage = 0; stage < kStages; ++stage) {
    open_stages_.ranges[stage] = unite(std::move(open_stages_.ranges[stage]));
    open_stages_.all_threads_ns[stage] = total_ns(open_stages_.ranges[stage]);
  }
  stages.push_back(std::exchange(open_stages_, {}));
}

}  // namespace stepwise::example
