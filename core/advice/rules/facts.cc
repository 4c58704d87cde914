#include "core/advice/rules/facts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "core/advice/rules/answer_values.h"
#include "core/advice/rules/blocking_facts.h"
#include "core/advice/rules/communication_facts.h"

namespace stepwise::advice {
namespace {

class Facts {
 public:
  explicit Facts(const Answers& answers) : answers_(answers) {}
  std::vector<Fact> collect();

 private:
  const Json& answer(const char* tool) const {
    static const Json kNone;
    const auto it = answers_.find(tool);
    return it == answers_.end() ? kNone : it->second;
  }
  void add(const char* tool, std::string name, Json value) {
    out_.push_back({std::move(name), std::move(value), tool});
  }

  void run();
  void scenario_and_mode();
  void cores();
  void operators();
  void custom_operators();
  void host();
  void device_waits();
  void copies();
  void uneven_steps();
  void dispatch();
  void memory();
  void stages();
  void prefetch();
  void graphs();

  const Answers& answers_;
  std::vector<Fact> out_;
};

constexpr const char* kSummary = "summarize_profile";

void Facts::run() {
  const Json& opened = answer("open_profile");
  const std::string kind = text(at(opened, {"kind"})), framework = text(at(opened, {"framework"}));
  const bool is_npu = kind == "torch_npu" || kind == "msprof" || kind == "mindspore";
  if (is_npu || kind == "kineto") add("open_profile", "profile.hardware", is_npu ? "npu" : "gpu");
  if (!framework.empty() && framework != "unknown") add("open_profile", "profile.framework", framework);

  const Json& summary = answer(kSummary);
  if (!summary.is_object()) return;
  add(kSummary, "shapes.vary", at(summary, {"shapes_vary"}));
  add(kSummary, "shapes.dynamic", at(summary, {"dynamic_shape"}));
  add(kSummary, "schedule.bound", at(summary, {"schedule_bound"}));
  add(kSummary, "fusion.enabled", at(summary, {"autofuse"}));
  add(kSummary, "fusion.cube_with_vector", at(summary, {"fusion", "cube_with_vector"}));
  add(kSummary, "model.h2d_ratio", at(summary, {"h2d_ratio"}));
  add(kSummary, "model.d2h_ratio", at(summary, {"d2h_ratio"}));
}

/// "undetermined" is no word that a rule could compare with: it is not known.
void Facts::scenario_and_mode() {
  const auto known = [](const Json& value) { return value == "undetermined" ? Json() : value; };
  for (const auto& [tool, name, key] : {std::tuple{"detect_scenario", "scenario.value", "scenario"},
                                        std::tuple{"detect_execution_mode", "mode.value", "execution_mode"}}) {
    const Json& own = answer(tool);
    if (own.is_object()) add(tool, name, known(at(own, {"value"})));
    add(kSummary, name, known(at(answer(kSummary), {key, "value"})));
  }
  const Json& mode = answer("detect_execution_mode");
  add("detect_execution_mode", "mode.toolchain", at(mode, {"toolchain"}));
  if (at(mode, {"value"}) != "cuda_graph") return;
  const Json& applies = list(mode, "applies");
  const bool has_eager = std::find(applies.begin(), applies.end(), Json("eager")) != applies.end();
  add("detect_execution_mode", "mode.has_eager_part", has_eager);
}

void Facts::cores() {
  const Json& rows = list(answer(kSummary), "cores");
  std::optional<bool> limited;
  for (const Json& row : rows) {
    const Json one = at(row, {"limited"});
    if (one.is_boolean()) limited = limited.value_or(false) || one.get<bool>();
    const std::string type = text(at(row, {"core_type"}));
    const char* unit = type == "AI_CORE" ? "cube" : type == "AI_VECTOR_CORE" ? "vector" : nullptr;
    if (unit == nullptr) continue;
    add(kSummary, std::string("cores.") + unit + "_most", at(row, {"max_block_dim"}));
    add(kSummary, std::string("chip.") + unit + "_cores", at(row, {"chip_cores"}));
  }
  if (!rows.empty()) add(kSummary, "cores.limited", limited ? Json(*limited) : Json());
}

/// Of the rows that are listed, which are those with most time: lower bounds.
void Facts::operators() {
  constexpr const char* kTool = "top_operators";
  const Json& top = answer(kTool);
  if (!top.is_object()) return;
  const auto total = number(at(top, {"operators", "total_us"})), count = number(at(top, {"operators", "count"}));
  double vector_us = 0, matmul_us = 0, cube_us = 0;
  bool has_cores = false, has_fused = false;
  for (const Json& row : list(top, "rows")) {
    const double us = number(at(row, {"total_us"})).value_or(0);
    const std::string core = text(at(row, {"core_type"})), type = text(at(row, {"op_type"}));
    has_cores = has_cores || !core.empty();
    if (core == "AI_VECTOR_CORE" || core == "MIX_AIV") vector_us += us;
    if (type.find("MatMul") != type.npos) matmul_us += us;
    if (has_any(type, {"MatMul", "Conv", "Attention"})) cube_us += us;
    has_fused =
        has_fused || has_any(type, {"ApplyAdam", "ApplyFused", "RmsNorm", "RotaryPositionEmbedding", "FlashAttention"});
  }
  add(kTool, "op.fusible_ratio", has_cores && total ? quotient(*total - cube_us, total) : Json());
  add(kTool, "op.has_fused_kernels", has_cores ? Json(has_fused) : Json());
  add(kTool, "op.vector_ratio", has_cores ? quotient(vector_us, total) : Json());
  add(kTool, "op.matmul_ratio", has_cores ? quotient(matmul_us, total) : Json());
  add(kTool, "op.avg_us", quotient(total, count));
  add(kTool, "op.per_step", quotient(count, number(at(answer(kSummary), {"iterations", "count"}))));
}

void Facts::custom_operators() {
  constexpr const char* kTool = "problem_operators";
  const Json& problems = answer(kTool);
  if (!problems.is_object()) return;
  Json calls;
  for (const Json& none : list(problems, "none")) {
    if (none == "custom_op_sync") calls = 0;
  }
  for (const Json& one : list(problems, "problems")) {
    if (at(one, {"problem"}) == "custom_op_sync") calls = at(one, {"count"});
  }
  add(kTool, "problem.custom_op_sync_calls", std::move(calls));
  for (const Json& row : list(problems, "rows")) {
    if (at(row, {"problem"}) == "scalar") add(kTool, "problem.scalar_worst", at(row, {"op_type"}));
  }
}

/// A mean of steps of which one stands out says little about the others.
void Facts::uneven_steps() {
  const Json& summary = answer(kSummary);
  const auto p50 = number(at(summary, {"iterations", "p50_us"})), p99 = number(at(summary, {"iterations", "p99_us"}));
  const auto average = number(at(summary, {"metrics", "iteration.wall_avg_us"}));
  add(kSummary, "iteration.p50_us", as_json(p50));
  add(kSummary, "iteration.p99_us", as_json(p99));
  add(kSummary, "iteration.tail_ratio", quotient(p99, p50));
  add(kSummary, "iteration.outlier_ratio", p50 && average ? quotient(std::max(*average - *p50, 0.0), average) : Json());
}

/// Whether dispatching is what the device waits for: not with next to nothing to dispatch, nor where the host itself
/// waits for the device; and nobody can tell where the data is late or one step stands out.
void Facts::dispatch() {
  constexpr double kUneven = 2, kPreprocessing = 0.2, kHostWaits = 1.0 / 3, kFewPerStep = 20, kFewInAll = 50;
  const Json& summary = answer(kSummary);
  if (!summary.is_object()) return;
  const auto kernels = number(at(answer("top_operators"), {"operators", "count"}));
  const auto steps = number(at(summary, {"iterations", "count"}));
  const bool has_steps = steps && *steps > 0 && at(summary, {"iterations", "source"}) != "assumed";
  std::optional<bool> is_few;
  if (kernels) is_few = has_steps ? *kernels < kFewPerStep * *steps : *kernels < kFewInAll;
  add("top_operators", "op.few_kernels", is_few ? Json(*is_few) : Json());

  const auto tail =
      number(quotient(number(at(summary, {"iterations", "p99_us"})), number(at(summary, {"iterations", "p50_us"}))));
  const auto preprocessing = number(at(answer("stage_breakdown"), {"metrics", "stage.preprocess_ratio"}));
  const bool is_data = tail.value_or(1) > kUneven || preprocessing.value_or(0) > kPreprocessing;
  add(kSummary, "step.dispatch_free_ratio", is_data ? Json() : at(summary, {"metrics", "step.free_ratio"}));

  const auto waits = number(quotient(number(at(answer("host_api"), {"metrics", "host.synchronisation_us_per_step"})),
                                     number(at(summary, {"metrics", "iteration.wall_avg_us"}))));
  const Json schedule = at(summary, {"schedule_bound"});
  // On GPUs its calls that block are measured by what the device is idle meanwhile: most of its idle time or not.
  const auto blocked = number(at(answer("host_api"), {"metrics", "host.blocking_idle_ratio"}));
  const auto free = number(at(summary, {"metrics", "step.free_ratio"}));
  const bool is_blocked = blocked && free && *blocked >= *free / 2;
  const bool is_not = is_few.value_or(false) || schedule == false || waits.value_or(0) >= kHostWaits || is_blocked;
  const bool is_known = is_few && schedule.is_boolean() && waits && !is_data;
  add(kSummary, "host.dispatch_bound", is_not ? Json(false) : is_known ? Json(true) : Json());
}

/// Waits are summed over streams, and computing stays: no more than the rest of the step can be given back.
void Facts::device_waits() {
  const auto waits = number(at(answer("host_api"), {"metrics", "device.wait_ratio"}));
  const auto computing = number(at(answer(kSummary), {"metrics", "step.computing_ratio"}));
  add("host_api", "device.wait_step_ratio",
      waits && computing ? Json(std::clamp(std::min(*waits * *computing, 1 - *computing), 0.0, 1.0)) : Json());
}

/// What the framework's copies take of the step: all that page-locked memory could give back of a late batch.
void Facts::copies() {
  constexpr const char* kTool = "host_api";
  constexpr const char* kCopy = "aten::to";
  const auto step = number(at(answer(kSummary), {"metrics", "iteration.wall_avg_us"}));
  for (const Json& row : list(answer(kTool), "rows")) {
    if (text(at(row, {"name"})) != kCopy || text(at(row, {"level"})) != "framework") continue;
    const auto average = number(at(row, {"avg_us"})), calls = number(at(row, {"per_step"}));
    add(kTool, "host.copy_step_ratio", average && calls ? quotient(*average * *calls, step) : Json());
    return;
  }
}

void Facts::host() {
  constexpr const char* kTool = "host_api";
  const Json& host = answer(kTool);
  if (!host.is_object()) return;
  for (const Json& flag : list(host, "flags")) {
    const Json name = at(flag, {"flag"}), calls = at(flag, {"calls"});
    if (name == "launches") add(kTool, "host.launch_avg_us", at(flag, {"avg_us"}));
    if (name == "synchronisations") add(kTool, "host.synchronisation_calls", calls);
  }
  // Levels wrap each other, so that the level with most copies counts; rows that are cut off have the shortest times.
  std::map<std::string, double> copies;
  double gloo = 0;
  for (const Json& row : list(host, "rows")) {
    const std::string name = text(at(row, {"name"}));
    const double per_step = number(at(row, {"per_step"})).value_or(0);
    if (name.find("gloo") != name.npos) gloo += per_step;
    const bool copies_memory = name.starts_with("aclrtMemcpy") || name.starts_with("MemCopy") ||
                               name.starts_with("cudaMemcpy") || name.starts_with("hipMemcpy");
    if (copies_memory) copies[text(at(row, {"level"}))] += per_step;
  }
  std::optional<double> most;
  for (const auto& [level, per_step] : copies) most = std::max(most.value_or(0), per_step);
  add(kTool, "host.memory_copies_per_step", as_json(most));
  add(kTool, "host.gloo_calls_per_step", gloo > 0 ? Json(gloo) : Json());
  add(kTool, "host.synchronisation_step_ratio",
      quotient(number(at(host, {"metrics", "host.synchronisation_us_per_step"})),
               number(at(answer(kSummary), {"metrics", "iteration.wall_avg_us"}))));
}

void Facts::memory() {
  constexpr const char* kTool = "memory";
  const Json& memory = answer(kTool);
  if (!memory.is_object()) return;
  std::optional<double> unused;
  for (const Json& peak : list(memory, "peak")) {
    const auto reserved = number(at(peak, {"reserved_bytes"})),
               idle = number(at(peak, {"reserved_minus_active_bytes"}));
    if (reserved && idle && *reserved > 0) unused = std::max(unused.value_or(0), *idle / *reserved);
  }
  add(kTool, "memory.reserved_unused_ratio", as_json(unused));
  add(kTool, "memory.allocator_calls_per_step", at(memory, {"allocator", "per_step"}));
}

/// Side by side the two would take as long as the longer one.
void Facts::stages() {
  if (answer(kSummary).is_object()) {
    const auto fetch = number(at(answer("stage_breakdown"), {"metrics", "stage.embedding_fetch_ratio"}));
    add("stage_breakdown", "stage.has_embedding_fetch", fetch.value_or(0) > 0);
  }
  constexpr const char* kTool = "stage_async";
  const Json& async = answer(kTool);
  for (const Json& pair : list(async, "pairs")) {
    const char* name =
        at(pair, {"a"}) == "preprocess" ? "stage.preprocess_fetch_serial_ratio" : "stage.updates_serial_ratio";
    const auto a = number(at(pair, {"a_us"})), b = number(at(pair, {"b_us"})), both = number(at(pair, {"overlap_us"}));
    const auto step = number(at(async, {"step_us"}));
    add(kTool, name, a && b && both ? quotient(std::min(*a, *b) - *both, step) : Json());
  }
}

void Facts::prefetch() {
  constexpr const char* kTool = "stage_async";
  const Json& async = answer(kTool);
  if (!async.is_object()) return;
  add(kTool, "prefetch.found", at(async, {"prefetch", "found"}));
  add(kTool, "prefetch.hides_communication", at(async, {"prefetch", "hides_communication"}));
  // The same waits that `hides_communication` is judged by.
  add(kTool, "prefetch.wait_ratio",
      quotient(number(at(async, {"prefetch", "wait_us"})), number(at(async, {"step_us"}))));
}

void Facts::graphs() {
  constexpr const char* kTool = "repeated_subgraphs";
  const Json& rows = list(answer(kTool), "rows");
  if (rows.empty()) return;
  add(kTool, "graph.top_repeat_count", at(rows.front(), {"count"}));
  add(kTool, "graph.top_repeat_ratio",
      quotient(number(at(rows.front(), {"total_us"})), number(at(answer(kSummary), {"op_time_us"}))));
}

std::vector<Fact> Facts::collect() {
  run();
  scenario_and_mode();
  cores();
  operators();
  custom_operators();
  host();
  device_waits();
  copies();
  uneven_steps();
  dispatch();
  memory();
  stages();
  prefetch();
  graphs();
  return std::move(out_);
}

}  // namespace

std::vector<Fact> facts_of(const Answers& answers) {
  std::vector<Fact> all = Facts(answers).collect();
  add_communication_facts(answers, all);
  add_blocking_facts(answers, all);
  return all;
}

}  // namespace stepwise::advice
