#include "core/report/advice_chapter.h"

#include <algorithm>
#include <vector>

#include "core/report/answer.h"
#include "core/report/figures.h"
#include "core/report/parts.h"

namespace stepwise::report {
namespace {

std::string value_at(Lang lang, const Json& object, const std::string& key) {
  const Json* value = find_value(object, key);
  return value ? cell_text(lang, key, *value) : "";
}

/// "comm.not_overlapped_ratio = 70.27 % (threshold 30.00 %)": a metric's name has its unit, its value has not.
std::string trigger_text(Lang lang, const Json& row) {
  const std::string metric = find_text(row, "trigger.metric");
  const Json* value = find_value(row, "trigger.value");
  const Json* threshold = find_value(row, "trigger.threshold");
  if (metric.empty()) return "";
  std::string text = metric;
  if (value) text += " = " + cell_text(lang, metric, *value);
  if (threshold && !threshold->is_boolean())
    text += sentence(lang, "text.threshold", {cell_text(lang, metric, *threshold)});
  return text;
}

/// At most what the finding takes: of every measure that answers it.
std::string bound_text(Lang lang, const Json& row) {
  const auto bound = find_number(row, "gain.bound_us");
  return bound ? sentence(lang, "text.gain_bound", {human_time(*bound)}) : std::string(word(lang, "text.gain_measure"));
}

std::string gain_text(Lang lang, const Json& row) {
  const auto estimate = find_number(row, "gain.estimate_us");
  const std::string how = find_text(row, "gain.how");
  const std::string text = estimate ? sentence(lang, "text.gain_estimate", {human_time(*estimate)}) : "";
  return text + (text.empty() || how.empty() ? "" : ": ") + how;
}

std::string measure_text(Lang lang, const Json& row) {
  std::string text = find_text(row, "measure");
  if (find_text(row, "condition") == "possible") text = std::string(word(lang, "text.possible")) + " " + text;
  return text;
}

/// Rows that answer one finding, in their order; the first one's priority is the finding's.
using Group = std::vector<const Json*>;

std::vector<Group> groups_of(const Json& rows) {
  std::vector<Group> groups;
  for (const Json& row : rows) {
    const auto key = [](const Json& one) {
      const std::string rule = find_text(one, "rule");
      return rule.empty() ? find_text(one, "finding") : rule;
    };
    const std::string own = key(row);
    const auto same = std::ranges::find_if(groups, [&](const Group& group) { return key(*group.front()) == own; });
    if (own.empty() || same == groups.end()) {
      groups.push_back({&row});
    } else {
      same->push_back(&row);
    }
  }
  return groups;
}

Table overview(Lang lang, const std::vector<Group>& groups) {
  Table table;
  table.column(word(lang, "col.number"), Align::right);
  for (const char* name : {"col.priority", "col.finding", "col.measure", "col.trigger", "col.gain"}) {
    table.column(word(lang, name));
  }
  size_t number = 0;
  for (const Group& group : groups) {
    const Json& first = *group.front();
    std::string measures;
    for (const Json* row : group) measures += (measures.empty() ? "" : " / ") + measure_text(lang, *row);
    table.row({std::to_string(++number), label(lang, "value", find_text(first, "priority")),
               find_text(first, "finding"), measures, trigger_text(lang, first), bound_text(lang, first)});
  }
  return table;
}

void add_parameters(Lang lang, const Json& row, Document& out) {
  Table table(std::string(word(lang, "col.parameters")));
  for (const char* name : {"col.parameter", "col.value", "col.state", "col.sources"}) table.column(word(lang, name));
  for (const Json& one : find_list(row, "parameters")) {
    const std::string kind = find_text(one, "source_kind"), source = find_text(one, "source");
    table.row({find_text(one, "name"), value_at(lang, one, "value"), label(lang, "state", find_text(one, "status")),
               kind.empty() ? source : label(lang, "source_kind", kind) + ": " + source});
  }
  out.table(std::move(table));
}

std::string where_text(const Json& row) {
  std::string text;
  for (const Json& one : find_list(row, "where")) {
    const auto line = find_number(one, "line");
    const std::string how = find_text(one, "how");
    std::string file = find_text(one, "file");
    if (line) file += ":" + std::to_string(static_cast<int64_t>(*line));
    text += text.empty() ? "" : "; ";
    text += file.empty() ? how : file + (how.empty() ? "" : " (" + how + ")");
  }
  return text;
}

std::string risk_text(Lang lang, const Json& row) {
  const std::string kind = find_text(row, "risk_kind"), risk = find_text(row, "risk");
  std::string named = kind.empty() || kind == "none" ? "" : label(lang, "risk_kind", kind);
  if (risk.starts_with(named)) named.clear();  // the risk says its kind itself
  return named + (named.empty() || risk.empty() ? "" : ": ") + risk;
}

/// Names of sources in brackets; their addresses stand in the table at the end.
std::string links_text(const Json& row) {
  std::string text;
  for (const Json& name : find_list(row, "links")) {
    if (name.is_string()) text += (text.empty() ? "[" : " [") + name.get<std::string>() + "]";
  }
  return text;
}

/// A measure below its finding.
void add_piece(Lang lang, const std::string& number, const Json& row, Document& out) {
  out.heading(4, sentence(lang, "text.advice_piece",
                          {number, label(lang, "value", find_text(row, "priority")), find_text(row, "measure")}));
  Table table;
  table.column(word(lang, "col.aspect"));
  table.column(word(lang, "col.value"));
  const auto add = [&](std::string_view name, std::string text) {
    if (!text.empty()) table.row({std::string(word(lang, name)), std::move(text)});
  };
  const std::string condition = find_text(row, "condition");
  add("col.gain", gain_text(lang, row));
  add("col.condition", condition.empty() ? "" : label(lang, "condition", condition));
  add("col.conditions", cell_text(lang, "", find_list(row, "conditions")));
  add("col.constraint", find_text(row, "constraint"));
  add("col.risk", risk_text(lang, row));
  add("col.where", where_text(row));
  add("col.hardware", label(lang, "hardware", find_text(row, "hardware")));
  add("col.gate", label(lang, "verdict", find_text(row, "verdict")));
  add("col.documents", links_text(row));
  out.table(std::move(table));
  add_parameters(lang, row, out);
  if (find_text(row, "verdict") == "downgraded") out.paragraph(std::string(word(lang, "text.downgraded")));
  if (const std::string example = find_text(row, "example"); !example.empty()) {
    out.paragraph(std::string(word(lang, "text.example")));
    out.code(example);
  }
}

/// The finding once, with what it rests on and what it takes, and every measure that answers it.
void add_group(Lang lang, size_t number, const Group& group, Document& out) {
  const Json& first = *group.front();
  out.heading(3, sentence(lang, "text.advice_piece",
                          {std::to_string(number), label(lang, "value", find_text(first, "priority")),
                           find_text(first, "finding")}));
  Table table;
  table.column(word(lang, "col.aspect"));
  table.column(word(lang, "col.value"));
  if (std::string trigger = trigger_text(lang, first); !trigger.empty()) {
    table.row({std::string(word(lang, "col.trigger")), std::move(trigger)});
  }
  table.row({std::string(word(lang, "col.gain")), bound_text(lang, first)});
  out.table(std::move(table));
  size_t measure = 0;
  for (const Json* row : group) {
    add_piece(lang, std::to_string(number) + "." + std::to_string(++measure), *row, out);
  }
}

void add_links(Lang lang, const Json& answer, Document& out) {
  Table table;
  table.column(word(lang, "col.name"));
  table.column(word(lang, "col.address"));
  for (const Json& one : find_list(answer, "links")) {
    if (one.is_object()) table.row({"[" + find_text(one, "name") + "]", find_text(one, "address")});
  }
  if (table.empty()) return;
  out.heading(3, std::string(word(lang, "heading.links")));
  out.table(std::move(table));
}

}  // namespace

void add_advice(Lang lang, const Json& answer, Document& out) {
  const Json& rows = find_list(answer, "rows");
  if (rows.empty()) out.paragraph(std::string(word(lang, "text.advice_empty")));
  const auto groups = groups_of(rows);
  out.table(overview(lang, groups));
  size_t number = 0;
  for (const Group& group : groups) add_group(lang, ++number, group, out);
  add_links(lang, answer, out);
  out.table(evidence_table(lang, answer));
}

void add_no_advice(Lang lang, Document& out) { out.paragraph(std::string(word(lang, "text.advice_absent"))); }

}  // namespace stepwise::report
