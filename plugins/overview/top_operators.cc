// Which operators cost most: groups of the kernel table, ranked by their total.
#include <algorithm>
#include <string>

#include "device_rows.h"
#include "not_applicable.h"
#include "operator_groups.h"
#include "overview.h"
#include "short_text.h"

namespace stepwise::overview {
namespace {

using sdk::Call;
using sdk::JsonWriter;

constexpr size_t kMaxRows = 10'000;  // what a result may hold; the rest goes into `other`
constexpr size_t kRowsInEvidence = 3;

struct Request {
  GroupBy by = GroupBy::type;
  std::string by_text = "type";
  OperatorFilter filter;
  bool full_names = false;
  bool asked_for_types = false;  // of a profile that has none, so that names stand for them
};

Request read_request(const Call& call) {
  const sdk::Args& args = call.args();
  Request request;
  request.by_text = args.text("by").value_or("type");
  if (request.by_text == "name") request.by = GroupBy::name;
  if (request.by_text == "shape") request.by = GroupBy::shape;
  request.filter.step = args.integer("step");
  request.filter.core = args.text("core");
  request.full_names = args.boolean("full_names").value_or(false);
  if (is_gpu(call)) {
    // Their kernels have a name and nothing else to be grouped by.
    request.asked_for_types = request.by != GroupBy::name;
    request.by = GroupBy::name;
    request.by_text = "name";
    request.filter.only_kernels = true;
  }
  return request;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::optional<double> share(int64_t part_ns, int64_t whole_ns) {
  if (whole_ns <= 0) return std::nullopt;
  return static_cast<double>(part_ns) / static_cast<double>(whole_ns);
}

/// `name`: short; the whole one stands where that is asked for.
void write_row(JsonWriter& w, const OperatorGroup& group, const std::optional<std::string>& name,
               const OperatorTotals& totals, const Request& request) {
  w.begin_object().field("op_type", group.op_type);
  const auto text = [&w, &request](const char* key, const auto& whole, auto shorten) {
    request.full_names ? w.field(key, whole) : w.field(key, shorten(whole));
  };
  if (request.by == GroupBy::name) request.full_names ? w.field("name", group.name) : w.field("name", name);
  w.field("core_type", group.core_type);
  if (request.by == GroupBy::shape) {
    text("input_shapes", group.input_shapes, short_cell);
    text("dtypes", group.dtypes, short_cell);
  }
  w.field("count", group.count).field("total_us", us_of(group.total_ns));
  w.field("avg_us", group.count > 0 ? us_of(group.total_ns) / static_cast<double>(group.count) : 0.0);
  w.field("max_us", us_of(group.max_ns)).field("ratio", share(group.total_ns, totals.total_ns));
  w.field("mte_ratio", group.mte.value()).field("aic_ratio", group.aic.value()).field("aiv_ratio", group.aiv.value());
  w.end_object();
}

// What the kinds of cores hold of the selected operators; null: the profile tells of no cores.
void write_cores(JsonWriter& w, const OperatorTotals& totals) {
  struct Core {
    std::optional<std::string_view> type;
    uint64_t count = 0;
    int64_t total_ns = 0;
  };
  std::vector<Core> cores;
  for (const OperatorGroup& group : totals.groups) {
    auto it = std::find_if(cores.begin(), cores.end(), [&](const Core& core) { return core.type == group.core_type; });
    if (it == cores.end()) it = cores.insert(cores.end(), {group.core_type});
    it->count += group.count;
    it->total_ns += group.total_ns;
  }
  w.key("by_core");
  if (std::none_of(cores.begin(), cores.end(), [](const Core& core) { return core.type.has_value(); })) {
    w.value(nullptr);
    return;
  }
  std::stable_sort(cores.begin(), cores.end(), [](const Core& a, const Core& b) {
    return a.total_ns != b.total_ns ? a.total_ns > b.total_ns : a.type < b.type;
  });
  w.begin_array();
  for (const Core& core : cores) {
    w.begin_object().field("core_type", core.type).field("count", core.count).field("total_us", us_of(core.total_ns));
    w.field("ratio", share(core.total_ns, totals.total_ns)).end_object();
  }
  w.end_array();
}

void write_rows(JsonWriter& w, const OperatorTotals& totals, const Request& request) {
  const size_t shown = std::min(totals.groups.size(), kMaxRows);
  w.key("rows").begin_array();
  std::vector<std::optional<std::string_view>> names;
  for (size_t i = 0; i < shown; ++i) names.push_back(totals.groups[i].name);
  const auto texts = short_names_of(names);
  for (size_t i = 0; i < shown; ++i) write_row(w, totals.groups[i], texts[i], totals, request);
  w.end_array().field("total_rows", totals.groups.size());
  if (shown == totals.groups.size()) return;
  uint64_t count = 0;
  int64_t ns = 0;
  for (size_t i = shown; i < totals.groups.size(); ++i) {
    count += totals.groups[i].count;
    ns += totals.groups[i].total_ns;
  }
  w.key("other").begin_object().field("count", count).field("total_us", us_of(ns));
  w.field("ratio", share(ns, totals.total_ns)).end_object();
}

std::string name_of(const OperatorGroup& group) {
  return std::string(group.name.value_or(group.op_type.value_or("operators without a type")));
}

void write_evidence(JsonWriter& w, const OperatorTotals& totals, std::string_view file, const char* what_row) {
  w.key("evidence").begin_array();
  w.begin_object().field("id", "e1").field("file", file);
  w.field("says", "totals: sums over " + std::to_string(totals.count) + " executions").end_object();
  for (size_t i = 0; i < std::min(totals.groups.size(), kRowsInEvidence); ++i) {
    const OperatorGroup& group = totals.groups[i];
    w.begin_object().field("id", "e" + std::to_string(i + 2)).field("file", file).field("row", group.slowest_row);
    w.field("says", what_row + *short_name(name_of(group))).end_object();
  }
  w.end_array();
}

void write_warnings(JsonWriter& w, const Request& request, const OperatorTotals& totals) {
  const bool wrong_core = request.filter.core && totals.groups.empty();
  const bool no_types = request.by != GroupBy::name && !totals.groups.empty() &&
                        std::none_of(totals.groups.begin(), totals.groups.end(),
                                     [](const OperatorGroup& group) { return group.op_type.has_value(); });
  if (!wrong_core && !no_types && !request.asked_for_types) return;
  w.key("warnings").begin_array();
  if (wrong_core) {
    w.begin_object().field("code", "operators.core");
    w.field("text", "No operator ran on core `" + *request.filter.core +
                        "`; the file has: " + (totals.cores.empty() ? "none" : joined(totals.cores)) + ".")
        .end_object();
  }
  if (request.asked_for_types) {
    w.begin_object().field("code", "operators.no_types");
    w.field("text", "Kernels of a GPU trace have no operator type and no shapes; they are grouped by name.")
        .end_object();
  }
  if (no_types) {
    w.begin_object().field("code", "operators.no_types");
    w.field("text", "The profile names no operator types (Level0 does not); group by name instead.").end_object();
  }
  w.end_array();
}

/// Whether a row of the first page is cut.
bool cuts_any(const Request& request, const OperatorTotals& totals) {
  constexpr size_t kPage = 20;
  const auto is_cut = [](const auto& whole, auto shorten) { return whole && *shorten(whole) != *whole; };
  for (size_t i = 0; i < std::min(totals.groups.size(), kPage) && !request.full_names; ++i) {
    const OperatorGroup& one = totals.groups[i];
    if (request.by == GroupBy::name && is_cut(one.name, short_name)) return true;
    if (request.by == GroupBy::shape && (is_cut(one.input_shapes, short_cell) || is_cut(one.dtypes, short_cell)))
      return true;
  }
  return false;
}

void write_next(JsonWriter& w, const Request& request, const OperatorTotals& totals) {
  w.key("next").begin_array();
  if (cuts_any(request, totals)) {
    w.begin_object().field("tool", "top_operators").key("arguments").begin_object();
    w.field("by", request.by_text).field("full_names", true).end_object();
    w.field("why", "names with \u2026 in them and shapes that end in ... are cut: this gives them whole").end_object();
  }
  if (request.by == GroupBy::type && !totals.groups.empty()) {
    w.begin_object().field("tool", "top_operators").key("arguments").begin_object().field("by", "shape").end_object();
    w.field("why",
            "which input shapes `" + *short_name(name_of(totals.groups.front())) + "` and the others cost most with")
        .end_object();
  }
  w.end_array();
}

int32_t answer(Call& call, const Request& request, const OperatorTotals& totals, std::string_view file,
               bool of_statistic) {
  JsonWriter w;
  w.begin_object();
  if (of_statistic) w.field("status", "partial");
  w.field("by", request.by_text);
  w.field("window", request.filter.step ? "step " + std::to_string(*request.filter.step)
                                        : std::string("all rows of the file, in and outside steps"));
  w.key("operators").begin_object().field("count", totals.count).field("total_us", us_of(totals.total_ns)).end_object();
  w.key("communication_left_out");
  if (of_statistic) {
    w.value(nullptr);  // that file has no communication
  } else {
    w.begin_object().field("count", totals.left_out_communication);
    w.field("total_us", us_of(totals.left_out_communication_ns)).end_object();
  }
  const auto left_out = [&](const char* key, uint64_t count, int64_t ns) {
    w.key(key);
    if (!request.filter.only_kernels && count == 0) {
      w.value(nullptr);  // most of Ascend's files tell neither
      return;
    }
    w.begin_object().field("count", count).field("total_us", us_of(ns)).end_object();
  };
  left_out("copies_left_out", totals.left_out_copies, totals.left_out_copies_ns);
  left_out("memsets_left_out", totals.left_out_memsets, totals.left_out_memsets_ns);
  write_cores(w, totals);
  write_rows(w, totals, request);
  w.key("metrics").begin_object();
  w.field("op.top_ratio",
          totals.groups.empty() ? std::nullopt : share(totals.groups.front().total_ns, totals.total_ns));
  w.end_object();
  write_evidence(w, totals, file, of_statistic ? "the sum of " : "the longest execution of ");
  write_warnings(w, request, totals);
  write_next(w, request, totals);
  w.end_object();
  return call.emit(w);
}

}  // namespace

int32_t top_operators(Call& call) {
  const auto ranks = call.args().ranks();
  if (ranks.empty()) return call.fail(sdk::Fault::usage, "args.rank", "The call names no rank.");
  const Request request = read_request(call);

  if (const auto kernels = call.table(ranks.front(), table::kernel::kTable)) {
    const auto steps = call.table(ranks.front(), table::step::kTable);
    const TimedSteps timed = steps && !is_gpu(call) ? timed_steps(call, *steps) : TimedSteps{};
    const OperatorTotals totals =
        group_operators(call, *kernels, KernelSteps(*kernels, timed), request.by, request.filter);
    const bool known_step =
        !request.filter.step || std::binary_search(totals.steps.begin(), totals.steps.end(), *request.filter.step);
    if (!known_step && !call.cancelled()) {
      std::vector<std::string> known;
      for (size_t i = 0; i < totals.steps.size() && i < 8; ++i) known.push_back(std::to_string(totals.steps[i]));
      return call.fail(sdk::Fault::not_found, "step.unknown",
                       "The profile has no step " + std::to_string(*request.filter.step) + ".",
                       known.empty() ? "Its kernels have no steps; leave `step` out."
                                     : "It has " + std::to_string(totals.steps.size()) + ": " + joined(known) +
                                           (totals.steps.size() > 8 ? "..." : "") + ".");
    }
    return answer(call, request, totals, kernels->source_file(), false);
  }
  if (request.by != GroupBy::type || request.filter.step) {
    return answer_not_applicable(call,
                                 "Without kernel_details.csv operators are known by type only, over the whole run.");
  }
  if (const auto types = call.table(ranks.front(), table::op_stat::kTable)) {
    return answer(call, request, operators_of_statistic(call, *types, request.filter), types->source_file(), true);
  }
  return answer_not_applicable(call, "The profile has neither kernel_details.csv nor op_statistic.csv.");
}

}  // namespace stepwise::overview
