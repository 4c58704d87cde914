// Operators with a problem: those that cost most, ranked by their time, and what each problem is in all.
#include <algorithm>
#include <string>

#include "blocking_calls.h"
#include "custom_op_sync.h"
#include "device_rows.h"
#include "kernel_facts.h"
#include "kernel_problems.h"
#include "not_applicable.h"
#include "overview.h"
#include "read_steps.h"
#include "short_text.h"

namespace stepwise::overview {
namespace {

using sdk::Call;
using sdk::JsonWriter;

constexpr size_t kMaxRows = 10'000;  // what a result may hold; the rest goes into `other`
constexpr size_t kRowsInEvidence = 3;

struct Answer {
  uint32_t rank = 0;
  std::optional<Problem> only;
  ProblemInputs inputs;
  KernelProblems problems;
  std::vector<const ProblemGroup*> rows;  // that are shown, ranked
  std::optional<BlockingCalls> blocking;  // GPUs, where it is much
  bool knows_launches = false;
  bool knows_host_calls = false;  // that host_api can tell of
};

const ProblemTotal& total_of(const Answer& answer, Problem problem) {
  return answer.problems.totals[static_cast<size_t>(problem)];
}

// By kernel row, when the host's launching call began.
std::vector<int64_t> launches(Call& call, uint32_t rank, uint64_t kernels) {
  namespace link = table::kernel_link;
  const auto links = call.table(rank, link::kTable);
  const auto driver = call.table(rank, table::runtime_api::kTable);
  if (!links || !driver || !(*links)[link::runtime_api_id].any()) return {};
  std::vector<int64_t> out(kernels, INT64_MIN);
  call.for_each_row(links->rows(), [&](uint64_t row) {
    const auto api = (*links)[link::runtime_api_id].get(row);
    const auto kernel = static_cast<uint64_t>((*links)[link::kernel_id][row]);
    const bool known = api && static_cast<uint64_t>(*api) < driver->rows() && kernel < kernels;
    if (known) out[kernel] = (*driver)[table::runtime_api::start_ns][static_cast<uint64_t>(*api)];
  });
  return out;
}

// Without a `kind`: what was found, and what is listed always. Kernels of static networks are compiled for dynamic
// shapes, too: only those whose shapes differ are shown then.
bool is_shown(const Answer& answer, const ProblemGroup& group) {
  if (answer.only) return group.problem == *answer.only;
  if (group.problem == Problem::dynamic) return group.shapes_vary;
  return kind_of(group.problem).always_listed || total_of(answer, group.problem).found.value_or(false);
}

void choose_rows(Answer& answer) {
  for (const ProblemGroup& group : answer.problems.groups) {
    if (is_shown(answer, group)) answer.rows.push_back(&group);
  }
}

void write_row(JsonWriter& w, const ProblemGroup& group, const std::optional<std::string>& name) {
  w.begin_object().field("problem", kind_of(group.problem).name).field("op_type", group.op_type);
  w.field("name", name).field("task_type", group.task_type);
  w.field("input_shapes", short_cell(group.input_shapes)).field("output_shapes", short_cell(group.output_shapes));
  w.field("count", group.count).field("total_us", us_of(group.total_ns));
  if (group.wait_ns) w.field("wait_us", us_of(*group.wait_ns));
  w.field("value", group.value).field("threshold", group.threshold);
  w.field("unit", kind_of(group.problem).unit).field("row", group.row).end_object();
}

void write_rows(JsonWriter& w, const std::vector<const ProblemGroup*>& rows) {
  const size_t shown = std::min(rows.size(), kMaxRows);
  w.key("rows").begin_array();
  std::vector<std::optional<std::string_view>> names;
  for (size_t i = 0; i < shown; ++i) names.push_back(rows[i]->name);
  const auto texts = short_names_of(names);
  for (size_t i = 0; i < shown; ++i) write_row(w, *rows[i], texts[i]);
  w.end_array().field("total_rows", rows.size());
  if (shown == rows.size()) return;
  uint64_t count = 0;
  int64_t ns = 0;
  for (size_t i = shown; i < rows.size(); ++i) {
    count += rows[i]->count;
    ns += rows[i]->total_ns;
  }
  w.key("other").begin_object().field("count", count).field("total_us", us_of(ns)).end_object();
}

const char* ratio_of(const ProblemKind& kind) {
  return kind.measured == Measured::of_step ? "step" : is_of_computing(kind) ? "computing" : "operators";
}

// Found ones first, and of those the one that holds most time.
std::vector<const ProblemKind*> ranked_kinds(const Answer& answer) {
  std::vector<const ProblemKind*> out;
  for (const ProblemKind& kind : kProblemKinds) out.push_back(&kind);
  const auto rank = [&answer](const ProblemKind* kind) {
    const ProblemTotal& total = total_of(answer, kind->problem);
    return std::pair(total.found.value_or(false), total.value.value_or(0));
  };
  std::stable_sort(out.begin(), out.end(), [&rank](const auto* a, const auto* b) { return rank(a) > rank(b); });
  return out;
}

void write_problems(JsonWriter& w, const Answer& answer) {
  w.key("problems").begin_array();
  for (const ProblemKind* one : ranked_kinds(answer)) {
    const ProblemKind& kind = *one;
    const ProblemTotal& total = total_of(answer, kind.problem);
    if (answer.only && kind.problem != *answer.only) continue;
    if (!total.known || total.count == 0) continue;
    w.begin_object().field("problem", kind.name).field("found", total.found);
    w.field("count", total.count).field("total_us", us_of(total.total_ns));
    w.field("ratio", total.value).field("of", ratio_of(kind));
    w.key("threshold");
    const bool by_share = kind.measured != Measured::each || kind.share_at_least;
    by_share ? w.value(kind.share_at_least ? kind.share_at_least : kind.threshold) : w.value(nullptr);
    w.end_object();
  }
  w.end_array();
  w.key("none").begin_array();
  for (const ProblemKind& kind : kProblemKinds) {
    const ProblemTotal& total = total_of(answer, kind.problem);
    const bool asked = !answer.only || kind.problem == *answer.only;
    if (asked && total.known && total.count == 0) w.value(kind.name);
  }
  w.end_array();
  w.key("unknown").begin_array();
  for (const ProblemKind& kind : kProblemKinds) {
    const ProblemTotal& total = total_of(answer, kind.problem);
    if (total.known || (answer.only && kind.problem != *answer.only)) continue;
    w.begin_object().field("problem", kind.name).field("lacks", total.lacks).end_object();
  }
  w.end_array();
}

void write_host_wait(JsonWriter& w, const Answer& answer) {
  w.key("host_wait");
  if (!total_of(answer, Problem::host_wait).known) {
    w.value(nullptr);
    return;
  }
  w.begin_object().field("wait_us", us_of(answer.problems.host_wait_ns)).field("step_us", us_of(answer.inputs.wall_ns));
  w.key("host_bound_us");
  answer.knows_launches ? w.value(us_of(answer.problems.host_bound_ns)) : w.value(nullptr);
  w.end_object();
}

void write_cores(JsonWriter& w, const CoreCounts& cores) {
  const auto write = [&w](const char* side, const CoreCount& count) {
    w.key(side).begin_object().field("cores", count.cores());
    w.field("from", count.of_chip ? "chip" : count.seen ? "largest Block Dim seen, up to 64" : "none").end_object();
  };
  w.key("cores").begin_object();
  write("cube", cores.cube);
  write("vector", cores.vector);
  w.end_object();
}

void write_metrics(JsonWriter& w, const Answer& answer) {
  w.key("metrics").begin_object();
  for (const ProblemKind& kind : kProblemKinds) {
    const ProblemTotal& total = total_of(answer, kind.problem);
    if (kind.problem == Problem::custom_op_sync) continue;
    w.field("problem." + std::string(kind.name) + "_ratio", total.known ? total.value : std::nullopt);
  }
  w.end_object();
}

std::string name_of(const ProblemGroup& group) {
  return std::string(group.name.value_or(group.op_type.value_or("operators without a name")));
}

void write_evidence(JsonWriter& w, const Answer& answer) {
  w.key("evidence").begin_array();
  w.begin_object().field("id", "e1").field("file", answer.problems.file);
  w.field("says", "judged: " + std::to_string(answer.problems.operator_rows) + " executions of operators").end_object();
  for (size_t i = 0; i < std::min(answer.rows.size(), kRowsInEvidence); ++i) {
    const ProblemGroup& group = *answer.rows[i];
    w.begin_object().field("id", "e" + std::to_string(i + 2));
    w.field("file", group.file.empty() ? std::string_view(answer.problems.file) : group.file);
    w.field("row", group.row);
    w.field("says", std::string(kind_of(group.problem).name) + ": longest of `" + *short_name(name_of(group)) + "`")
        .end_object();
  }
  w.end_array();
}

void write_warnings(JsonWriter& w, const Answer& answer) {
  w.key("warnings").begin_array();
  const CoreCounts& cores = answer.inputs.cores;
  // Elsewhere `cores` says it: a report has enough warnings.
  const bool asked = answer.only == Problem::low_block_dim && total_of(answer, Problem::low_block_dim).known;
  const bool guessed =
      asked && ((cores.cube.seen && !cores.cube.of_chip) || (cores.vector.seen && !cores.vector.of_chip));
  if (guessed) {
    w.begin_object().field("code", "problems.cores_unknown");
    w.field("text",
            "The chip's number of cores is not known: low_block_dim is judged by the largest Block Dim seen, which the "
            "chip has at least.")
        .end_object();
  }
  w.end_array();
}

// Why to look at all operators now. That there is no problem can be said of what was looked for alone.
std::string why_top_operators(const Answer& answer) {
  if (!answer.rows.empty()) return "what share of all operators' time these have, shape by shape";
  if (answer.only) {
    const char* const outcome = total_of(answer, *answer.only).known ? "no operator has the problem `"
                                                                     : "this profile cannot tell of the problem `";
    return outcome + std::string(kind_of(*answer.only).name) + "`: which operators cost most";
  }
  const auto& totals = answer.problems.totals;
  const auto unknown = std::count_if(totals.begin(), totals.end(), [](const ProblemTotal& t) { return !t.known; });
  if (unknown == 0) return "no operator has a problem: which cost most";
  return "no operator has a problem of those that could be looked for (" + std::to_string(unknown) +
         " could not): which cost most";
}

void write_next(JsonWriter& w, const Answer& answer) {
  const auto next = [&](const char* tool, const char* key, const std::string& value, const std::string& why) {
    w.begin_object().field("tool", tool).key("arguments").begin_object();
    if (answer.rank != 0) w.field("rank", answer.rank);
    if (answer.inputs.step) w.field("step", *answer.inputs.step);
    if (key != nullptr) w.field(key, value);
    w.end_object().field("why", why).end_object();
  };
  w.key("next").begin_array();
  if (answer.blocking) {
    next("host_api", nullptr, "",
         "the host's calls that block, and from where: the device is idle for " + in_ms(answer.blocking->idle_ns) +
             " meanwhile, most in " + place_of(answer.blocking->groups.front()));
  } else if (answer.knows_host_calls && total_of(answer, Problem::host_wait).found.value_or(false)) {
    next("host_api", nullptr, "", "kernels wait for the host: which of its calls take long");
  }
  next("top_operators", "by", "shape", why_top_operators(answer));
  w.end_array();
}

int32_t emit(Call& call, const Answer& answer) {
  JsonWriter w;
  w.begin_object();
  w.field("window", answer.inputs.step ? "step " + std::to_string(*answer.inputs.step)
                                       : std::string("the whole run, in and outside steps"));
  w.key("operators").begin_object().field("count", answer.problems.operator_rows);
  w.field("total_us", us_of(answer.problems.operator_ns));
  w.field("computing_us", us_of(answer.problems.computing_ns)).end_object();
  write_problems(w, answer);
  write_host_wait(w, answer);
  write_cores(w, answer.inputs.cores);
  write_rows(w, answer.rows);
  write_metrics(w, answer);
  write_evidence(w, answer);
  write_warnings(w, answer);
  write_next(w, answer);
  w.end_object();
  return call.emit(w);
}

}  // namespace

int32_t problem_operators(Call& call) {
  const auto ranks = call.args().ranks();
  if (ranks.empty()) return call.fail(sdk::Fault::usage, "args.rank", "The call names no rank.");
  Answer answer;
  answer.rank = ranks.front();
  if (const auto kind = call.args().text("kind")) answer.only = problem_named(*kind);
  answer.inputs.step = call.args().integer("step");
  answer.inputs.is_gpu = is_gpu(call);
  const auto kernels = call.table(answer.rank, table::kernel::kTable);
  if (!kernels) return answer_not_applicable(call, "The profile tells nothing of single kernels.");

  const StepsAtHand at_hand = read_steps(call, answer.rank, kernels, answer.inputs.step);
  const auto window = at_hand.steps ? choose_window(*at_hand.steps, answer.inputs.step) : std::nullopt;
  if (answer.inputs.step && !window && !call.cancelled()) {
    return fail_unknown_step(call, *answer.inputs.step, at_hand.steps);
  }
  if (window && !is_undivided_run(*window)) {
    answer.inputs.wall_ns = window->sum.wall_ns();
  } else if (at_hand.device_rows) {
    answer.inputs.wall_ns = at_hand.device_rows->sum.wall_ns();
  }
  answer.inputs.timed = at_hand.timed;
  answer.inputs.shapes = shapes_vary(call, *kernels);
  answer.inputs.cores = core_counts(call, *kernels, call.table(answer.rank, table::meta::kTable));
  answer.inputs.launch_ns = launches(call, answer.rank, kernels->rows());
  answer.knows_launches = !answer.inputs.launch_ns.empty();
  for (const table::TableDecl* one : {&table::api_stat::kTable, &table::runtime_api::kTable, &table::host_op::kTable}) {
    const auto calls = call.table(answer.rank, *one);
    answer.knows_host_calls = answer.knows_host_calls || (calls && calls->rows() > 0);
  }
  if (answer.inputs.is_gpu && answer.knows_host_calls && kernels->rows() > 0) {
    const DeviceIdle idle(call, *kernels);
    auto blocking = blocking_calls(call, answer.rank, *kernels, idle, answer.inputs.step);
    const int64_t wall_ns = answer.inputs.step && window ? window->sum.wall_ns() : idle.span_ns();
    if (blocking && blocks_much(*blocking, wall_ns)) answer.blocking = std::move(blocking);
  }
  answer.problems = kernel_problems(call, *kernels, answer.inputs);
  add_custom_op_syncs(call, answer.rank, answer.inputs.step, answer.problems);
  settle_totals(answer.inputs, answer.problems);
  choose_rows(answer);
  return emit(call, answer);
}

}  // namespace stepwise::overview
