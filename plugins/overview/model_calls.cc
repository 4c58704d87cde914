#include "model_calls.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace stepwise::overview {
namespace {

namespace api = table::runtime_api;

struct Span {
  int64_t start_ns = 0, end_ns = 0, src_pos = 0;
};

/// Memory copies of one thread, by the executions that they stand between: gaps[i] is before execution i.
struct Thread {
  std::vector<std::vector<Span>> gaps = std::vector<std::vector<Span>>(1);
  int64_t executes_until_ns = INT64_MIN;  // copies that an execution makes itself are none of its inputs
  size_t executions() const { return gaps.size() - 1; }
};

struct Copies {
  CallStat in, out;
  bool plain = false;
};

/// "Model@ModelExecute" -> ModelExecute
std::string_view without_layer(std::string_view name) { return name.substr(name.find('@') + 1); }

void count(std::optional<CallStat>& stat, int64_t dur_ns, int64_t src_pos, const std::string& file) {
  if (!stat) stat = CallStat{0, 0, 0, src_pos, file};
  stat->total_ns += dur_ns;
  ++stat->count;
  stat->max_ns = std::max(*stat->max_ns, dur_ns);
}

void add_copies(const Thread& thread, Copies& copies) {
  const size_t n = thread.executions();
  if (n == 0) return;
  const size_t each = n < 2 ? 0 : thread.gaps[1].size(), outputs = thread.gaps[n].size();
  const bool regular = each > 0 && std::all_of(thread.gaps.begin() + 1, thread.gaps.end() - 1,
                                               [each](const auto& gap) { return gap.size() == each; });
  const size_t inputs = each - std::min(outputs, each);
  copies.plain = copies.plain && regular && outputs <= each && thread.gaps[0].size() >= inputs;
  if (!copies.plain) return;
  for (size_t i = 0; i < n; ++i) {
    const std::vector<Span>&before = thread.gaps[i], &behind = thread.gaps[i + 1];
    if (inputs > 0) copies.in.total_ns += before.back().end_ns - before[before.size() - inputs].start_ns;
    for (size_t k = 0; k < outputs; ++k) copies.out.total_ns += behind[k].end_ns - behind[k].start_ns;
    copies.in.count += static_cast<int64_t>(inputs);
    copies.out.count += static_cast<int64_t>(outputs);
  }
  if (inputs > 0 && copies.in.row == 0) copies.in.row = thread.gaps[0][thread.gaps[0].size() - inputs].src_pos;
  if (outputs > 0 && copies.out.row == 0) copies.out.row = thread.gaps[1].front().src_pos;
}

}  // namespace

void add_model_calls(const sdk::Call& call, const sdk::TableView& view, HostCalls& calls) {
  const auto name = view[api::name];
  const auto start_ns = view[api::start_ns];
  const auto dur_ns = view[api::dur_ns];
  const auto pid = view[api::pid];
  const auto tid = view[api::tid];
  const auto src_pos = view[api::src_pos];
  const std::string file(view.source_file());
  HostCalls found;
  std::map<std::pair<int64_t, int64_t>, Thread> threads;
  call.for_each_row(view.rows(), [&](uint64_t row) {
    const std::string_view called = without_layer(name[row]);
    note_shapes(called, found);
    if (called == "InputCopy") return count(found.input_copy, dur_ns[row], src_pos[row], file);
    if (called == "OutputCopy") return count(found.output_copy, dur_ns[row], src_pos[row], file);
    const bool executes = called == "ModelExecute";
    if (!executes && called.rfind("aclrtMemcpy", 0) != 0) return;
    Thread& thread = threads[{pid[row], tid[row]}];
    if (executes) {
      count(found.model_execute, dur_ns[row], src_pos[row], file);
      thread.gaps.emplace_back();
      thread.executes_until_ns = start_ns[row] + dur_ns[row];
    } else if (start_ns[row] >= thread.executes_until_ns) {
      thread.gaps.back().push_back({start_ns[row], start_ns[row] + dur_ns[row], src_pos[row]});
    }
  });
  if (!calls.model_execute) calls.model_execute = found.model_execute;
  calls.infers_shapes = calls.infers_shapes || found.infers_shapes;
  calls.calls_aclnn = calls.calls_aclnn || found.calls_aclnn;

  Copies copies;
  copies.in.file = copies.out.file = file;
  copies.plain = found.model_execute.has_value();
  for (const auto& [key, thread] : threads) add_copies(thread, copies);
  if (!calls.input_copy) calls.input_copy = found.input_copy;
  if (!calls.output_copy) calls.output_copy = found.output_copy;
  if (!copies.plain || calls.input_copy || calls.output_copy) return;
  calls.input_copy = copies.in;
  calls.output_copy = copies.out;
}

}  // namespace stepwise::overview
