#include "core/advice/draft/quantities.h"

#include <algorithm>
#include <array>

namespace stepwise::advice {
namespace {

constexpr size_t kMaxOfSubject = 1024;  // an operator's has about ten

struct Fixed {
  std::string_view tool, pointer, subject;
  FigureUnit unit;
  Taken taken;
};
constexpr auto kFixed = std::to_array<Fixed>({
    {"summarize_profile", "/metrics/step.computing_ratio", "computing", FigureUnit::share, Taken::share_of_step},
    {"summarize_profile", "/metrics/step.free_ratio", "free", FigureUnit::share, Taken::share_of_step},
    {"summarize_profile", "/metrics/step.busy_ratio", "busy", FigureUnit::share, Taken::share_of_step},
    {"summarize_profile", "/metrics/comm.step_ratio", "communication", FigureUnit::share, Taken::share_of_step},
    {"summarize_profile", "/metrics/comm.not_overlapped_step_ratio", "not_overlapped", FigureUnit::share,
     Taken::share_of_step},
    {"summarize_profile", "/metrics/comm.not_overlapped_ratio", "not_overlapped", FigureUnit::share,
     Taken::share_of_communication},
    {"summarize_profile", "/metrics/comm.overlap_ratio", "overlapped", FigureUnit::share,
     Taken::share_of_communication},
    {"comm_overlap", "/metrics/step.free_ratio", "free", FigureUnit::share, Taken::share_of_step},
    {"comm_overlap", "/metrics/comm.step_ratio", "communication", FigureUnit::share, Taken::share_of_step},
    {"comm_overlap", "/metrics/comm.not_overlapped_step_ratio", "not_overlapped", FigureUnit::share,
     Taken::share_of_step},
    {"comm_overlap", "/metrics/comm.not_overlapped_ratio", "not_overlapped", FigureUnit::share,
     Taken::share_of_communication},
    {"comm_overlap", "/metrics/comm.overlap_ratio", "overlapped", FigureUnit::share, Taken::share_of_communication},
    {"summarize_profile", "/iterations/wall_avg_us", "step", FigureUnit::time_us, Taken::per_step},
    {"summarize_profile", "/iterations/p50_us", "step", FigureUnit::time_us, Taken::median},
    {"summarize_profile", "/iterations/p99_us", "step", FigureUnit::time_us, Taken::otherwise},
    {"summarize_profile", "/h2d_us", "h2d", FigureUnit::time_us, Taken::per_call},
    {"summarize_profile", "/d2h_us", "d2h", FigureUnit::time_us, Taken::per_call},
    {"summarize_profile", "/model_execute_us", "model_execute", FigureUnit::time_us, Taken::per_call},
    {"stage_breakdown", "/step_us", "step", FigureUnit::time_us, Taken::per_step},
    {"top_operators", "/operators/total_us", "operators", FigureUnit::time_us, Taken::in_total},
    {"top_operators", "/operators/count", "operators", FigureUnit::count, Taken::in_total},
    {"top_operators", "/communication_left_out/total_us", "communication", FigureUnit::time_us, Taken::otherwise},
    {"problem_operators", "/metrics/problem.host_wait_ratio", "host_wait", FigureUnit::share, Taken::share_of_step},
    {"problem_operators", "/host_wait/wait_us", "host_wait", FigureUnit::time_us, Taken::in_total},
    {"host_api", "/metrics/host.launches_per_step", "launches", FigureUnit::count, Taken::per_step},
});

struct Column {
  std::string_view key;
  FigureUnit unit;
  Taken taken;
};
constexpr auto kOperatorColumns = std::to_array<Column>({
    {"total_us", FigureUnit::time_us, Taken::in_total},
    {"avg_us", FigureUnit::time_us, Taken::per_call},
    {"max_us", FigureUnit::time_us, Taken::longest},
    {"count", FigureUnit::count, Taken::in_total},
    {"ratio", FigureUnit::share, Taken::share_of_operators},
});
constexpr auto kCallColumns = std::to_array<Column>({
    {"total_us", FigureUnit::time_us, Taken::in_total},
    {"avg_us", FigureUnit::time_us, Taken::per_call},
    {"max_us", FigureUnit::time_us, Taken::longest},
    {"self_us", FigureUnit::time_us, Taken::otherwise},
    {"count", FigureUnit::count, Taken::in_total},
    {"per_step", FigureUnit::count, Taken::per_step},
});
constexpr auto kCollectiveColumns = std::to_array<Column>({
    {"elapse_us", FigureUnit::time_us, Taken::in_total},
    {"transit_us", FigureUnit::time_us, Taken::otherwise},
    {"wait_us", FigureUnit::time_us, Taken::otherwise},
    {"sync_us", FigureUnit::time_us, Taken::otherwise},
    {"idle_us", FigureUnit::time_us, Taken::otherwise},
    {"count", FigureUnit::count, Taken::in_total},
    {"bandwidth_gb_s", FigureUnit::bytes_per_s, Taken::bandwidth},
});
constexpr auto kSynchronisationColumns = std::to_array<Column>({
    {"total_us", FigureUnit::time_us, Taken::otherwise},
    {"max_us", FigureUnit::time_us, Taken::otherwise},
    {"count", FigureUnit::count, Taken::otherwise},
});
constexpr auto kStageColumns = std::to_array<Column>({
    {"wall_us", FigureUnit::time_us, Taken::per_step},
    {"exclusive_us", FigureUnit::time_us, Taken::otherwise},
    {"all_threads_us", FigureUnit::time_us, Taken::otherwise},
    {"device_us", FigureUnit::time_us, Taken::otherwise},
    {"wait_us", FigureUnit::time_us, Taken::otherwise},
    {"ratio", FigureUnit::share, Taken::share_of_step},
});
// Of the executions that have a problem, which an operator's name alone does not say.
constexpr auto kProblemRowColumns = std::to_array<Column>({
    {"total_us", FigureUnit::time_us, Taken::otherwise},
    {"wait_us", FigureUnit::time_us, Taken::otherwise},
    {"count", FigureUnit::count, Taken::otherwise},
    {"value", FigureUnit::share, Taken::otherwise},
    {"ratio", FigureUnit::share, Taken::otherwise},
});
constexpr auto kProblemColumns = std::to_array<Column>({
    {"total_us", FigureUnit::time_us, Taken::in_total},
    {"count", FigureUnit::count, Taken::in_total},
    {"ratio", FigureUnit::share, Taken::share_of_operators},
});

const Json* member(const Json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  const auto it = object.find(std::string(key));
  return it == object.end() ? nullptr : &*it;
}

const Json* at(const Json& answer, std::string_view pointer) {
  const Json* here = &answer;
  while (here != nullptr && !pointer.empty()) {
    pointer.remove_prefix(1);
    const size_t end = std::min(pointer.find('/'), pointer.size());
    here = member(*here, pointer.substr(0, end));
    pointer.remove_prefix(end);
  }
  return here;
}

std::string text_of(const Json* value) {
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

const Json& list_of(const Answers& answers, const std::string& tool, std::string_view key) {
  static const Json kNone = Json::array();
  const auto answer = answers.find(tool);
  const Json* list = answer == answers.end() ? nullptr : member(answer->second, key);
  return list != nullptr && list->is_array() ? *list : kNone;
}

double scale_of(FigureUnit unit) { return unit == FigureUnit::bytes_per_s ? 1e9 : 1; }  // columns are in GB/s

FigureUnit unit_of_metric(std::string_view name) {
  if (name.ends_with("_us")) return FigureUnit::time_us;
  if (name.ends_with("_bytes")) return FigureUnit::bytes;
  return name.ends_with("_ratio") || name.ends_with(".r_wait") ? FigureUnit::share : FigureUnit::count;
}

}  // namespace

std::string_view to_string(Taken taken) {
  switch (taken) {
    case Taken::in_total:
      return "in total";
    case Taken::per_step:
      return "a step";
    case Taken::per_call:
      return "a call";
    case Taken::longest:
      return "longest call";
    case Taken::median:
      return "median";
    case Taken::share_of_step:
      return "share of the step";
    case Taken::share_of_communication:
      return "share of communication";
    case Taken::share_of_operators:
      return "share of the operators' time";
    case Taken::bandwidth:
      return "bandwidth";
    case Taken::allocated:
      return "allocated";
    case Taken::reserved:
      return "reserved";
    case Taken::otherwise:
      break;
  }
  return "as it stands";
}

Quantities::Quantities(const Answers& answers) {
  take_fixed(answers);
  for (const std::string tool : {"summarize_profile", "comm_overlap"}) {
    if (const auto answer = answers.find(tool); answer != answers.end()) take_breakdown(tool, answer->second);
  }
  take_rows(answers);
  take_ranks(answers);
  take_memory(answers);
  take_metrics(answers);
}

const std::vector<Quantity>& Quantities::of(std::string_view subject) const {
  static const std::vector<Quantity> kNone;
  const auto it = by_subject_.find(std::string(subject));
  return it == by_subject_.end() ? kNone : it->second;
}

void Quantities::take(const std::string& subject, FigureUnit unit, Taken taken, const Json* value,
                      const std::string& where) {
  if (value == nullptr || !value->is_number()) return;
  std::vector<Quantity>& list = by_subject_[subject];
  if (list.size() < kMaxOfSubject) list.push_back({unit, taken, value->get<double>() * scale_of(unit), where});
}

void Quantities::take_fixed(const Answers& answers) {
  for (const Fixed& one : kFixed) {
    const auto answer = answers.find(std::string(one.tool));
    if (answer == answers.end()) continue;
    take(std::string(one.subject), one.unit, one.taken, at(answer->second, one.pointer),
         std::string(one.tool) + "#" + std::string(one.pointer));
  }
  const auto summary = answers.find("summarize_profile");
  if (summary == answers.end()) return;
  if (const Json* steps = at(summary->second, "/iterations/count"); steps != nullptr && steps->is_number()) {
    steps_ = steps->get<double>();
  }
  if (const Json* rank = member(summary->second, "rank"); rank != nullptr && rank->is_number_integer()) {
    rank_ = rank->get<int64_t>();
  }
}

void Quantities::take_breakdown(const std::string& tool, const Json& answer) {
  // The parts are those of a mean step, but where the window says that they are of the whole span (GPUs).
  const std::string window = text_of(at(answer, "/breakdown/window"));
  const bool is_of_step = window.empty() || window.starts_with("mean of ") || window.starts_with("step ");
  for (const std::string part :
       {"computing", "communication", "not_overlapped", "overlapped", "free", "bubble", "wall"}) {
    take(part == "wall" ? "step" : part, FigureUnit::time_us,
         is_of_step       ? Taken::per_step
         : part == "wall" ? Taken::otherwise
                          : Taken::in_total,
         at(answer, "/breakdown/" + part + "_us"), tool + "#/breakdown/" + part + "_us");
  }
}

void Quantities::take_rows(const Answers& answers) {
  const auto rows_of = [&](const std::string& tool, std::string_view list, std::string_view name,
                           const std::string& subject, const auto& columns) {
    const Json& rows = list_of(answers, tool, list);
    for (size_t i = 0; i < rows.size(); ++i) {
      const std::string of = text_of(member(rows[i], name));
      if (of.empty()) continue;
      const std::string where = tool + "#/" + std::string(list) + "/" + std::to_string(i) + "/";
      for (const Column& one : columns) {
        take(subject + of, one.unit, one.taken, member(rows[i], one.key), where + std::string(one.key));
      }
    }
  };
  rows_of("top_operators", "rows", "op_type", "op ", kOperatorColumns);
  rows_of("top_operators", "rows", "name", "op ", kOperatorColumns);
  rows_of("host_api", "rows", "name", "op ", kCallColumns);
  rows_of("comm_overlap", "ops", "name", "op ", kCollectiveColumns);
  rows_of("comm_overlap", "sync_sources", "api", "op ", kSynchronisationColumns);
  rows_of("problem_operators", "rows", "op_type", "op ", kProblemRowColumns);
  rows_of("problem_operators", "problems", "problem", "problem ", kProblemColumns);
  rows_of("stage_breakdown", "rows", "stage", "stage ", kStageColumns);
}

void Quantities::take_ranks(const Answers& answers) {
  const auto take_rank = [&](const std::string& tool, std::string_view list, std::string_view key,
                             std::string_view subject) {
    const Json& rows = list_of(answers, tool, list);
    for (size_t i = 0; i < rows.size(); ++i) {
      const Json* rank = member(rows[i], "rank");
      if (rank == nullptr || !rank->is_number_integer()) continue;
      take("rank " + std::to_string(rank->get<int64_t>()) + " " + std::string(subject), FigureUnit::time_us,
           Taken::per_step, member(rows[i], key),
           tool + "#/" + std::string(list) + "/" + std::to_string(i) + "/" + std::string(key));
    }
  };
  take_rank("cluster_summary", "ranks", "computing_us", "computing");
  take_rank("cluster_summary", "ranks", "communication_us", "communication");
  take_rank("cluster_summary", "ranks", "not_overlapped_us", "not_overlapped");
  take_rank("cluster_summary", "ranks", "free_us", "free");
  take_rank("cluster_summary", "ranks", "wait_us", "wait");
  take_rank("cluster_summary", "ranks", "wall_us", "step");
  take_rank("find_stragglers", "rows", "late_us", "late");
}

void Quantities::take_memory(const Answers& answers) {
  // "The peak" is the largest of the components' peaks, which hold each other.
  const Json& peaks = list_of(answers, "memory", "peak");
  const auto take_largest = [&](std::string_view key, Taken taken) {
    const auto bytes = [&](const Json& row) {
      const Json* value = member(row, key);
      return value != nullptr && value->is_number() ? value->get<double>() : -1;
    };
    const auto largest =
        std::max_element(peaks.begin(), peaks.end(), [&](const Json& a, const Json& b) { return bytes(a) < bytes(b); });
    for (auto row = peaks.begin(); row != peaks.end(); ++row) {
      const bool is_peak = bytes(*row) == bytes(*largest);
      take("memory", FigureUnit::bytes, is_peak ? taken : Taken::otherwise, member(*row, key),
           "memory#/peak/" + std::to_string(row - peaks.begin()) + "/" + std::string(key));
    }
  };
  take_largest("reserved_bytes", Taken::reserved);
  take_largest("allocated_bytes", Taken::allocated);
  take_largest("active_bytes", Taken::otherwise);
}

void Quantities::take_metrics(const Answers& answers) {
  for (const auto& [tool, answer] : answers) {
    const Json* metrics = member(answer, "metrics");
    if (metrics == nullptr || !metrics->is_object()) continue;
    for (const auto& [name, value] : metrics->items()) {
      take("metric " + name, unit_of_metric(name), Taken::per_step, &value, tool + "#/metrics/" + name);
    }
  }
}

}  // namespace stepwise::advice
