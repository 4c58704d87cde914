#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string_view>

#include "answer.h"
#include "stepwise/short_names.hpp"

namespace stepwise::comm_overlap {
namespace {

using sdk::JsonWriter;

// Above these it is a finding; of communication, of the step, of computing.
constexpr double kNotHidden = 0.30, kIdleToFill = 0.05, kDeviceWaits = 0.10;
// An operation that waits for so much of its wait and transfer does little else.
constexpr double kNearlyAll = 0.95;
constexpr size_t kNamesInFinding = 4;
// A kernel's name may be longer than all figures of its row.
constexpr size_t kNameColumns = 80;
// Of the step: an operation, or a group's wait, that is worth another call.
constexpr double kShareWorthALook = 0.05, kWaitWorthALook = 0.01;

std::optional<double> ratio(int64_t part_ns, int64_t whole_ns) {
  if (whole_ns <= 0) return std::nullopt;
  return static_cast<double>(part_ns) / static_cast<double>(whole_ns);
}

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", share * 100);
  return text;
}

/// What shares are of: neither a whole trace nor a run that nothing divides is a step.
const char* of_window(const Answer& a) {
  if (!a.is_of_steps()) return " of the whole run";
  return a.is_gpu && !a.step ? " of the whole trace" : " of the step";
}

void write_breakdown(JsonWriter& w, const Answer& a) {
  w.key("breakdown");
  if (!a.overlap) {
    w.value(nullptr);
    return;
  }
  const Breakdown& sum = a.sum;
  w.begin_object();
  w.field("computing_us", a.us(sum.computing_ns)).field("communication_us", a.us(sum.communication_ns()));
  w.field("overlapped_us", a.us(sum.overlapped_ns)).field("not_overlapped_us", a.us(sum.not_overlapped_ns));
  w.key("copy_not_overlapped_us");
  a.overlap->knows_copies ? w.value(a.us(sum.copy_not_overlapped_ns)) : w.value(nullptr);
  w.field("free_us", a.us(sum.free_ns)).key("bubble_us");
  a.overlap->knows_bubble ? w.value(a.us(sum.bubble_ns)) : w.value(nullptr);
  w.field("stage_us", a.us(sum.stage_ns())).field("wall_us", a.us(sum.wall_ns));
  w.field("source", a.overlap->source).field("window", a.window_text()).end_object();
}

void write_difference(JsonWriter& w, const std::optional<FileDifference>& difference) {
  w.key("against_step_file");
  if (!difference) {
    w.value(nullptr);
    return;
  }
  w.begin_object().field("file", difference->file).field("steps", difference->steps);
  w.field("largest_difference_us", us_of(difference->here_ns - difference->in_file_ns));
  w.field("figure", difference->figure)
      .field("step", difference->step)
      .field("in_file_us", us_of(difference->in_file_ns));
  w.end_object();
}

void write_rows(JsonWriter& w, const Answer& a) {
  w.key("rows").begin_array();
  for (const SpanRow& row : a.rows) {
    const Interval& when = row.span.when;
    w.begin_object().field("start_us", us_of(when.start_ns - a.origin_ns.value_or(0)));
    w.field("dur_us", us_of(when.end_ns - when.start_ns)).field("step", row.span.step);
    w.field("stage", row.stage).field("stage_by_time", row.stage_by_time);
    w.key("collectives").begin_array();
    for (const std::string& name : short_names({row.collectives.begin(), row.collectives.end()}, kNameColumns)) {
      w.value(name);
    }
    w.end_array().key("compute_waiting");
    row.compute_waiting ? w.value(short_name(*row.compute_waiting, kNameColumns)) : w.value(nullptr);
    w.end_object();
  }
  const size_t total = a.overlap ? a.overlap->uncovered.size() : 0;
  w.end_array().field("total_rows", total);
  if (total > a.rows.size()) {
    int64_t all_ns = 0;
    for (const Uncovered& one : a.overlap->uncovered) all_ns += one.when.end_ns - one.when.start_ns;
    w.key("other").begin_object().field("dur_us", us_of(all_ns - a.rows_ns)).end_object();
  }
  w.key("start_us_from");
  if (total == 0) {
    w.value(nullptr);
  } else {
    w.value(a.own_origin ? "the first uncovered span (the profile's origin is in a rank that was not read)"
                         : "the profile's origin_ns");
  }
}

void write_times(JsonWriter& w, const std::optional<Times>& times) {
  const auto part = [&](const char* key, int64_t Times::*ns) {
    w.key(key);
    times ? w.value(us_of(*times.*ns)) : w.value(nullptr);
  };
  part("transit_us", &Times::transit_ns);
  part("wait_us", &Times::wait_ns);
  part("idle_us", &Times::idle_ns);
  part("sync_us", &Times::sync_ns);
  w.key("wait_ratio");
  times ? w.value(times->wait_ratio()) : w.value(nullptr);
  // A ratio of next to nothing is no finding: 20 ns of wait without transfer make it 1.
  w.key("wait_counts");
  times ? w.value(times->wait_ns >= sdk::kWaitThatCountsNs) : w.value(nullptr);
}

void write_operation(JsonWriter& w, const Operation& one) {
  w.begin_object().field("name", one.name).field("type", one.type).field("group", one.group);
  w.field("count", one.count).field("elapse_us", us_of(one.elapse_ns));
  write_times(w, one.times);
  w.key("bandwidth_gb_s");
  const bool moved = one.traffic && one.traffic->transit_ns > 0;
  moved ? w.value(static_cast<double>(one.traffic->bytes) / static_cast<double>(one.traffic->transit_ns))
        : w.value(nullptr);
  w.key("transport");
  one.traffic ? w.value(one.traffic->transport) : w.value(nullptr);
  w.field("r_wait", one.r_wait).key("insufficient");
  one.insufficient.empty() ? w.value(nullptr) : w.value(one.insufficient);
  w.end_object();
}

void write_operations(JsonWriter& w, const Answer& a) {
  const std::optional<Operations>& operations = a.operations;
  w.key("ops");
  if (!operations) {
    w.value(nullptr).field("ops_total", nullptr);
    return;
  }
  const size_t shown = std::min(operations->list.size(), a.limit);
  w.begin_array();
  for (size_t i = 0; i < shown; ++i) write_operation(w, operations->list[i]);
  w.end_array();
  w.key("ops_total").begin_object().field("names", operations->list.size()).field("count", operations->all.count);
  w.field("elapse_us", us_of(operations->all.elapse_ns));
  write_times(w, operations->list.empty() ? std::nullopt : operations->all.times);
  w.end_object();
  if (shown == operations->list.size()) return;
  int64_t ns = operations->all.elapse_ns;
  uint64_t count = operations->all.count;
  for (size_t i = 0; i < shown; ++i) {
    ns -= operations->list[i].elapse_ns;
    count -= operations->list[i].count;
  }
  w.key("ops_other").begin_object().field("names", operations->list.size() - shown).field("count", count);
  w.field("elapse_us", us_of(ns)).end_object();
}

void write_groups(JsonWriter& w, const Answer& a) {
  const std::optional<std::vector<sdk::CommGroup>>& groups = a.groups;
  w.key("groups");
  if (!groups) {
    w.value(nullptr).field("groups_total", nullptr);
    return;
  }
  w.begin_array();
  for (size_t i = 0; i < groups->size() && i < a.limit; ++i) {
    w.begin_object();
    write_fields(w, (*groups)[i]);
    w.field("of_this_rank", has_rank((*groups)[i], a.rank));
    w.end_object();
  }
  w.end_array().field("groups_total", groups->size());
}

void write_finding(JsonWriter& w, const char* name, std::optional<double> value, double threshold, const char* of) {
  w.key(name).begin_object().key("holds");
  value ? w.value(*value > threshold) : w.value(nullptr);
  w.field("ratio", value).field("threshold", threshold).field("of", of).end_object();
}

void write_sources(JsonWriter& w, const Answer& a) {
  w.key("sync_sources");
  if (!a.sync_sources) {
    w.value(nullptr);
    return;
  }
  const size_t shown = std::min(a.sync_sources->size(), a.limit);
  int64_t left_out = 0;
  double left_out_us = 0;
  w.begin_array();
  for (size_t i = 0; i < a.sync_sources->size(); ++i) {
    const SyncSource& one = (*a.sync_sources)[i];
    if (i >= shown) {
      left_out += one.count;
      left_out_us += one.total_us;
      continue;
    }
    w.begin_object().field("api", one.api).field("side", one.side).field("stage", one.stage);
    w.field("count", one.count).field("total_us", one.total_us).field("max_us", one.max_us).end_object();
  }
  w.end_array();
  if (left_out == 0) return;
  w.key("sync_sources_other").begin_object().field("count", left_out).field("total_us", left_out_us).end_object();
}

/// Operations that do nothing but wait for another rank: no transfer, or next to none, beside a wait that counts.
void write_synchronization_bound(JsonWriter& w, const Answer& a) {
  w.key("synchronization_bound").begin_object().key("holds");
  const bool known = a.operations && a.operations->all.times.has_value();
  std::vector<const Operation*> bound;
  int64_t elapse_ns = 0;
  static const std::vector<Operation> kNone;
  for (const Operation& one : a.operations ? a.operations->list : kNone) {
    if (!one.times || one.times->wait_ns < sdk::kWaitThatCountsNs || one.times->wait_ratio() < kNearlyAll) continue;
    elapse_ns += one.elapse_ns;
    bound.push_back(&one);
  }
  known ? w.value(!bound.empty()) : w.value(nullptr);
  w.key("ratio");
  known ? w.value(ratio(elapse_ns, a.operations->all.elapse_ns)) : w.value(nullptr);
  w.field("threshold", kNearlyAll).field("of", "wait and transfer of an operation; ratio: of all operations' time");
  w.key("ops").begin_array();
  for (size_t i = 0; i < bound.size() && i < kNamesInFinding; ++i) w.value(bound[i]->name);
  w.end_array().end_object();
}

void write_findings(JsonWriter& w, const Answer& a) {
  const auto of = [&a](int64_t part, int64_t whole) { return a.overlap ? ratio(part, whole) : std::nullopt; };
  w.key("findings").begin_object();
  write_finding(w, "not_hidden", of(a.sum.not_overlapped_ns, a.sum.communication_ns()), kNotHidden, "communication");
  write_synchronization_bound(w, a);
  write_finding(w, "idle_to_fill", a.is_of_steps() ? of(a.sum.free_ns, a.sum.wall_ns) : std::nullopt, kIdleToFill,
                "step");
  std::optional<double> waits;
  if (a.overlap && a.device_wait_us && a.sum.computing_ns > 0) waits = *a.device_wait_us / us_of(a.sum.computing_ns);
  write_finding(w, "device_wait_bound", waits, kDeviceWaits, "computing");
  w.end_object();
}

void write_metrics(JsonWriter& w, const Answer& a) {
  const auto of = [&a](int64_t part, int64_t whole) { return a.overlap ? ratio(part, whole) : std::nullopt; };
  std::optional<double> wait_ratio, r_wait;
  if (a.operations && a.operations->all.times) wait_ratio = a.operations->all.times->wait_ratio();
  for (const sdk::CommGroup& one : a.groups.value_or(std::vector<sdk::CommGroup>{})) {
    if (one.r_wait && (!r_wait || *one.r_wait > *r_wait)) r_wait = one.r_wait;
  }
  w.key("metrics").begin_object();
  const auto of_step = [&](int64_t part) { return a.is_of_steps() ? of(part, a.sum.wall_ns) : std::nullopt; };
  w.field("comm.step_ratio", of_step(a.sum.communication_ns()));
  w.field("comm.not_overlapped_step_ratio", of_step(a.sum.not_overlapped_ns));
  w.field("comm.not_overlapped_ratio", of(a.sum.not_overlapped_ns, a.sum.communication_ns()));
  w.field("comm.overlap_ratio", of(a.sum.overlapped_ns, a.sum.communication_ns()));
  w.field("step.free_ratio", of_step(a.sum.free_ns));
  w.field("comm.wait_ratio", wait_ratio).field("comm.r_wait", r_wait).end_object();
}

void write_evidence(JsonWriter& w, const Answer& a) {
  int id = 0;
  const auto add = [&](const std::string& file, int64_t row, const std::string& says) {
    w.begin_object().field("id", "e" + std::to_string(++id)).field("file", file);
    if (row > 0) w.field("row", row);
    w.field("says", says).end_object();
  };
  w.key("evidence").begin_array();
  if (a.overlap) {
    add(a.overlap->file, 0,
        "breakdown over " + std::to_string(a.overlap->windows.size()) + " window(s), " +
            std::to_string(a.overlap->uncovered.size()) + " uncovered spans");
  }
  if (a.difference) {
    add(a.difference->file, a.difference->row,
        "the profiler's own " + a.difference->figure + ", which differs most from the intervals");
  }
  if (a.operations && !a.operations->list.empty()) {
    const Operation& top = a.operations->list.front();
    add(a.operations->file, top.longest_row, "the longest execution of " + top.name);
  }
  w.end_array();
}

void write_missing(JsonWriter& w, const Answer& a) {
  w.key("missing").begin_array();
  if (a.stages_by_time) {
    w.begin_object().field("input", "links from host calls to device work");
    w.field("costs", "stages of spans follow from the collective's kind and from what the host did then").end_object();
  }
  w.end_array();
}

// NCCL runs all-to-alls as kernels that send and receive: where it is known what an operation is, its name says
// nothing.
bool passes_between_stages(const Operation& one) {
  std::string what = one.type.value_or(one.name);
  std::transform(what.begin(), what.end(), what.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return what.find("send") != std::string::npos || what.find("recv") != std::string::npos ||
         what.find("receive") != std::string::npos;
}

// The operation that costs most, where it costs enough of the step: with whom it waits is for the tools over all ranks.
void write_next_of_operation(JsonWriter& w, const Answer& a) {
  if (!a.overlap || !a.operations || a.operations->list.empty() || !a.several_ranks) return;
  const Operation& top = a.operations->list.front();
  const auto exposed = ratio(a.sum.not_overlapped_ns, a.sum.wall_ns), own = ratio(top.elapse_ns, a.sum.wall_ns);
  if (exposed.value_or(0) < kShareWorthALook || own.value_or(0) < kShareWorthALook) return;
  // Only files of operations say which collectives ranks share: of kernels the summary finds out, and leads on.
  const bool pipeline = passes_between_stages(top), matched = a.groups.has_value();
  w.begin_object().field("tool", pipeline || !matched ? "cluster_summary" : "find_stragglers");
  w.key("arguments").begin_object();
  if (a.step) w.field("step", *a.step);
  w.end_object();
  w.field("why", "`" + short_name(top.name, kNameColumns) + "` costs most, " + percent(*own) + of_window(a) + ": " +
                     (pipeline  ? "it passes work between pipeline stages, so what each of them computes"
                      : matched ? "which rank the others wait for there, and what it did instead"
                                : "whether the ranks can be compared there, and how they differ"));
  w.end_object();
}

// A group of this rank whose transfer is long enough to judge by, and whose ranks wait noticeably for another one.
bool leads_to_late_rank(const sdk::CommGroup& one, const Answer& a) {
  if (!one.late_rank || *one.late_rank == a.rank || !one.insufficient.empty()) return false;
  const auto waited = a.overlap ? ratio(one.longest_wait_ns, a.sum.wall_ns) : std::nullopt;
  return has_rank(one, a.rank) && waited.value_or(0) >= kWaitWorthALook;
}

void write_next(JsonWriter& w, const Answer& a) {
  const auto share = a.overlap ? ratio(a.sum.computing_ns, a.sum.wall_ns) : std::nullopt;
  w.key("next").begin_array();
  write_next_of_operation(w, a);
  if (a.groups) {
    for (const sdk::CommGroup& one : *a.groups) {
      if (!leads_to_late_rank(one, a)) continue;
      w.begin_object().field("tool", "summarize_profile").key("arguments").begin_object();
      w.field("rank", *one.late_rank).end_object();
      w.field("why",
              "rank " + std::to_string(*one.late_rank) + " comes late to group " + one.id + ": what did it do instead")
          .end_object();
      break;
    }
  }
  if (share) {
    w.begin_object().field("tool", "top_operators").key("arguments").begin_object();
    if (a.rank != 0) w.field("rank", a.rank);
    if (a.step) w.field("step", *a.step);
    w.end_object().field("why", "computing is " + percent(*share) + of_window(a) + ": what could hide communication");
    w.end_object();
  }
  w.end_array();
}

}  // namespace

void write_answer(JsonWriter& w, const Answer& a) {
  w.begin_object();
  write_breakdown(w, a);
  write_difference(w, a.difference);
  write_rows(w, a);
  write_operations(w, a);
  write_groups(w, a);
  write_sources(w, a);
  write_findings(w, a);
  write_metrics(w, a);
  write_evidence(w, a);
  write_missing(w, a);
  write_next(w, a);
  w.end_object();
}

}  // namespace stepwise::comm_overlap
