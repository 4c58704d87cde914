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
  int64_t executes_until_ns = INT64_MIN;  // what an execution calls itself stands for nothing of its own
  size_t executions() const { return gaps.size() - 1; }
};

struct Copies {
  CallStat in, out;
  bool plain = false;
};

enum class Kind : uint8_t { other, execution, input, output, copy };

Kind kind_of(std::string_view call) {
  if (call == "ModelExecute") return Kind::execution;
  if (call == "InputCopy") return Kind::input;
  if (call == "OutputCopy") return Kind::output;
  return call.rfind("aclrtMemcpy", 0) == 0 ? Kind::copy : Kind::other;
}

/// What each name of the table is, by its code: "Model@ModelExecute" is an execution. Layers wrap each other: where
/// layer Model has a call, those of the same name in other layers are others.
std::vector<Kind> kinds_of_names(const sdk::Call& call, const sdk::TableView& view, HostCalls& noted) {
  const auto name = view[api::name];
  std::vector<Kind> kinds(name.dictionary_size(), Kind::other);
  std::vector<bool> seen(kinds.size(), false);
  std::map<Kind, std::vector<size_t>> beside_model;  // codes of the kind in other layers
  std::map<Kind, bool> in_model;
  call.for_each_row(view.rows(), [&](uint64_t row) {
    const auto code = static_cast<size_t>(name.code(row));
    if (name.is_null(row) || seen[code]) return;
    seen[code] = true;
    const std::string_view text = name[row], called = text.substr(text.find('@') + 1);
    note_shapes(called, noted);
    kinds[code] = kind_of(called);
    if (text.rfind("Model@", 0) == 0) {
      in_model[kinds[code]] = true;
    } else {
      beside_model[kinds[code]].push_back(code);
    }
  });
  for (const auto& [kind, codes] : beside_model) {
    for (const size_t code : codes) kinds[code] = in_model[kind] ? Kind::other : kind;
  }
  return kinds;
}

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
  const std::vector<Kind> kinds = kinds_of_names(call, view, found);
  std::map<std::pair<int64_t, int64_t>, Thread> threads;
  call.for_each_row(view.rows(), [&](uint64_t row) {
    if (name.is_null(row)) return;
    const Kind kind = kinds[static_cast<size_t>(name.code(row))];
    if (kind == Kind::other) return;
    if (kind == Kind::input) return count(found.input_copy, dur_ns[row], src_pos[row], file);
    if (kind == Kind::output) return count(found.output_copy, dur_ns[row], src_pos[row], file);
    Thread& thread = threads[{pid[row], tid[row]}];
    const int64_t end_ns = start_ns[row] + dur_ns[row];
    if (start_ns[row] < thread.executes_until_ns) return;
    if (kind == Kind::copy) return thread.gaps.back().push_back({start_ns[row], end_ns, src_pos[row]});
    count(found.model_execute, dur_ns[row], src_pos[row], file);
    thread.gaps.emplace_back();
    thread.executes_until_ns = end_ns;
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
