// Host calls that cost most, and what is wrong with them.
#include <algorithm>
#include <map>
#include <string>

#include "blocking_calls.h"
#include "device_rows.h"
#include "host_flags.h"
#include "host_rows.h"
#include "iterations.h"
#include "not_applicable.h"
#include "overview.h"
#include "read_steps.h"
#include "short_text.h"
#include "timeline_steps.h"

namespace stepwise::overview {
namespace {

using sdk::Call;
using sdk::JsonWriter;

constexpr size_t kMaxRows = 10'000;  // what a result may hold
constexpr size_t kBlockingShown = 8;

struct Answer {
  uint32_t rank = 0;
  std::optional<int64_t> step;
  Iterations iterations;
  std::vector<HostRow> rows;
  std::vector<HostFlag> flags;
  std::optional<BlockingCalls> blocking;             // GPUs
  bool knows_ranges = false, knows_kernels = false;  // what problem_operators needs to look for an answer
};

// The device idle while a host call blocks; nullopt: there is no time to hold it against.
std::optional<HostFlag> flag_of_blocking(const BlockingCalls& blocking, int64_t wall_ns) {
  if (wall_ns <= 0) return std::nullopt;
  HostFlag out{};
  out.flag = "blocking";
  out.unit = "of the window, device idle";
  out.value = static_cast<double>(blocking.idle_ns) / static_cast<double>(wall_ns);
  out.threshold = kBlockedOfTime;
  out.found = blocks_much(blocking, wall_ns);
  if (blocking.groups.empty()) return out;
  const BlockingCall& most = blocking.groups.front();
  out.level = most.call == "aten::item" || most.call == "aten::_local_scalar_dense" ? "framework" : "runtime";
  out.calls = most.call;
  out.file = blocking.file;
  out.row = most.row;
  return out;
}

std::optional<double> per_step(const Answer& answer, uint64_t count) {
  if (answer.step) return static_cast<double>(count);
  if (!answer.iterations.count || *answer.iterations.count == 0) return std::nullopt;
  return static_cast<double>(count) / static_cast<double>(*answer.iterations.count);
}

void write_rows(JsonWriter& w, const Answer& answer) {
  w.key("rows").begin_array();
  for (size_t i = 0; i < std::min(answer.rows.size(), kMaxRows); ++i) {
    const HostRow& row = answer.rows[i];
    w.begin_object().field("name", short_name(row.name)).field("level", row.level).field("count", row.count);
    w.field("total_us", us_of(row.total_ns));
    w.field("avg_us", row.count > 0 ? us_of(row.total_ns) / static_cast<double>(row.count) : 0.0);
    w.key("max_us");
    row.max_ns ? w.value(us_of(*row.max_ns)) : w.value(nullptr);
    w.field("per_step", per_step(answer, row.count));
    if (row.self_ns) w.field("self_us", us_of(*row.self_ns));
    if (row.device_idle_ns) w.field("device_idle_us", us_of(*row.device_idle_ns));
    w.end_object();
  }
  w.end_array().field("total_rows", answer.rows.size());
}

void write_flags(JsonWriter& w, const Answer& answer) {
  w.key("flags").begin_array();
  size_t evidence = 0;
  for (const HostFlag& flag : answer.flags) {
    w.begin_object().field("flag", flag.flag).field("found", flag.found);
    w.field("value", flag.value).field("threshold", flag.threshold).field("unit", flag.unit);
    if (!flag.calls.empty()) w.field("calls", flag.calls).field("level", flag.level);
    if (flag.worst) w.field("worst", flag.worst).field("worst_step", flag.worst_step);
    if (flag.avg_us) w.field("avg_us", flag.avg_us);
    if (!flag.calls.empty()) w.field("evidence", "e" + std::to_string(++evidence));
    w.end_object();
  }
  w.end_array();
}

void write_blocking(JsonWriter& w, const Answer& answer) {
  if (!answer.blocking) return;
  const std::vector<BlockingCall>& groups = answer.blocking->groups;
  w.key("blocking").begin_array();
  for (size_t i = 0; i < std::min(groups.size(), kBlockingShown); ++i) {
    const BlockingCall& one = groups[i];
    w.begin_object().field("call", short_name(one.call)).field("copied", one.copied);
    w.field("op", short_name(one.op)).field("within", short_name(one.within)).field("source", one.source);
    w.field("kind", one.kind)
        .field("count", one.count)
        .field("total_us", us_of(one.total_ns))
        .field("max_us", us_of(one.longest_ns));
    w.field("device_idle_us", us_of(one.idle_ns)).field("row", one.row).end_object();
  }
  w.end_array().field("blocking_total", groups.size());
}

void write_metrics(JsonWriter& w, const Answer& answer) {
  const auto value = [&answer](std::string_view name) -> std::optional<double> {
    for (const HostFlag& flag : answer.flags) {
      if (name == flag.flag) return flag.value;
    }
    return std::nullopt;
  };
  w.key("metrics").begin_object().field("host.copies_per_step", value("copies"));
  w.field("host.synchronisations_per_step", value("synchronisations"));
  w.field("host.synchronisation_us_per_step", value("synchronisation_time"));
  w.field("host.launches_per_step", value("launches"));
  w.field("host.blocking_idle_ratio", value("blocking"));
  w.field("device.wait_ratio", value("device_waits")).end_object();
}

void write_evidence(JsonWriter& w, const Answer& answer) {
  w.key("evidence").begin_array();
  size_t count = 0;
  for (const HostFlag& flag : answer.flags) {
    if (flag.calls.empty()) continue;
    w.begin_object().field("id", "e" + std::to_string(++count)).field("file", flag.file).field("row", flag.row);
    w.field("says", std::string(flag.flag) + ": `" + std::string(flag.calls) + "`, the longest of them").end_object();
  }
  w.end_array();
}

// Around the longest call at the costliest place, with a quarter of it before and behind.
void write_next_of_blocking(JsonWriter& w, Call& call, const Answer& answer) {
  const auto origin_ns = call.args().profile().origin_ns;
  const bool found = std::any_of(answer.flags.begin(), answer.flags.end(), [](const HostFlag& flag) {
    return flag.found && std::string_view(flag.flag) == "blocking";
  });
  if (!origin_ns || !found) return;
  const BlockingCall& one = answer.blocking->groups.front();
  w.begin_object().field("tool", "timeline").key("arguments").begin_object().field("rank", answer.rank);
  w.field("start_us", us_of(one.longest_start_ns - one.longest_ns / 4 - *origin_ns));
  w.field("end_us", us_of(one.longest_start_ns + one.longest_ns + one.longest_ns / 4 - *origin_ns)).end_object();
  w.field("why", "what ran around the longest " + place_of(one) + ": the device was idle for " + in_ms(one.idle_ns) +
                     " during such calls");
  w.end_object();
}

void write_next(JsonWriter& w, Call& call, const Answer& answer) {
  const auto next = [&](const char* tool, const char* kind, const std::string& why) {
    w.begin_object().field("tool", tool).key("arguments").begin_object();
    if (answer.rank != 0) w.field("rank", answer.rank);
    if (answer.step) w.field("step", *answer.step);
    if (kind != nullptr) w.field("kind", kind);
    w.end_object().field("why", why).end_object();
  };
  w.key("next").begin_array();
  write_next_of_blocking(w, call, answer);
  for (const HostFlag& flag : answer.flags) {
    if (!flag.found) continue;
    const std::string_view name = flag.flag;
    if (name == "synchronisations" && answer.knows_ranges && answer.knows_kernels) {
      next("problem_operators", "custom_op_sync", "whether custom operators synchronise inside");
    } else if (name == "launches" && answer.knows_kernels) {
      next("problem_operators", "host_wait", "whether kernels wait for these launches");
    } else if (name == "device_waits") {
      next("comm_overlap", nullptr, "what the device waits for: other cards, or its own streams");
    }
  }
  w.end_array();
}

// Where the steps begin on the device: with the first kernel that the file gives them.
std::vector<DeviceStep> device_steps(const Call& call, const sdk::TableView& kernels, const Steps& steps) {
  namespace kernel = table::kernel;
  std::map<int64_t, int64_t> first_ns;
  call.for_each_row(kernels.rows(), [&](uint64_t row) {
    if (const auto step = kernels[kernel::step].get(row)) first_ns.try_emplace(*step, kernels[kernel::start_ns][row]);
  });
  std::vector<DeviceStep> out;
  for (const Step& step : steps.steps) {
    const auto first = step.number ? first_ns.find(*step.number) : first_ns.end();
    if (first != first_ns.end()) out.push_back({*step.number, first->second, step.computing_ns});
  }
  std::sort(out.begin(), out.end(), [](const DeviceStep& a, const DeviceStep& b) { return a.first_ns < b.first_ns; });
  return out;
}

int32_t emit(Call& call, const Answer& answer) {
  JsonWriter w;
  w.begin_object();
  w.field("window", answer.step ? "step " + std::to_string(*answer.step) : std::string("the whole run"));
  w.key("iterations").begin_object().field("count", answer.iterations.count);
  w.field("source", answer.iterations.source).end_object();
  write_flags(w, answer);
  write_blocking(w, answer);
  write_rows(w, answer);
  write_metrics(w, answer);
  write_evidence(w, answer);
  write_next(w, call, answer);
  w.end_object();
  return call.emit(w);
}

}  // namespace

int32_t host_api(Call& call) {
  const auto ranks = call.args().ranks();
  if (ranks.empty()) return call.fail(sdk::Fault::usage, "args.rank", "The call names no rank.");
  Answer answer;
  answer.rank = ranks.front();
  answer.step = call.args().integer("step");
  const auto statistic = call.table(answer.rank, table::api_stat::kTable);
  const auto driver = call.table(answer.rank, table::runtime_api::kTable);
  const auto ops = call.table(answer.rank, table::host_op::kTable);
  if (answer.step && !driver && !ops) {
    return answer_not_applicable(call, "Without a timeline the host's calls are known over the whole run only.");
  }
  const auto kernels = call.table(answer.rank, table::kernel::kTable);
  answer.knows_ranges = driver && driver->rows() > 0 && ops && ops->rows() > 0;
  answer.knows_kernels = kernels && kernels->rows() > 0;
  StepsAtHand at_hand = read_steps(call, answer.rank, kernels, answer.step);
  if (!at_hand.steps && !is_gpu(call)) {
    if (const auto ranges = call.table(answer.rank, table::step_range::kTable))
      at_hand.steps = steps_of_ranges(call, *ranges);
  }
  const auto window = at_hand.steps ? choose_window(*at_hand.steps, answer.step) : std::nullopt;
  if (answer.step && !window && !call.cancelled()) return fail_unknown_step(call, *answer.step, at_hand.steps);

  const auto calls = statistic ? std::optional(host_calls(call, *statistic)) : std::nullopt;
  const auto facts = kernels ? std::optional(kernel_facts(call, *kernels, is_gpu(call))) : std::nullopt;
  answer.iterations = infer_iterations(at_hand.steps, calls, facts, at_hand.timed);

  std::optional<DeviceIdle> idle;
  if (kernels && kernels->rows() > 0 && is_gpu(call)) {
    idle.emplace(call, *kernels);
    answer.blocking = blocking_calls(call, answer.rank, *kernels, *idle, answer.step);
  }
  const DeviceIdle* const of_device = idle ? &*idle : nullptr;

  // The profiler's own sums have levels that a timeline may leave out.
  if (statistic && !answer.step) {
    answer.rows = rows_of_statistic(call, *statistic);
  } else if (driver) {
    answer.rows = rows_of_driver(call, *driver, answer.step, of_device);
  }
  if (ops) {
    const auto framework = rows_of_framework(call, *ops, answer.step, of_device);
    answer.rows.insert(answer.rows.end(), framework.begin(), framework.end());
  }
  rank(answer.rows);

  FlagInputs inputs;
  inputs.iterations = answer.iterations.count;
  inputs.step = answer.step;
  if (window && !is_gpu(call)) {
    inputs.computing_ns = window->sum.computing_ns;
    if (kernels) inputs.device_steps = device_steps(call, *kernels, *at_hand.steps);
  }
  answer.flags = host_flags(call, answer.rank, inputs);
  if (answer.blocking) {
    const int64_t wall_ns = answer.step && window ? window->sum.wall_ns() : idle->span_ns();
    if (const auto flag = flag_of_blocking(*answer.blocking, wall_ns)) answer.flags.push_back(*flag);
  }
  return emit(call, answer);
}

}  // namespace stepwise::overview
