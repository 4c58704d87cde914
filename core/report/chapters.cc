#include "core/report/chapters.h"

#include <algorithm>
#include <vector>

#include "core/report/advice_chapter.h"
#include "core/report/answer.h"
#include "core/report/charts.h"
#include "core/report/figures.h"
#include "core/report/lists.h"
#include "core/report/parts.h"
#include "core/report/said.h"

namespace stepwise::report {
namespace {

// Rows of the table of core metrics, in the order in which people read them; `share` is the key of the figure's ratio.
struct CoreMetric {
  std::string_view key, share;
};
// clang-format off
constexpr CoreMetric kCoreMetrics[] = {
    {"iterations.count", ""},
    {"iterations.wall_avg_us", ""},
    {"iterations.avg_us", ""},
    {"iterations.p50_us", ""},
    {"iterations.p99_us", ""},
    {"iterations.first_compile_us", ""},
    {"h2d_us", "h2d_ratio"},
    {"model_execute_us", "model_execute_ratio"},
    {"d2h_us", "d2h_ratio"},
    {"op_time_us", ""},
    {"op_time_avg_us", "op_time_ratio"},
    {"busy_ratio", ""},
    {"schedule_bound", ""},
    {"dynamic_shape", ""},
    {"shapes_vary", ""},
    {"autofuse", ""},
    {"throughput_samples_per_s", ""},
    {"instances_fit.max", ""},
    {"fusion.cube_with_vector", ""},
    {"gap.gap_us", ""},
};
// clang-format on

// Measures of the step that lie across its parts: a table of their own, so that nobody adds them to those.
constexpr std::string_view kAcross[] = {"communication", "overlapped", "stage", "bubble", "wall"};

const std::vector<std::string>& operator_columns(const std::string& chapter) {
  // A GPU's rows have no types: there they are told by names.
  static const std::vector<std::string> types = {"op_type",  "name",  "core_type", "count",
                                                 "total_us", "ratio", "avg_us",    "max_us"};
  static const std::vector<std::string> names = {"name",     "op_type", "core_type", "count",
                                                 "total_us", "ratio",   "avg_us",    "max_us"};
  static const std::vector<std::string> shapes = {"op_type",   "name",      "input_shapes", "dtypes", "core_type",
                                                  "count",     "total_us",  "ratio",        "avg_us", "max_us",
                                                  "aic_ratio", "aiv_ratio", "mte_ratio"};
  return chapter == "operator_types" ? types : chapter == "operator_names" ? names : shapes;
}

void add_files(Lang lang, const Json& answer, Document& out) {
  const Json& files = find_list(answer, "files");
  if (files.empty()) return;
  Table table;
  table.column(word(lang, "col.file"));
  table.column(word(lang, "col.kind"));
  table.column(word(lang, "col.size"), Align::right);
  table.column(word(lang, "col.used"));
  for (const Json& file : files) {
    const Json* used = find_value(file, "used");
    std::string use = used ? cell_text(lang, "used", *used) : "";
    if (const std::string why = find_text(file, "why_not"); !why.empty()) {
      use += (use.empty() ? "" : ": ") + said(lang, why);
    }
    const Json* bytes = find_value(file, "bytes");
    table.row({find_text(file, "path"), label(lang, "file_kind", find_text(file, "kind")),
               bytes ? cell_text(lang, "bytes", *bytes) : "", use});
  }
  out.table(std::move(table));
  const auto count = static_cast<int64_t>(find_number(answer, "file_count").value_or(0));
  const int64_t unlisted = count - static_cast<int64_t>(files.size());
  if (unlisted > 0) out.paragraph(sentence(lang, "text.files_cut", {grouped(unlisted)}));
}

/// "Scenario: training. Proof: ..." and what speaks for and against.
void add_verdict(Lang lang, const Json& answer, std::string_view name, Document& out) {
  std::string text = ": " + label(lang, "value", find_text(answer, "value"));
  if (const std::string proof = find_text(answer, "proof"); !proof.empty() && proof != "none") {
    text += sentence(lang, "text.proof", {label(lang, "proof", proof)});
  }
  out.paragraph({std::move(text), std::string(word(lang, name))});
  out.table(evidence_table(lang, answer));
  if (const Json& supply = find_list(answer, "supply"); !supply.empty()) {
    std::string wanted;
    for (const Json& one : supply) {
      wanted += (wanted.empty() ? "" : "; ") + said(lang, one.is_string() ? one.get<std::string>() : dump_json(one));
    }
    out.paragraph(sentence(lang, "text.supply", {wanted}));
  }
}

/// How the table of parts speaks of what they are parts of.
struct WindowWords {
  const char *share, *heading, *across;
};

WindowWords window_words(std::string_view window_of) {
  if (window_of == "whole_trace") return {"col.of_trace", "heading.where_trace_goes", "text.across_trace"};
  if (window_of == "run") return {"col.of_run", "heading.where_run_goes", "text.across_run"};
  return {"col.of_step", "heading.where_time_goes", "text.across"};
}

Table step_table(Lang lang, const char* share, bool per_step) {
  Table table;
  table.column(word(lang, "col.part"));
  table.column(word(lang, "col.time_us"), Align::right);
  table.column(word(lang, share), Align::right);
  if (per_step) table.column(word(lang, "col.part_per_step"), Align::right);
  table.column(word(lang, "col.evidence"));
  return table;
}

/// The parts of the step, which add up, and below them what lies across.
void add_step(Lang lang, const Json& answer, Document& out) {
  const WindowWords words = window_words(find_text(answer, "breakdown.window_of"));
  const auto steps = find_number(answer, "per_step.count");
  Table parts = step_table(lang, words.share, steps.has_value()), across = step_table(lang, words.share, false);
  double step_us = 0;
  const auto row = [&steps](std::string name, double us, std::string share, std::string ids) {
    std::vector<std::string> cells{std::move(name), exact_us(us), std::move(share)};
    if (steps) cells.push_back(*steps > 0 ? exact_us(us / *steps) : "–");
    cells.push_back(std::move(ids));
    return cells;
  };
  for (const Json& part : find_list(answer, "where_time_goes")) {
    const double us = find_number(part, "us").value_or(0);
    const auto ratio = find_number(part, "ratio");
    step_us += us;
    parts.row(row(label(lang, "part", find_text(part, "part")), us, ratio ? percent(*ratio) : "–",
                  ids_text(find_list(part, "evidence"))));
  }
  if (parts.empty()) return;
  parts.row(row(std::string(word(lang, "part.sum")), step_us, step_us > 0 ? percent(1) : "–", ""));
  const std::string ids = ids_text(find_list(answer, "breakdown.evidence"));
  for (const std::string_view part : kAcross) {
    const auto us = find_number(answer, "breakdown." + std::string(part) + "_us");
    if (us) across.row({label(lang, "part", part), exact_us(*us), step_us > 0 ? percent(*us / step_us) : "–", ids});
  }
  out.heading(3, std::string(word(lang, words.heading)));
  out.table(std::move(parts));
  if (!across.empty()) out.paragraph(std::string(word(lang, words.across)));
  out.table(std::move(across));
  if (const std::string window = find_text(answer, "breakdown.window"); !window.empty()) {
    out.paragraph(sentence(lang, "text.window", {said(lang, window)}));
  }
  if (const Json* each = find_value(answer, "steps")) add_lists(lang, "summarize_profile", {{"steps", *each}}, out);
  if (const std::string window = find_text(answer, "per_step.window"); !window.empty()) {
    out.paragraph(sentence(lang, "text.each_step", {said(lang, window)}));
  }
}

/// Figures of iterations come from the steps' own rows where the profiler wrote those.
std::string evidence_of_metric(const Json& answer, std::string_view key) {
  if (key.starts_with("iterations.") && find_text(answer, "iterations.source") == "step_trace_time") {
    return ids_text(find_list(answer, "breakdown.evidence"));
  }
  return evidence_ids_for(answer, key);
}

void add_summary(Lang lang, const Json& answer, Document& out) {
  Table table;
  table.column(word(lang, "col.metric"));
  table.column(word(lang, "col.value"), Align::right);
  table.column(word(lang, "col.share"), Align::right);
  table.column(word(lang, "col.evidence"));
  const Json null;
  for (const CoreMetric& metric : kCoreMetrics) {
    const Json* value = find_value(answer, metric.key);
    const Json* share = metric.share.empty() ? nullptr : find_value(answer, metric.share);
    table.row({label(lang, "metric", metric.key), cell_text(lang, metric.key, value ? *value : null),
               share ? cell_text(lang, metric.share, *share) : "",
               value ? evidence_of_metric(answer, metric.key) : ""});
  }
  out.table(std::move(table));
  out.paragraph(std::string(word(lang, "text.dash")));
  if (const std::string source = find_text(answer, "iterations.source"); !source.empty()) {
    out.paragraph(
        sentence(lang, "text.iteration_source",
                 {label(lang, "source", source), label(lang, "value", find_text(answer, "iterations.confidence"))}));
  }
  add_step(lang, answer, out);
  out.table(evidence_table(lang, answer));
}

void add_operators(Lang lang, const std::string& chapter, const Json& answer, Document& out) {
  out.table(rows_table(lang, answer, operator_columns(chapter)));
  const Json* total = find_value(answer, "operators.total_us");
  const Json* count = find_value(answer, "operators.count");
  if (total && count) {
    out.paragraph(sentence(lang, "text.operator_totals",
                           {cell_text(lang, "count", *count), cell_text(lang, "total_us", *total),
                            said(lang, find_text(answer, "window"))}));
  }
  const Json* left_out_us = find_value(answer, "communication_left_out.total_us");
  const Json* left_out = find_value(answer, "communication_left_out.count");
  if (left_out_us && left_out && *left_out != 0) {
    out.paragraph(sentence(lang, "text.communication_left_out",
                           {cell_text(lang, "count", *left_out), cell_text(lang, "total_us", *left_out_us)}));
  }
  if (const Json* cores = find_value(answer, "by_core"); cores && chapter == "operator_types") {
    add_lists(lang, "top_operators", {{"by_core", *cores}}, out);
  }
  out.table(evidence_table(lang, answer));
}

/// A tool that has no form of its own here: its figures, its rows, its evidence.
void add_general(Lang lang, const Json& result, Document& out) {
  const Json& answer = result["answer"];
  if (find_text(result, "tool") == "stage_breakdown") out.chart(stages_chart(lang, answer));
  if (find_text(result, "tool") == "comm_overlap") out.chart(overlap_chart(lang, answer));
  if (find_text(result, "tool") == "cluster_summary") out.chart(ranks_chart(lang, answer));
  out.table(figures_table(lang, answer));
  out.table(rows_table(lang, answer, columns_of(result)));
  add_lists(lang, find_text(result, "tool"), answer, out);
  out.table(evidence_table(lang, answer));
}

void add_result(Lang lang, const std::string& chapter, const Json& result, Document& out) {
  if (std::string none = no_answer_text(lang, result); !none.empty()) return out.paragraph(std::move(none));
  const Json* answer = find_value(result, "answer");
  if (!answer) return;
  const std::string tool = find_text(result, "tool");
  if (tool == "open_profile") return add_files(lang, *answer, out);
  if (tool == "detect_scenario") return add_verdict(lang, *answer, "text.scenario", out);
  if (tool == "detect_execution_mode") return add_verdict(lang, *answer, "text.execution_mode", out);
  if (tool == "summarize_profile") return add_summary(lang, *answer, out);
  if (tool == "top_operators") return add_operators(lang, chapter, *answer, out);
  if (tool == "advise") return add_advice(lang, *answer, out);
  add_general(lang, result, out);
}

}  // namespace

std::string chapter_title(Lang lang, const Json& chapter) {
  const std::string id = find_text(chapter, "id");
  const std::string known = label(lang, "heading", id);
  if (known != id) return known;
  const Json& results = find_list(chapter, "results");
  const std::string title = results.empty() ? "" : find_text(results.front(), "title");
  return title.empty() ? id : title;
}

Document chapter_document(Lang lang, const Json& chapter) {
  const std::string id = find_text(chapter, "id");
  Document out;
  for (const Json& result : find_list(chapter, "results")) add_result(lang, id, result, out);
  return out;
}

}  // namespace stepwise::report
