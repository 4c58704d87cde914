#include "summary.h"
#include "summary_next.h"
#include "summary_parts.h"
#include "summary_steps.h"

namespace stepwise::overview {
namespace {

using sdk::JsonWriter;

std::optional<double> ratio(double part, double whole) {
  if (whole <= 0) return std::nullopt;
  return part / whole;
}

std::optional<double> ratio_ns(int64_t part, int64_t whole) {
  return ratio(static_cast<double>(part), static_cast<double>(whole));
}

// Evidence in the order in which the answer's figures come; figures name the ids.
struct EvidenceList {
  struct Entry {
    std::string id, file;
    int64_t row;
    std::string says;
  };
  std::vector<Entry> entries;

  std::string add(std::string_view file, int64_t row, std::string says) {
    entries.push_back({"e" + std::to_string(entries.size() + 1), std::string(file), row, std::move(says)});
    return entries.back().id;
  }
};

// Rows that a figure over many steps points to; the rest are the rows after them.
constexpr size_t kStepsInEvidence = 3;

std::vector<std::string> step_evidence(const Summary& s, EvidenceList& evidence) {
  std::vector<std::string> ids;
  if (!s.window) return ids;
  const Window& window = *s.window;
  if (!window.by_profiler && !window.by_time) {
    return {evidence.add(window.file, 0,
                         window.whole_trace ? std::string("intervals of all device rows, in and outside steps")
                         : s.kernels ? "intervals of the kernels of " + std::to_string(window.steps.size()) + " step(s)"
                                     : std::string("unions of the overlap analysis, up to its last span"))};
  }
  for (size_t i = 0; i < window.steps.size() && i < kStepsInEvidence; ++i) {
    const Step& step = window.steps[i];
    std::string says = step.number ? "step " + std::to_string(*step.number) : std::string("the run");
    says += window.by_time ? ": start and end as the profiler wrote them, computing and communication by its kernels"
                           : ": computing, communication, free and stage as the profiler wrote them";
    const size_t more = window.steps.size() - kStepsInEvidence;
    if (i + 1 == kStepsInEvidence && window.steps.size() > kStepsInEvidence) {
      says += "; and " + std::to_string(more) + " more steps";
    }
    ids.push_back(evidence.add(window.file, step.row, std::move(says)));
  }
  return ids;
}

void operator_evidence(const Summary& s, EvidenceList& evidence) {
  if (s.kernels) {
    evidence.add(s.kernels->file, 0,
                 "op_time_us: sum of durations of the rows that do not communicate (" +
                     std::to_string(s.kernels->operator_rows) + " in the file)");
  } else if (s.op_stat_ns) {
    evidence.add(s.op_stat_file, 0, "op_time_us: sum of the operator types' total times");
  }
  if (s.kernels && s.kernels->dynamic_rows > 0) {
    evidence.add(
        s.kernels->file, s.kernels->first_dynamic_row,
        "dynamic_shape: OP State is dynamic in " + std::to_string(s.kernels->dynamic_rows) + " rows, first here");
  }
  if (s.fused && s.fused->operators > 0) {
    evidence.add(s.kernels->file, s.fused->row, "fusion: `" + s.fused->example + "` is the first fused operator");
  }
  if (s.compiled.repeated()) {
    evidence.add(s.compiled.file, s.compiled.row,
                 "shapes_vary: " + std::to_string(s.compiled.count) + " calls that compile, in " +
                     std::to_string(s.compiled.steps.size()) + " steps; the first repetition is `" + s.compiled.name +
                     "`");
  }
  if (!s.shapes.names.empty()) {
    evidence.add(s.kernels->file, s.shapes.row,
                 "shapes_vary: `" + s.shapes.name + "` has other input shapes here than in a step before");
  }
}

void call_evidence(const Summary& s, EvidenceList& evidence) {
  if (!s.calls) return;
  const auto add = [&](const std::optional<CallStat>& stat, const char* figure) {
    if (stat)
      evidence.add(stat->file, stat->row, std::string(figure) + " from " + std::to_string(stat->count) + " calls");
  };
  add(s.calls->input_copy, "h2d_us");
  add(s.calls->model_execute, "model_execute_us");
  add(s.calls->output_copy, "d2h_us");
}

void write_verdict(JsonWriter& w, const char* key, const sdk::Value& verdict) {
  w.key(key).begin_object();
  w.field("value", verdict["value"].text().value_or("undetermined"));
  w.field("proof", verdict["proof"]).field("toolchain", verdict["toolchain"]).end_object();
}

// Beside the figure itself: a mean of computing is shorter than half of the steps, and must not pass for the step.
const char* describe(AvgOf avg_of) {
  switch (avg_of) {
    case AvgOf::computing:
      return "computing on the device alone; a step takes wall_avg_us";
    case AvgOf::iteration:
      return "iteration";
    case AvgOf::operators:
      break;
  }
  return "sum of operators; how long an iteration takes is not known";
}

void write_iterations(JsonWriter& w, const Iterations& it) {
  w.key("iterations").begin_object();
  w.field("count", it.count).field("source", it.source).field("confidence", it.confidence);
  w.field("wall_avg_us", it.wall_avg_us).key("avg_of");
  it.avg_of ? w.value(describe(*it.avg_of)) : w.value(nullptr);
  w.field("avg_us", it.avg_us).field("p50_us", it.p50_us).field("p99_us", it.p99_us);
  w.field("first_compile_us", it.first_compile_us).end_object();
}

void write_model(JsonWriter& w, const Summary& s) {
  w.field("h2d_us", s.h2d_us).field("model_execute_us", s.model_execute_us).field("d2h_us", s.d2h_us);
  // Shares of the three together, so only where all three are known.
  std::optional<double> whole;
  if (s.h2d_us && s.model_execute_us && s.d2h_us) whole = *s.h2d_us + *s.model_execute_us + *s.d2h_us;
  const auto share = [&whole](std::optional<double> part) { return whole ? ratio(*part, *whole) : std::nullopt; };
  w.field("h2d_ratio", share(s.h2d_us)).field("model_execute_ratio", share(s.model_execute_us));
  w.field("d2h_ratio", share(s.d2h_us));
}

void write_breakdown(JsonWriter& w, const Summary& s, const std::vector<std::string>& evidence) {
  w.key("breakdown");
  if (!s.window) {
    w.value(nullptr).key("where_time_goes").begin_array().end_array();
    return;
  }
  const Window& window = *s.window;
  const Step& sum = window.sum;
  const auto write_ids = [&] {
    w.key("evidence").begin_array();
    for (const std::string& id : evidence) w.value(id);
    w.end_array();
  };
  w.begin_object();
  w.field("computing_us", window.us(sum.computing_ns)).field("communication_us", window.us(sum.communication_ns));
  w.field("overlapped_us", window.us(sum.overlapped_ns)).field("not_overlapped_us", window.us(sum.not_overlapped_ns));
  // Ascend's files do not tell copies from free time, GPU traces no bubble from other communication.
  w.key("copy_not_overlapped_us");
  window.tells_copies ? w.value(window.us(sum.copy_not_overlapped_ns)) : w.value(nullptr);
  w.field("free_us", window.us(sum.free_ns));
  if (window.tells_copies && !window.whole_trace) w.field("other_steps_us", window.us(sum.other_steps_ns));
  w.key("bubble_us");
  window.tells_copies ? w.value(nullptr) : w.value(window.us(sum.bubble_ns));
  w.field("stage_us", window.us(sum.stage_ns)).field("wall_us", window.us(sum.wall_ns()));
  w.field("window_of", window_of(window)).field("window", window.text);
  write_ids();
  w.end_object();

  w.key("where_time_goes").begin_array();
  for (const Part& part : where_time_goes(window)) {
    w.begin_object().field("part", part.name).field("us", window.us(part.sum_ns));
    w.field("ratio", ratio_ns(part.sum_ns, sum.wall_ns()));
    if (const auto steps = steps_of_trace(s))
      w.field("us_per_step", window.us(part.sum_ns) / static_cast<double>(*steps));
    w.field("says", part.says);
    write_ids();
    w.end_object();
  }
  w.end_array();
  write_each_step(w, s);
}

void write_metrics(JsonWriter& w, const Summary& s) {
  const auto of_step = [&s](int64_t Step::*part) -> std::optional<double> {
    return s.window && s.window_is_step ? ratio_ns(s.window->sum.*part, s.window->sum.wall_ns()) : std::nullopt;
  };
  const auto of_communication = [&s](int64_t Step::*part) -> std::optional<double> {
    return s.window ? ratio_ns(s.window->sum.*part, s.window->sum.communication_ns) : std::nullopt;
  };
  std::optional<double> wall_us;
  if (s.window && s.window_is_step) wall_us = s.window->us(s.window->sum.wall_ns());
  w.key("metrics").begin_object();
  w.field("iteration.count", s.iterations.count).field("iteration.avg_us", s.iterations.avg_us);
  w.field("iteration.wall_avg_us", s.iterations.wall_avg_us);
  w.field("step.wall_us", wall_us).field("step.busy_ratio", s.busy_ratio);
  w.field("schedule.ratio", s.schedule_ratio);
  w.field("step.computing_ratio", of_step(&Step::computing_ns));
  w.field("step.free_ratio", of_step(&Step::free_ns));
  w.field("comm.step_ratio", of_step(&Step::communication_ns));
  w.field("comm.not_overlapped_step_ratio", of_step(&Step::not_overlapped_ns));
  w.field("comm.not_overlapped_ratio", of_communication(&Step::not_overlapped_ns));
  w.field("comm.overlap_ratio", of_communication(&Step::overlapped_ns));
  w.field("op.time_avg_us", s.op_time_avg_us).field("op.time_ratio", s.op_time_ratio);
  w.field("model.h2d_us", s.h2d_us).field("model.execute_us", s.model_execute_us).field("model.d2h_us", s.d2h_us);
  w.field("throughput.samples_per_s", s.throughput_samples_per_s);
  w.field("instances.fit", s.instances ? std::optional(s.instances->max) : std::nullopt);
  w.field("step.gap_ratio", s.gap ? ratio_ns(s.gap->gap_ns(), s.gap->wall_ns) : std::nullopt).end_object();
}

void write_evidence(JsonWriter& w, const EvidenceList& evidence) {
  w.key("evidence").begin_array();
  for (const auto& entry : evidence.entries) {
    w.begin_object().field("id", entry.id).field("file", entry.file);
    if (entry.row > 0) w.field("row", entry.row);
    w.field("says", entry.says).end_object();
  }
  w.end_array();
}

}  // namespace

void write_summary(JsonWriter& w, const Summary& s) {
  EvidenceList evidence;
  const std::vector<std::string> steps = step_evidence(s, evidence);
  operator_evidence(s, evidence);
  call_evidence(s, evidence);

  w.begin_object();
  write_verdict(w, "scenario", s.scenario);
  write_verdict(w, "execution_mode", s.execution_mode);
  write_iterations(w, s.iterations);
  write_model(w, s);
  w.field("throughput_samples_per_s", s.throughput_samples_per_s);
  w.field("dynamic_shape", s.dynamic_shape).field("shapes_vary", s.shapes.vary).field("autofuse", s.autofuse);
  w.field("op_time_us", s.op_time_us).field("op_time_avg_us", s.op_time_avg_us);
  w.field("op_time_ratio", s.op_time_ratio);
  w.field("busy_ratio", s.busy_ratio).field("schedule_bound", s.schedule_bound);
  write_parts(w, s);
  write_breakdown(w, s, steps);
  write_metrics(w, s);
  write_evidence(w, evidence);
  write_warnings(w, s);
  write_next(w, s);
  w.end_object();
}

}  // namespace stepwise::overview
