#include "core/report/lists.h"

#include <algorithm>
#include <vector>

#include "core/report/answer.h"
#include "core/report/figures.h"
#include "core/report/parts.h"

namespace stepwise::report {
namespace {

constexpr size_t kRowsShown = 30;
constexpr int kDepthShown = 6;

/// One line of a table: an item of the list, or a node of the tree with its depth.
struct Line {
  const Json* item;
  int depth;
};

void add_lines(const Json& list, int depth, std::vector<Line>& lines) {
  for (const Json& item : list) {
    if (!item.is_object()) continue;
    lines.push_back({&item, depth});
    if (depth < kDepthShown) add_lines(find_list(item, "children"), depth + 1, lines);
  }
}

bool is_cell(const Json& value) { return !value.is_object() && !is_table(value); }

/// What a line is about, as lists call it.
constexpr std::string_view kSubjects[] = {"name", "group", "problem", "flag", "component", "core_type"};

/// Keys that fit into cells, the subject first: the rest in the order of the lines that have them.
std::vector<std::string> columns(const std::vector<Line>& lines) {
  std::vector<std::string> keys;
  for (const Line& line : lines) {
    for (const auto& [key, value] : line.item->items()) {
      if (key == "children" || value.is_null() || !is_cell(value)) continue;
      if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
    }
  }
  std::ranges::stable_partition(
      keys, [](const std::string& key) { return std::ranges::find(kSubjects, key) != std::end(kSubjects); });
  return keys;
}

void add_list(Lang lang, const std::string& name, const Json& list, Document& out) {
  std::vector<Line> lines;
  add_lines(list, 0, lines);
  const size_t left_out = lines.size() > kRowsShown ? lines.size() - kRowsShown : 0;
  lines.resize(lines.size() - left_out);
  const std::vector<std::string> keys = columns(lines);
  if (keys.empty()) return;
  const auto cell = [](const Line& line, const std::string& key) -> const Json& {
    static const Json kNull;
    const Json* value = find_value(*line.item, key);
    return value ? *value : kNull;
  };
  Table table;
  for (const std::string& key : keys) {
    const bool figures = std::ranges::all_of(lines, [&](const Line& line) { return is_figure(cell(line, key)); });
    table.column(label(lang, "col", key), figures ? Align::right : Align::left);
  }
  for (const Line& line : lines) {
    std::vector<std::string> cells;
    for (const std::string& key : keys) {
      const Json& value = cell(line, key);
      std::string text = value.is_null() ? "" : cell_text(lang, key, value);
      if (cells.empty()) {
        for (int i = 0; i < line.depth; ++i) text.insert(0, "› ");
      }
      cells.push_back(std::move(text));
    }
    table.row(cells);
  }
  out.heading(3, label(lang, "list", name));
  out.table(std::move(table));
  if (left_out > 0) out.paragraph(sentence(lang, "text.list_cut", {std::to_string(left_out)}));
}

}  // namespace

bool is_table(const Json& value) { return value.is_array() && !value.empty() && value.front().is_object(); }

void add_lists(Lang lang, const Json& answer, Document& out) {
  if (!answer.is_object()) return;
  for (const auto& [key, value] : answer.items()) {
    if (!is_envelope(key) && is_table(value)) add_list(lang, key, value, out);
  }
}

}  // namespace stepwise::report
