#include "core/ingest/database/db_steps.h"

#include <algorithm>

#include "core/base/text.h"

namespace stepwise::ingest {

DbApiTypes::DbApiTypes(Database& database, const std::string& file, IngestContext& context)
    : names_{{5000, "runtime"}, {5500, "communication"}, {10000, "node"},  {15000, "model"}, {20000, "acl"},
             {50001, "op"},     {50002, "queue"},        {50003, "trace"}, {50004, "mstx"}} {
  DbRows rows(database, "ENUM_API_TYPE", {required("id"), required("name")}, file, context);
  while (rows.next()) {
    const auto id = rows.integer(0);
    const auto name = rows.text(1);
    if (id && name && !name->empty()) names_[*id] = to_valid_utf8(*name);
  }
}

const std::string& DbApiTypes::name(std::optional<int64_t> type) const {
  static const std::string kNone;
  const auto it = type ? names_.find(*type) : names_.end();
  return it == names_.end() ? kNone : it->second;
}

bool DbApiTypes::has(const std::string& name) const {
  return std::any_of(names_.begin(), names_.end(), [&name](const auto& one) { return one.second == name; });
}

std::unordered_map<int64_t, std::vector<int64_t>> read_connection_sets(Database& database, const std::string& file,
                                                                       IngestContext& context) {
  std::unordered_map<int64_t, std::vector<int64_t>> sets;
  DbRows rows(database, "CONNECTION_IDS", {required("id"), required("connectionId")}, file, context);
  while (rows.next()) {
    const auto id = rows.integer(0), connection = rows.integer(1);
    if (id && connection) {
      sets[*id].push_back(*connection);
    } else {
      rows.leave_out("holds no numbers");
    }
  }
  return sets;
}

std::optional<int64_t> step_in_name(std::string_view name) {
  constexpr std::string_view kPrefix = "ProfilerStep#";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  return to_integer(name.substr(kPrefix.size()));
}

void DbStepRanges::add(int64_t start_ns, int64_t end_ns) {
  start_ns_.push_back(start_ns);
  end_ns_.push_back(end_ns);
  latest_end_ns_.push_back(latest_end_ns_.empty() ? end_ns : std::max(end_ns, latest_end_ns_.back()));
}

std::optional<size_t> DbStepRanges::find(int64_t time_ns) const {
  // All before the first that ends at the time or later have ended.
  const auto first = std::lower_bound(latest_end_ns_.begin(), latest_end_ns_.end(), time_ns);
  for (auto at = static_cast<size_t>(first - latest_end_ns_.begin()); at < start_ns_.size(); ++at) {
    if (start_ns_[at] <= time_ns && time_ns <= end_ns_[at]) return at;
  }
  return std::nullopt;
}

DbSteps::DbSteps(Database& database, const DbStrings& strings, const DbApiTypes& types, const DbDevice& device,
                 const std::string& file, IngestContext& context)
    : is_framework_(database.has("STEP_TIME") || database.has("PYTORCH_API")) {
  read_host(database, strings, types, file, context);
  are_marked_ = !steps_.empty();
  if (steps_.empty()) return;
  read_launches(database, file, context);
  for (const DbKernel& kernel : device.kernels) {
    const DbTask& task = device.tasks[kernel.task];
    add_work(task.connection, task.start_ns, task.dur_ns);
  }
  for (const DbCollective& one : device.collectives) add_work(one.connection, one.start_ns, one.dur_ns);
  std::erase_if(steps_, [](const Step& step) { return !step.first_launch_ns; });
  for (const Step& step : steps_) ranges_.add(step.start_ns, step.end_ns);
}

void DbSteps::read_host(Database& database, const DbStrings& strings, const DbApiTypes& types, const std::string& file,
                        IngestContext& context) {
  DbRows times(database, "STEP_TIME", {required("id"), required("startNs"), required("endNs")}, file, context);
  while (times.next()) {
    const auto step = times.integer(0);
    int64_t start_ns = 0, dur_ns = 0;
    if (step && to_slice(times.integer(1), times.integer(2), start_ns, dur_ns)) {
      steps_.push_back({*step, start_ns, start_ns + dur_ns, times.number(), {}, {}, 0, 0});
    } else {
      times.leave_out("has no number, start and end that make sense");
    }
  }
  const bool has_times = !steps_.empty();
  const auto sets = read_connection_sets(database, file, context);
  DbRows rows(database, "PYTORCH_API",
              {required("startNs"), required("endNs"), required("name"), {"type"}, {"connectionId"}}, file, context);
  while (rows.next()) {
    const std::string& type = types.name(rows.integer(3));
    if (type != "op" && type != "queue") continue;
    int64_t start_ns = 0, dur_ns = 0;
    const auto name = strings.find(rows.integer(2));
    if (!name || !to_slice(rows.integer(0), rows.integer(1), start_ns, dur_ns)) continue;  // counted by the timeline
    if (type == "op") {
      const auto step = has_times ? std::nullopt : step_in_name(*name);
      if (step) steps_.push_back({*step, start_ns, start_ns + dur_ns, rows.number(), {}, {}, 0, 0});
      continue;
    }
    const auto set = sets.find(rows.integer(4).value_or(-1));
    if (set == sets.end() || set->second.empty()) continue;
    if (name->starts_with("Dequeue")) {
      dequeues_.push_back({start_ns, start_ns + dur_ns, set->second.front()});
    } else {
      enqueued_at_.emplace(set->second.front(), start_ns);
    }
  }
  std::sort(steps_.begin(), steps_.end(),
            [](const Step& a, const Step& b) { return a.host_start_ns < b.host_start_ns; });
  std::sort(dequeues_.begin(), dequeues_.end(), [](const Slice& a, const Slice& b) { return a.start_ns < b.start_ns; });
}

void DbSteps::read_launches(Database& database, const std::string& file, IngestContext& context) {
  DbRows rows(database, "CANN_API", {required("startNs"), required("connectionId")}, file, context);
  while (rows.next()) {
    const auto start_ns = rows.integer(0), connection = rows.integer(1);
    if (!start_ns || !connection) continue;
    if (const auto launched = launched_at(*start_ns)) launched_at_.emplace(*connection, *launched);
  }
}

/// When the framework asked for what the call does: behind its queue calls are made later, and by another thread.
std::optional<int64_t> DbSteps::launched_at(int64_t call_start_ns) const {
  if (dequeues_.empty()) return call_start_ns;
  const auto after = std::upper_bound(dequeues_.begin(), dequeues_.end(), call_start_ns,
                                      [](int64_t time, const Slice& slice) { return time < slice.start_ns; });
  if (after == dequeues_.begin() || std::prev(after)->end_ns < call_start_ns) return std::nullopt;
  const auto it = enqueued_at_.find(std::prev(after)->key);
  return it == enqueued_at_.end() ? std::nullopt : std::optional(it->second);
}

void DbSteps::add_work(std::optional<int64_t> connection, int64_t start_ns, int64_t dur_ns) {
  const auto it = connection ? launched_at_.find(*connection) : launched_at_.end();
  if (it == launched_at_.end()) return;
  const int64_t launch_ns = it->second;
  const auto after = std::upper_bound(steps_.begin(), steps_.end(), launch_ns,
                                      [](int64_t time, const Step& step) { return time < step.host_start_ns; });
  if (after == steps_.begin()) return;
  Step& step = *std::prev(after);
  if (launch_ns > step.host_end_ns) return;
  if (!step.first_launch_ns || launch_ns < *step.first_launch_ns) {
    step.first_launch_ns = launch_ns;
    step.start_ns = start_ns;
  } else if (launch_ns == *step.first_launch_ns) {
    step.start_ns = std::min(step.start_ns, start_ns);
  }
  const int64_t end_ns = std::max(start_ns + dur_ns, step.host_end_ns);
  if (!step.last_launch_ns || launch_ns > *step.last_launch_ns) {
    step.last_launch_ns = launch_ns;
    step.end_ns = end_ns;
  } else if (launch_ns == *step.last_launch_ns) {
    step.end_ns = std::max(step.end_ns, end_ns);
  }
}

std::optional<int64_t> DbSteps::step_at(int64_t time_ns) const {
  const auto at = ranges_.find(time_ns);
  return at ? std::optional(steps_[*at].step) : std::nullopt;
}

}  // namespace stepwise::ingest
