#include "core/report/parts.h"

#include <algorithm>

#include "core/report/answer.h"
#include "core/report/figures.h"
#include "core/report/lists.h"
#include "core/report/said.h"

namespace stepwise::report {
namespace {

constexpr std::string_view kEnvelope[] = {"status",      "profile", "rank",    "metrics",  "rows",
                                          "total_rows",  "other",   "missing", "evidence", "warnings",
                                          "next_cursor", "next",    "why"};

const Json& cell_of(const Json& row, const std::string& column) {
  static const Json kNull;
  const Json* value = find_value(row, column);
  return value ? *value : kNull;
}

/// "other (12 rows)": how many rows the sum stands for.
std::string other_name(Lang lang, const Json& other) {
  const auto rows = find_number(other, "rows");
  return rows ? sentence(lang, "text.other_rows", {grouped(static_cast<int64_t>(*rows))})
              : std::string(word(lang, "text.other"));
}

/// "row 12"; "byte 40960" of files of records in braces, which have no rows; "all".
std::string place_of(Lang lang, const Json& evidence) {
  const auto at = find_number(evidence, "row");
  if (!at || *at <= 0) return std::string(word(lang, "text.whole_file"));
  const char* const key = find_text(evidence, "unit") == "byte" ? "text.place_byte" : "text.place_row";
  return sentence(lang, key, {std::to_string(static_cast<int64_t>(*at))});
}

constexpr size_t kTensorsShown = 6;

/// Shapes and types of an operator over a whole model's weights fill pages: a cell holds the first few, and says how
/// many there are. report.json has them all.
std::string tensors_text(Lang lang, const std::string& all) {
  const size_t count = static_cast<size_t>(std::ranges::count(all, ';')) + 1;
  if (count <= kTensorsShown) return all;
  size_t end = 0;
  for (size_t i = 0; i < kTensorsShown; ++i) end = all.find(';', end) + 1;
  return sentence(lang, "text.and_tensors", {all.substr(0, end - 1), std::to_string(count)});
}

std::string row_cell(Lang lang, const std::string& column, const Json& value) {
  std::string text = cell_text(lang, column, value);
  return column.ends_with("shapes") || column.ends_with("dtypes") ? tensors_text(lang, text) : text;
}

void add_figures(Lang lang, const std::string& prefix, const Json& object, Table& table) {
  for (const auto& [key, value] : object.items()) {
    const bool is_empty = value.is_array() && value.empty();
    if (is_table(value) || is_empty || (prefix.empty() && is_envelope(key))) continue;
    const std::string name = prefix + label(lang, "col", key);
    if (value.is_object()) {
      add_figures(lang, name + ": ", value, table);
    } else {
      table.row({name, cell_text(lang, key, value)});
    }
  }
}

}  // namespace

bool is_envelope(std::string_view key) { return std::ranges::find(kEnvelope, key) != std::end(kEnvelope); }

std::vector<std::string> columns_of(const Json& result) {
  std::vector<std::string> columns;
  for (const Json& name : find_list(result, "columns")) {
    if (name.is_string()) columns.push_back(name.get<std::string>());
  }
  const Json& rows = find_list(result, "answer.rows");
  if (columns.empty() && !rows.empty() && rows.front().is_object()) {
    for (const auto& [key, value] : rows.front().items()) columns.push_back(key);
  }
  return columns;
}

Table rows_table(Lang lang, const Json& answer, const std::vector<std::string>& columns) {
  const Json& rows = find_list(answer, "rows");
  Table table;
  std::vector<std::string> shown;
  for (const std::string& column : columns) {
    const bool known = std::ranges::any_of(rows, [&](const Json& row) { return !cell_of(row, column).is_null(); });
    if (!known) continue;
    const bool figures = std::ranges::all_of(rows, [&](const Json& row) { return is_figure(cell_of(row, column)); });
    table.column(label(lang, "col", column), figures ? Align::right : Align::left);
    shown.push_back(column);
  }
  if (shown.empty()) return table;
  const auto add = [&](const Json& row, bool is_other) {
    std::vector<std::string> cells;
    for (const std::string& column : shown) {
      const Json& value = cell_of(row, column);
      cells.push_back(is_other && value.is_null() ? "" : row_cell(lang, column, value));
    }
    if (is_other && cells.front().empty()) cells.front() = other_name(lang, row);
    table.row(cells);
  };
  for (const Json& row : rows) add(row, false);
  if (const Json* other = find_value(answer, "other")) add(*other, true);
  return table;
}

Table figures_table(Lang lang, const Json& answer) {
  Table table;
  table.column(word(lang, "col.metric"));
  table.column(word(lang, "col.value"), Align::right);
  if (answer.is_object()) add_figures(lang, "", answer, table);
  return table;
}

Table evidence_table(Lang lang, const Json& answer) {
  const Json& evidence = find_list(answer, "evidence");
  Table table(std::string(word(lang, "col.evidence")));
  table.column(word(lang, "col.evidence"));
  table.column(word(lang, "col.file"));
  table.column(word(lang, "col.place"), Align::right);
  table.column(word(lang, "col.says"));
  for (const Json& one : evidence) {
    table.row({find_text(one, "id"), find_text(one, "file"), place_of(lang, one), said(lang, find_text(one, "says"))});
  }
  return table;
}

std::string evidence_ids_for(const Json& answer, std::string_view key) {
  std::string out;
  for (const Json& one : find_list(answer, "evidence")) {
    const std::string says = find_text(one, "says");
    const bool begins =
        says.starts_with(key) && says.size() > key.size() && (says[key.size()] == ':' || says[key.size()] == ' ');
    if (begins) out += (out.empty() ? "" : ", ") + find_text(one, "id");
  }
  return out;
}

std::string ids_text(const Json& ids) {
  std::string out;
  for (const Json& id : ids) {
    if (id.is_string()) out += (out.empty() ? "" : ", ") + id.get<std::string>();
  }
  return out;
}

std::string no_answer_text(Lang lang, const Json& result) {
  const std::string tool = find_text(result, "tool");
  if (find_value(result, "error")) {
    return sentence(lang, "text.tool_failed", {tool, find_text(result, "error.message")});
  }
  if (find_text(result, "answer.status") == "not_applicable") {
    return sentence(lang, "text.not_applicable", {tool, said(lang, find_text(result, "answer.why"))});
  }
  return "";
}

}  // namespace stepwise::report
