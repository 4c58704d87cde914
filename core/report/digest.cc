#include "core/report/digest.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/report/answer.h"

namespace stepwise::report {
namespace {

void read_profile(const Json& profile, Digest& out) {
  out.id = find_text(profile, "id");
  out.name = find_text(profile, "name");
  out.kind = find_text(profile, "kind");
  out.is_whole_trace = out.kind == "kineto";
  out.framework = find_text(profile, "framework");
  out.rank_count = static_cast<int64_t>(find_number(profile, "rank_count").value_or(0));
  out.step_count = static_cast<int64_t>(find_number(profile, "step_count").value_or(0));
  for (const Json& step : find_list(profile, "steps")) {
    if (step.is_number_integer()) out.steps.push_back(std::to_string(step.get<int64_t>()));
  }
}

void read_summary(const Json& answer, Digest& out) {
  double sum_us = 0;
  for (const Json& part : find_list(answer, "where_time_goes")) {
    const auto us = find_number(part, "us");
    if (!us) continue;
    out.parts.push_back(
        {find_text(part, "part"), *us, find_number(part, "ratio").value_or(0), find_number(part, "us_per_step")});
    sum_us += *us;
  }
  if (!out.parts.empty()) out.step_us = sum_us;
  out.is_run = find_text(answer, "breakdown.window_of") == "run";
  out.trace_steps = static_cast<int64_t>(find_number(answer, "per_step.count").value_or(0));
  out.step_median_us = find_number(answer, "iterations.p50_us");
}

/// `key`: the column that names the rows' operators.
void read_operators(const Json& answer, const char* key, Digest& out) {
  out.operators.clear();
  for (const Json& row : find_list(answer, "rows")) {
    out.operators.push_back({find_text(row, key), find_text(row, "core_type"),
                             static_cast<int64_t>(find_number(row, "count").value_or(0)),
                             find_number(row, "total_us").value_or(0), find_number(row, "ratio")});
  }
  out.operator_total_us = find_number(answer, "operators.total_us");
}

bool has_names(const std::vector<Digest::Operator>& operators) {
  return std::ranges::any_of(operators, [](const Digest::Operator& one) { return !one.name.empty(); });
}

void read_advice(const Json& answer, Digest& out) {
  for (const Json& row : find_list(answer, "rows")) {
    std::string parameters;
    for (const Json& one : find_list(row, "parameters")) {
      const std::string value = find_text(one, "value");
      parameters += (parameters.empty() ? "" : ", ") + find_text(one, "name") + (value.empty() ? "" : "=" + value);
    }
    out.advice.push_back({find_text(row, "measure"), std::move(parameters), find_number(row, "share_ratio")});
  }
}

Digest::Verdict verdict(const Json& answer) {
  Digest::Verdict out{find_text(answer, "value"), find_text(answer, "proof"), ""};
  const Json& supply = find_list(answer, "supply");
  if (!supply.empty() && supply.front().is_string()) out.supply = to_valid_utf8(supply.front().get<std::string>());
  return out;
}

/// One entry a subject: what several analyses say of it is joined.
void add_once(std::vector<Digest::Text>& list, Digest::Text one) {
  const auto same = std::ranges::find(list, one.subject, &Digest::Text::subject);
  if (same == list.end()) {
    list.push_back(std::move(one));
  } else if (same->text.find(one.text) == std::string::npos) {
    same->text += "; " + one.text;
  }
}

void read_envelope(const std::string& tool, const Json& answer, Digest& out) {
  if (const auto rank = find_number(answer, "rank")) out.rank = static_cast<int64_t>(*rank);
  for (const Json& one : find_list(answer, "missing")) {
    add_once(out.missing, Digest::Text{find_text(one, "input"), find_text(one, "costs")});
  }
  for (const Json& one : find_list(answer, "warnings")) {
    add_once(out.warnings, Digest::Text{find_text(one, "code"), find_text(one, "text")});
  }
  if (find_text(answer, "status") == "not_applicable") {
    add_once(out.inapplicable, Digest::Text{tool, find_text(answer, "why")});
  }
  if (tool == "open_profile") return;  // what it suggests next is what the report begins with
  for (const Json& one : find_list(answer, "next")) {
    const Json* arguments = find_value(one, "arguments");
    Digest::Next next;
    next.tool = find_text(one, "tool");
    next.why = find_text(one, "why");
    if (arguments && arguments->is_object()) next.arguments = *arguments;
    next.arguments.erase("profile");  // all of a report is about one
    const bool known = std::ranges::any_of(out.next, [&](const Digest::Next& other) {
      return other.tool == next.tool && other.arguments == next.arguments;
    });
    if (!known) out.next.push_back(next);
  }
}

bool says_something(const Json& answer) {
  const std::string status = find_text(answer, "status");
  return (status == "ok" || status == "partial") && find_text(answer, "value") != "undetermined";
}

/// The chapter that holds the answer which a `next` would give; "": none.
std::string chapter_that_answers(const Json& model, const Digest::Next& next) {
  for (const Json& chapter : find_list(model, "chapters")) {
    for (const Json& result : find_list(chapter, "results")) {
      if (find_text(result, "tool") != next.tool) continue;
      const Json* asked = find_value(result, "arguments");
      const bool covers = asked && std::ranges::all_of(next.arguments.items(), [&](const auto& wanted) {
                            return wanted.key() == "limit" ||
                                   (asked->contains(wanted.key()) && (*asked)[wanted.key()] == wanted.value());
                          });
      if (covers) return find_text(chapter, "id");
    }
  }
  return "";
}

}  // namespace

Digest digest(const Json& model) {
  Digest out;
  if (const Json* profile = find_value(model, "profile")) read_profile(*profile, out);
  for (const Json& chapter : find_list(model, "chapters")) {
    const std::string id = find_text(chapter, "id");
    for (const Json& result : find_list(chapter, "results")) {
      const std::string tool = find_text(result, "tool");
      if (const Json* error = find_value(result, "error")) {
        add_once(out.failures, Digest::Text{tool, find_text(*error, "message")});
        continue;
      }
      const Json* answer = find_value(result, "answer");
      if (!answer) continue;
      read_envelope(tool, *answer, out);
      if (id != "files" && says_something(*answer)) out.measured = true;
      if (tool == "summarize_profile") read_summary(*answer, out);
      if (tool == "advise") read_advice(*answer, out);
      if (tool == "detect_scenario") out.scenario = verdict(*answer);
      if (tool == "detect_execution_mode") out.mode = verdict(*answer);
      if (id == "operator_types") read_operators(*answer, "op_type", out);
      // Some profiler levels name no types; the kernels' names are the next best.
      if (id == "operator_names" && !has_names(out.operators)) read_operators(*answer, "name", out);
    }
  }
  for (const Json& check : find_list(model, "checks")) {
    const Json* ok = find_value(check, "ok");
    out.failed_checks += !ok || *ok != true;
  }
  for (Digest::Next& next : out.next) next.chapter = chapter_that_answers(model, next);
  std::ranges::stable_partition(out.next, [](const Digest::Next& next) { return next.chapter.empty(); });
  return out;
}

}  // namespace stepwise::report
