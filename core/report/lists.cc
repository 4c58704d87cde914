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

// As people read a line: what it is about, what it is, how often, how long, and what of it. JSON has keys in the order
// of the alphabet.
// clang-format off
constexpr std::string_view kReadingOrder[] = {
    "name", "group", "parallel", "problem", "flag", "component", "core_type", "step", "call", "copied", "op", "within",
    "source", "api", "src", "dst", "a", "a_us", "b", "b_us", "rank", "number", "type", "kind", "stage", "side", "level",
    "device", "format", "ranks", "rank_count", "found", "value", "unit", "threshold", "count", "collectives", "tasks",
    "offset_us", "host_us", "wall_us", "total_us", "us", "elapse_us", "ratio", "avg_us", "self_us", "max_us",
    "device_idle_us", "computing_us", "communication_us", "not_overlapped_us", "copy_not_overlapped_us", "free_us",
    "other_steps_us", "transit_us", "wait_us", "wait_ratio", "sync_us", "idle_us", "blocking", "bottleneck", "overlap_us",
    "overlap_ratio", "device_overlap_us", "serial", "of", "deviation_us", "deviation_ratio", "late_rank", "r_wait",
    "insufficient", "allocated_bytes", "active_bytes", "reserved_bytes", "transport", "bytes", "bandwidth_gb_s",
    "of_median_ratio", "slow",
};
// clang-format on

size_t reading_place(const std::string& key) {
  return static_cast<size_t>(std::ranges::find(kReadingOrder, key) - std::begin(kReadingOrder));
}

/// Keys that fit into cells, in reading order; those that it does not know come last.
std::vector<std::string> columns(const std::vector<Line>& lines) {
  std::vector<std::string> keys;
  for (const Line& line : lines) {
    for (const auto& [key, value] : line.item->items()) {
      if (key == "children" || value.is_null() || !is_cell(value)) continue;
      if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
    }
  }
  std::ranges::stable_sort(keys, {}, reading_place);
  return keys;
}

/// What one tool's list is called may differ from what that of others is.
std::string title(Lang lang, const std::string& tool, const std::string& name) {
  const std::string own = name + "." + tool;
  const std::string known = label(lang, "list", own);
  return known == own ? label(lang, "list", name) : known;
}

void add_list(Lang lang, const std::string& tool, const std::string& name, const Json& list, Document& out) {
  std::vector<Line> lines;
  add_lines(list, 0, lines);
  const size_t left_out = lines.size() > kRowsShown ? lines.size() - kRowsShown : 0;
  lines.resize(lines.size() - left_out);
  const std::vector<std::string> keys = columns(lines);
  if (keys.empty()) return;
  const auto cell = [](const Line& line, const std::string& key) -> const Json& {
    static const Json kNull;
    const auto value = line.item->find(key);
    return value == line.item->end() ? kNull : *value;
  };
  Table table;
  for (const std::string& key : keys) {
    const bool figures = std::ranges::all_of(lines, [&](const Line& line) { return is_figure(cell(line, key)); });
    table.column(label(lang, "col", key), figures ? Align::right : Align::left);
  }
  for (const Line& line : lines) {
    std::vector<std::string> cells;
    for (const std::string& key : keys) {
      // What a line does not speak of is left empty; what it cannot tell is a dash.
      std::string text = line.item->contains(key) ? cell_text(lang, key, cell(line, key)) : "";
      if (cells.empty()) {
        for (int i = 0; i < line.depth; ++i) text.insert(0, "› ");
      }
      cells.push_back(std::move(text));
    }
    table.row(cells);
  }
  out.heading(3, title(lang, tool, name));
  out.table(std::move(table));
  if (left_out > 0) out.paragraph(sentence(lang, "text.list_cut", {std::to_string(left_out)}));
}

}  // namespace

bool is_table(const Json& value) { return value.is_array() && !value.empty() && value.front().is_object(); }

void add_lists(Lang lang, const std::string& tool, const Json& answer, Document& out) {
  if (!answer.is_object()) return;
  for (const auto& [key, value] : answer.items()) {
    if (is_envelope(key)) continue;
    if (is_table(value)) add_list(lang, tool, key, value, out);
    if (!value.is_object()) continue;
    for (const auto& [inner, list] : value.items()) {
      if (is_table(list)) add_list(lang, tool, key + "." + inner, list, out);
    }
  }
}

}  // namespace stepwise::report
