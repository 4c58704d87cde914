#include "core/report/markdown.h"

#include "core/report/answer.h"
#include "core/report/digest.h"
#include "core/report/figures.h"
#include "core/report/markdown_chapters.h"
#include "core/report/markdown_table.h"

namespace stepwise::report {
namespace {

std::string bullet(const std::string& text) { return "- " + text + "\n"; }

std::string subject_line(Lang lang, const Json& model, const Digest& digest) {
  const std::string kind = digest.kind + (digest.framework.empty() ? "" : ", " + digest.framework);
  std::string out = sentence(lang, "text.subject",
                             {escape_markdown(digest.name), escape_markdown(kind), find_text(model, "profile.id"),
                              find_text(model, "stepwise")});
  if (digest.rank && digest.rank_count > 1) {
    out += sentence(lang, "text.rank_of", {std::to_string(*digest.rank), std::to_string(digest.rank_count)});
  }
  if (const Json* declared = find_value(model, "profile.declared")) {
    out += sentence(lang, "text.declared", {escape_markdown(cell_text(lang, "", *declared))});
  }
  return out + "\n\n";
}

/// The few lines that a reader in a hurry needs; each figure stands again, with its evidence, in a chapter.
std::string key_points(Lang lang, const Digest& digest) {
  std::string out;
  if (digest.step_us) {
    std::string parts;
    for (const Digest::Part& part : digest.parts) {
      if (part.ratio < kVisibleRatio) continue;
      parts += (parts.empty() ? "" : std::string(word(lang, "text.comma"))) + label(lang, "part", part.what) + " " +
               human_time(part.us) + " (" + percent(part.ratio, 1) + ")";
    }
    const bool many = digest.step_count > 1 && digest.step_median_us;
    out += bullet(digest.is_whole_trace ? sentence(lang, "text.trace_takes", {human_time(*digest.step_us, 5), parts})
                  : many                ? sentence(lang, "text.steps_take",
                                                   {human_time(*digest.step_us, 5), parts, std::to_string(digest.step_count),
                                                    human_time(*digest.step_median_us)})
                                        : sentence(lang, "text.step_takes", {human_time(*digest.step_us, 5), parts}));
  }
  if (!digest.scenario.value.empty()) {
    out += bullet(sentence(lang, "text.scenario_is", {label(lang, "value", digest.scenario.value)}));
  }
  if (!digest.mode.value.empty()) {
    out += bullet(sentence(lang, "text.mode_is", {label(lang, "value", digest.mode.value)}));
  }
  if (!digest.operators.empty()) {
    const Digest::Operator& top = digest.operators.front();
    out += bullet(sentence(lang, "text.top_operator",
                           {escape_markdown(top.name), human_time(top.total_us),
                            top.ratio ? percent(*top.ratio, 1) : "–", grouped(top.count)}));
  }
  const size_t gaps = digest.missing.size() + digest.warnings.size() + digest.failures.size();
  if (gaps > 0) out += bullet(sentence(lang, "text.gaps", {std::to_string(gaps)}));
  return out.empty() ? out : out + "\n";
}

std::string text_rows(Lang lang, std::string_view intro, std::string_view subject, std::string_view text,
                      const std::vector<Digest::Text>& rows) {
  if (rows.empty()) return "";
  MarkdownTable table;
  table.column(word(lang, subject));
  table.column(word(lang, text));
  for (const Digest::Text& row : rows) table.row({row.subject, row.text});
  return std::string(word(lang, intro)) + "\n\n" + table.text();
}

std::string missing_markdown(Lang lang, const Digest& digest) {
  return text_rows(lang, "text.missing", "col.input", "col.costs", digest.missing) +
         text_rows(lang, "text.warnings", "col.code", "col.says", digest.warnings) +
         text_rows(lang, "text.failures", "col.tool", "col.why", digest.failures);
}

std::string next_markdown(Lang lang, const Digest& digest) {
  MarkdownTable table;
  table.column(word(lang, "col.tool"));
  table.column(word(lang, "col.arguments"));
  table.column(word(lang, "col.why"));
  for (const Digest::Next& next : digest.next) {
    if (!next.chapter.empty()) continue;
    table.row({next.tool, next.arguments.empty() ? "" : dump_json(next.arguments), next.why});
  }
  return table.empty() ? "" : table.text();
}

}  // namespace

std::string to_markdown(const Json& model, Lang lang) {
  const Digest facts = digest(model);
  std::string out = "# " + std::string(word(lang, "heading.report")) + "\n\n";
  out += subject_line(lang, model, facts) + key_points(lang, facts);
  int number = 0;
  const auto add = [&](const std::string& title, const std::string& body) {
    if (!body.empty()) out += "## " + std::to_string(++number) + ". " + escape_markdown(title) + "\n\n" + body;
  };
  for (const Json& chapter : find_list(model, "chapters")) {
    add(chapter_title(lang, chapter), chapter_markdown(lang, chapter));
  }
  add(std::string(word(lang, "heading.missing")), missing_markdown(lang, facts));
  add(std::string(word(lang, "heading.next")), next_markdown(lang, facts));
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

}  // namespace stepwise::report
