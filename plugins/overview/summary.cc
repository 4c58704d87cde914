#include "summary.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "device_rows.h"
#include "host_rows.h"
#include "model_calls.h"
#include "read_steps.h"
#include "sync_names.h"
#include "timeline_steps.h"

namespace stepwise::overview {
namespace {

using sdk::Call;

constexpr double kScheduleBoundBelow = 0.90;
constexpr int64_t kStepsShown = 8;  // where the caller does not say

void read_calls(Call& call, uint32_t rank, Summary& out) {
  if (const auto calls = call.table(rank, table::api_stat::kTable)) out.calls = host_calls(call, *calls);
  const bool is_whole = out.calls && out.calls->model_execute && out.calls->input_copy && out.calls->output_copy;
  if (is_whole || call.args().profile().kind != "msprof") return;
  const auto timeline = call.table(rank, table::runtime_api::kTable);
  if (!timeline) return;
  if (!out.calls) out.calls.emplace();
  add_model_calls(call, *timeline, *out.calls);
}

// Where neither steps nor kernels are told of, the timeline is read for both.
void read_timeline(Call& call, uint32_t rank, Summary& out) {
  const auto ranges = call.table(rank, table::step_range::kTable);
  if (ranges && ranges->rows() > 0) out.steps = steps_of_ranges(call, *ranges);
  const auto spans = call.table(rank, table::overlap_span::kTable);
  if (!spans) return;
  const bool has_one = out.steps && out.steps->steps.size() == 1;
  const auto only = has_one ? out.steps->steps.front().number : std::nullopt;
  if (out.step && out.step != only) return;  // nothing tells which of the device's work is of that step
  out.window = window_of_overlap(call, *spans, call.table(rank, table::device_task::kTable), only);
}

void read_tables(Call& call, uint32_t rank, Summary& out) {
  const auto kernels = call.table(rank, table::kernel::kTable);
  if (kernels) {
    out.kernels = kernel_facts(call, *kernels, is_gpu(call));
    out.shapes = shapes_vary(call, *kernels);
    out.fused = fused_names(call, *kernels);
    if (!is_gpu(call)) out.cores = core_counts(call, *kernels, call.table(rank, table::meta::kTable));
  }
  // Whoever compiles again has met shapes that it had not compiled for.
  out.compiled = compile_calls(call, rank);
  if (out.compiled.repeated()) out.shapes.vary = true;
  StepsAtHand at_hand = read_steps(call, rank, kernels, out.step);
  out.timed = std::move(at_hand.timed);
  out.steps = std::move(at_hand.steps);
  out.window = std::move(at_hand.device_rows);
  out.each_step = std::move(at_hand.each_step);
  if (!kernels && (!out.steps || out.steps->steps.empty()) && !is_gpu(call)) read_timeline(call, rank, out);
  read_calls(call, rank, out);
  const auto ranges = call.table(rank, table::host_op::kTable);
  out.knows_host_ranges = ranges && ranges->rows() > 0;
  if (kernels && kernels->rows() > 0 && is_gpu(call)) {
    out.blocking = blocking_calls(call, rank, *kernels, DeviceIdle(call, *kernels), out.step);
  }
  out.several_ranks = call.args().all_ranks().size() > 1;
  if (kernels) return;
  if (const auto types = call.table(rank, table::op_stat::kTable)) {
    out.op_stat_file = types->source_file();
    int64_t total_ns = 0;
    call.for_each_row(types->rows(), [&](uint64_t row) { total_ns += (*types)[table::op_stat::total_ns][row]; });
    out.op_stat_ns = total_ns;
  }
}

// InputCopy and OutputCopy stand beside ModelExecute, whose calls are the iterations.
std::optional<double> per_execution_us(const HostCalls& calls, const std::optional<CallStat>& copy) {
  if (!copy || !calls.model_execute || calls.model_execute->count < 1) return std::nullopt;
  return static_cast<double>(copy->total_ns) / (1000.0 * static_cast<double>(calls.model_execute->count));
}

void measure_model(Summary& out) {
  if (!out.calls) return;
  out.h2d_us = per_execution_us(*out.calls, out.calls->input_copy);
  out.d2h_us = per_execution_us(*out.calls, out.calls->output_copy);
  if (const auto ns = out.calls->model_execute_ns()) out.model_execute_us = *ns / 1000.0;
}

// Only operators of the window's own steps, so that their sum and what it is compared with are of the same time.
std::optional<int64_t> operator_ns_of_window(const Summary& s) {
  if (!s.kernels || !s.iterating || !s.steps->numbered()) return std::nullopt;
  if (s.iterating->by_time) {
    int64_t ns = 0;
    for (const Step& step : s.iterating->steps) ns += step.operator_ns.value_or(0);
    return ns;
  }
  if (s.kernels->operator_ns_of_step.empty()) return std::nullopt;
  int64_t ns = 0;
  for (const Step& step : s.iterating->steps) {
    const auto it =
        step.number ? s.kernels->operator_ns_of_step.find(*step.number) : s.kernels->operator_ns_of_step.end();
    if (it != s.kernels->operator_ns_of_step.end()) ns += it->second;
  }
  return ns;
}

// What the operators' time is compared with: the iteration as it was timed, else the steps' Computing.
std::optional<double> iteration_of_operators_us(const Summary& s) {
  if (s.iterations.is_timed() && !s.step) return s.iterations.avg_us;
  const TimedStep* const asked = s.step ? s.timed.find(*s.step) : nullptr;
  if (asked != nullptr) return static_cast<double>(asked->iteration_ns) / 1000.0;
  if (s.iterating && s.steps->numbered()) return s.iterating->us(s.iterating->sum.computing_ns);
  return s.iterations.avg_us;
}

void measure_operators(Summary& out) {
  const auto of_window_ns = operator_ns_of_window(out);
  std::optional<int64_t> of_file_ns = out.op_stat_ns;
  if (out.kernels) of_file_ns = out.kernels->operator_ns;

  if (const auto ns = out.step ? of_window_ns : of_file_ns) out.op_time_us = static_cast<double>(*ns) / 1000.0;
  if (of_window_ns) {
    out.op_time_avg_us = out.iterating->us(*of_window_ns);
  } else if (of_file_ns && out.iterations.count && !out.step) {
    out.op_time_avg_us = static_cast<double>(*of_file_ns) / (1000.0 * static_cast<double>(*out.iterations.count));
  }
  const auto iteration_us = iteration_of_operators_us(out);
  if (out.op_time_avg_us && iteration_us && *iteration_us > 0) out.op_time_ratio = *out.op_time_avg_us / *iteration_us;
}

// The acl level wraps the runtime's: one of them, the upper one where it has such calls.
std::optional<int64_t> synchronisation_ns(const Call& call, const sdk::TableView& api_stat_table) {
  std::map<std::string_view, int64_t> of_level;
  for (const HostRow& row : rows_of_statistic(call, api_stat_table)) {
    if (synchronizes(row.name)) of_level[row.level] += row.total_ns;
  }
  for (const std::string_view level : {"acl", "runtime"}) {
    if (const auto it = of_level.find(level); it != of_level.end()) return it->second;
  }
  return 0;
}

void measure_gap(Call& call, Summary& out) {
  const auto kernels = call.table(out.rank, table::kernel::kTable);
  const auto operator_ns = operator_ns_of_window(out);
  if (kernels && operator_ns && is_gpu(call)) {
    const auto& device = out.step ? out.window : out.each_step;
    if (device) out.gap = step_gap_of_device_rows(*out.iterating, *device, *operator_ns);
  } else if (kernels && operator_ns) {
    out.gap = step_gap(call, *out.iterating, *kernels, *operator_ns);
  }
  const auto calls = call.table(out.rank, table::api_stat::kTable);
  if (!calls || out.step || out.iterations.count.value_or(0) == 0) return;
  if (const auto ns = synchronisation_ns(call, *calls)) {
    out.synchronisation_us = static_cast<double>(*ns) / (1000.0 * static_cast<double>(*out.iterations.count));
  }
}

std::string whole_us(double us) {
  char text[48];
  std::snprintf(text, sizeof text, "%.0f us", us);
  return text;
}

// Instances that share the device take turns at worst: each then waits for all others.
void measure_instances(const sdk::ProfileInfo& profile, Summary& out) {
  const auto budget_us = profile.declared_number("latency_budget_us");
  if (!budget_us || out.scenario["value"].text() != "inference") return;
  std::optional<double> iteration_us;
  const char* of = "H2D, ModelExecute and D2H";
  if (out.h2d_us && out.model_execute_us && out.d2h_us) {
    iteration_us = *out.h2d_us + *out.model_execute_us + *out.d2h_us;
  } else if (out.iterations.is_timed()) {
    iteration_us = out.iterations.avg_us;
    of = "the iteration, whose copies are not known";
  }
  if (!iteration_us || !(*iteration_us > 0) || !(*budget_us / *iteration_us < 1e6)) return;
  InstancesFit fit;
  fit.max = static_cast<int64_t>(std::floor(*budget_us / *iteration_us));
  fit.how = "budget " + whole_us(*budget_us) + " / " + whole_us(*iteration_us) + " of " + of +
            ", if instances take turns; device memory is not considered";
  out.instances = std::move(fit);
}

// The profiler's own word, or one execution that was seen, makes the whole run a step; that no more is known does not.
bool is_step(const Summary& s) {
  if (!s.window || !is_undivided_run(*s.window)) return true;
  return s.iterations.count == 1U && std::string_view(s.iterations.source) == "model_execute";
}

void judge_schedule(Summary& out) {
  if (out.window && out.window_is_step && out.window->sum.wall_ns() > 0) {
    out.busy_ratio = static_cast<double>(out.window->sum.busy_ns()) / static_cast<double>(out.window->sum.wall_ns());
    out.schedule_ratio = out.busy_ratio;
  }
  // A real iteration time tells more than the device's own spans, unless the profiler decomposed steps.
  const bool is_decomposed = out.window && out.window->by_profiler;
  if (out.iterations.is_timed() && !is_decomposed && out.op_time_ratio) out.schedule_ratio = out.op_time_ratio;
  if (out.schedule_ratio) out.schedule_bound = *out.schedule_ratio < kScheduleBoundBelow;
}

void judge_shapes(Summary& out) {
  if (out.kernels) out.dynamic_shape = out.kernels->dynamic_shape();
  if (out.dynamic_shape || !out.calls || !out.calls->model_execute) return;
  if (out.calls->infers_shapes || out.calls->calls_aclnn) out.dynamic_shape = true;
}

void measure_throughput(const sdk::ProfileInfo& profile, Summary& out) {
  const auto batch_size = profile.declared_number("batch_size");
  if (!batch_size || *batch_size <= 0) return;
  const auto scenario = out.scenario["value"].text();
  if (scenario == "training" && out.iterations.wall_avg_us && *out.iterations.wall_avg_us > 0) {
    out.throughput_samples_per_s = *batch_size * 1e6 / *out.iterations.wall_avg_us;
  } else if (scenario == "inference" && out.h2d_us && out.model_execute_us && out.d2h_us) {
    const double instances = profile.declared_number("instances").value_or(1);
    const double iteration_us = *out.h2d_us + *out.model_execute_us + *out.d2h_us;
    if (iteration_us > 0) out.throughput_samples_per_s = *batch_size * instances * 1e6 / iteration_us;
  }
}

bool choose_steps(Call& call, Summary& out) {
  if (out.steps) out.iterating = choose_window(*out.steps, out.step);
  // A breakdown of the device's work that does not follow from the steps themselves stays.
  if (!is_gpu(call) && out.steps && out.steps->knows_device) out.window = out.iterating;
  const bool known = out.window || out.iterating;
  if (!out.step || known || call.cancelled()) return true;
  fail_unknown_step(call, *out.step, out.steps);
  return false;
}

}  // namespace

std::optional<Summary> gather_summary(Call& call) {
  const auto ranks = call.args().ranks();
  if (ranks.empty()) {
    call.fail(sdk::Fault::usage, "args.rank", "The call names no rank.");
    return std::nullopt;
  }
  Summary out;
  out.rank = ranks.front();
  out.step = call.args().integer("step");
  out.steps_shown =
      static_cast<size_t>(std::clamp<int64_t>(call.args().integer("limit").value_or(kStepsShown), 1, 1000));
  read_tables(call, out.rank, out);
  out.iterations = infer_iterations(out.steps, out.calls, out.kernels, out.timed, out.op_stat_ns);
  if (!choose_steps(call, out)) return std::nullopt;

  const std::string rank_args = "{\"rank\":" + std::to_string(out.rank) + "}";
  const auto scenario = call.call_tool("detect_scenario", rank_args);
  const auto mode = scenario ? call.call_tool("detect_execution_mode", rank_args) : std::nullopt;
  if (!scenario || !mode) return std::nullopt;
  out.scenario = *scenario;
  out.execution_mode = *mode;
  if ((*mode)["fused"].is_array()) out.autofuse = (*mode)["fused"].size() > 0;

  out.window_is_step = is_step(out);
  measure_model(out);
  measure_operators(out);
  judge_schedule(out);
  judge_shapes(out);
  const sdk::ProfileInfo profile = call.args().profile();
  measure_throughput(profile, out);
  measure_instances(profile, out);
  measure_gap(call, out);
  return out;
}

}  // namespace stepwise::overview
