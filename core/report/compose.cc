#include "core/report/compose.h"

#include "core/report/advice_chapter.h"
#include "core/report/answer.h"
#include "core/report/chapters.h"
#include "core/report/charts.h"
#include "core/report/digest.h"
#include "core/report/figures.h"
#include "core/report/said.h"

namespace stepwise::report {
namespace {

std::string subject_line(Lang lang, const Json& model, const Digest& digest) {
  const std::string kind = digest.kind + (digest.framework.empty() ? "" : ", " + digest.framework);
  std::string out =
      sentence(lang, "text.subject", {digest.name, kind, find_text(model, "profile.id"), find_text(model, "stepwise")});
  if (digest.rank && digest.rank_count > 1) {
    out += sentence(lang, "text.rank_of", {std::to_string(*digest.rank), std::to_string(digest.rank_count)});
  }
  if (const Json* declared = find_value(model, "profile.declared")) {
    out += sentence(lang, "text.declared", {cell_text(lang, "", *declared)});
  }
  return out;
}

std::string step_line(Lang lang, const Digest& digest) {
  std::string parts;
  for (const Digest::Part& part : digest.parts) {
    if (part.ratio < kVisibleRatio) continue;
    parts += (parts.empty() ? "" : std::string(word(lang, "text.comma"))) + label(lang, "part", part.what) + " " +
             human_time(part.us) + " (" + percent(part.ratio, 1) + ")";
  }
  const std::string step = human_time(*digest.step_us, 5);
  if (digest.is_whole_trace) return sentence(lang, "text.trace_takes", {step, parts});
  if (digest.is_run) return sentence(lang, "text.run_takes", {step, parts});
  if (digest.step_count <= 1 || !digest.step_median_us) return sentence(lang, "text.step_takes", {step, parts});
  return sentence(lang, "text.steps_take",
                  {step, parts, std::to_string(digest.step_count), human_time(*digest.step_median_us)});
}

/// The few lines that a reader in a hurry needs; each figure stands again, with its evidence, in a chapter.
void add_key_points(Lang lang, const Digest& digest, Document& out) {
  if (digest.failed_checks > 0) {
    out.paragraph({sentence(lang, "text.checks_failed", {std::to_string(digest.failed_checks)}), "", true});
  }
  if (digest.step_us) out.bullet(step_line(lang, digest));
  if (!digest.scenario.value.empty()) {
    out.bullet(sentence(lang, "text.scenario_is", {label(lang, "value", digest.scenario.value)}));
  }
  if (!digest.mode.value.empty()) {
    out.bullet(sentence(lang, "text.mode_is", {label(lang, "value", digest.mode.value)}));
  }
  if (!digest.operators.empty()) {
    const Digest::Operator& top = digest.operators.front();
    out.bullet(sentence(
        lang, "text.top_operator",
        {cut_text(top.name), human_time(top.total_us), top.ratio ? percent(*top.ratio, 1) : "–", grouped(top.count)}));
  }
  const size_t gaps =
      digest.missing.size() + digest.warnings.size() + digest.failures.size() + digest.inapplicable.size();
  if (gaps > 0) out.bullet(sentence(lang, "text.gaps", {std::to_string(gaps)}));
  out.chart(step_chart(lang, digest));
}

void add_texts(Lang lang, std::string_view intro, std::string_view subject, std::string_view text,
               const std::vector<Digest::Text>& rows, Document& out) {
  if (rows.empty()) return;
  Table table;
  table.column(word(lang, subject));
  table.column(word(lang, text));
  for (const Digest::Text& row : rows) table.row({said(lang, row.subject), said(lang, row.text)});
  out.paragraph(std::string(word(lang, intro)));
  out.table(std::move(table));
}

Document missing_document(Lang lang, const Digest& digest) {
  Document out;
  add_texts(lang, "text.missing", "col.input", "col.costs", digest.missing, out);
  add_texts(lang, "text.warnings", "col.code", "col.says", digest.warnings, out);
  add_texts(lang, "text.failures", "col.tool", "col.why", digest.failures, out);
  add_texts(lang, "text.inapplicable", "col.tool", "col.why", digest.inapplicable, out);
  return out;
}

Document next_document(Lang lang, const Digest& digest) {
  Table table;
  table.column(word(lang, "col.tool"));
  table.column(word(lang, "col.arguments"));
  table.column(word(lang, "col.why"));
  for (const Digest::Next& next : digest.next) {
    if (!next.chapter.empty()) continue;
    table.row({next.tool, next.arguments.empty() ? "" : dump_json(next.arguments), said(lang, next.why)});
  }
  Document out;
  out.table(std::move(table));
  return out;
}

/// What was re-derived, and whether it came out the same.
Document checks_document(Lang lang, const Json& model) {
  Document out;
  Table table;
  table.column(word(lang, "col.check"));
  table.column(word(lang, "col.of_answer"));
  table.column(word(lang, "col.expected"), Align::right);
  table.column(word(lang, "col.came_out"), Align::right);
  table.column(word(lang, "col.outcome"));
  for (const Json& check : find_list(model, "checks")) {
    const Json* ok = find_value(check, "ok");
    const bool failed = !ok || *ok != true;
    const std::string id = find_text(check, "id"), unit = find_text(check, "unit");
    const auto cell = [&](const char* key) {
      const Json* value = find_value(check, key);
      return value ? cell_text(lang, unit, *value) : "";
    };
    table.row({label(lang, "check", id), find_text(check, "of"), cell("expected"), cell("found"),
               std::string(word(lang, failed ? "text.check_failed" : "text.check_ok"))},
              failed);
  }
  if (table.empty()) return out;
  out.paragraph(std::string(word(lang, "text.checks")));
  out.table(std::move(table));
  return out;
}

}  // namespace

Document compose(const Json& model, Lang lang) {
  const Digest facts = digest(model);
  Document out, advice;
  std::string advice_title(word(lang, "heading.advice"));
  out.heading(1, std::string(word(lang, "heading.report")));
  out.paragraph(subject_line(lang, model, facts));
  add_key_points(lang, facts, out);
  int number = 0;
  const auto add = [&](const std::string& title, Document body) {
    if (body.empty()) return;
    out.heading(2, std::to_string(++number) + ". " + title);
    out.append(std::move(body));
  };
  for (const Json& chapter : find_list(model, "chapters")) {
    const std::string id = find_text(chapter, "id");
    Document body = chapter_document(lang, chapter);
    if (id == "advice") {
      advice.append(std::move(body));
      continue;
    }
    if (id == "operator_types" && !body.empty()) {
      Document with_chart;
      with_chart.chart(operators_chart(lang, facts));
      with_chart.append(std::move(body));
      body = std::move(with_chart);
    }
    add(chapter_title(lang, chapter), std::move(body));
  }
  add(std::string(word(lang, "heading.missing")), missing_document(lang, facts));
  add(std::string(word(lang, "heading.next")), next_document(lang, facts));
  if (advice.empty()) add_no_advice(lang, advice);
  add(advice_title, std::move(advice));
  add(std::string(word(lang, "heading.checks")), checks_document(lang, model));
  return out;
}

}  // namespace stepwise::report
