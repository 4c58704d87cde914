#include "core/engine/text_table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <map>
#include <string_view>

#include "core/base/text.h"
#include "stepwise/short_names.hpp"

namespace stepwise::engine {
namespace {

constexpr size_t kMaxCellColumns = 48;
// A sentence on a line of its own: cut only where it would crowd out the rest.
constexpr size_t kMaxLineColumns = 400;
constexpr size_t kMaxListRows = 12;
constexpr size_t kMaxTreeRows = 60, kMaxTreeDepth = 32;
constexpr size_t kMaxTreeChars = 5'000;
constexpr double kRounding = 1e-6;  // of us and ratios, less than either can tell
constexpr const char* kChildren = "children";
// Ids of evidence serve those who read the structure; the text tells the evidence itself.
constexpr const char* kEvidence = "evidence";

size_t columns_of(const std::string& text) {  // code points
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, size_t width, bool right) {
  const std::string blanks(width > columns_of(text) ? width - columns_of(text) : 0, ' ');
  return right ? blanks + text : text + blanks;
}

std::string one_line(const std::string& value, size_t max_columns) {
  std::string text = shorten(value, max_columns);
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' '; }, ' ');
  return text;
}

/// An instant keeps its digits, since it is given back as an argument; three of them do for an amount.
std::string named_cell(const std::string& name, const Json& value) {
  const bool instant = name == "start_us" || name == "end_us" || name.ends_with("_at_us");
  if (!instant || !value.is_number_float()) return to_cell(value);
  char text[40];
  std::snprintf(text, sizeof text, "%.3f", value.get<double>());
  return text;
}

/// Columns of names, which may be alike at both ends: kernels, calls.
constexpr std::string_view kNameColumns[] = {"name", "op_type", "op", "within", "call", "top_op", "compute_waiting"};

/// The names of a column so that they fit and can be told apart; by the whole name.
std::map<std::string_view, std::string> names_of(const std::string& column, const std::vector<Json>& rows) {
  std::vector<std::string_view> names;
  if (std::find(std::begin(kNameColumns), std::end(kNameColumns), column) == std::end(kNameColumns)) return {};
  for (const Json& row : rows) {
    const auto it = row.find(column);
    if (it != row.end() && it->is_string()) names.push_back(it->get_ref<const std::string&>());
  }
  const std::vector<std::string> texts = short_names(names, kMaxCellColumns);
  std::map<std::string_view, std::string> out;
  for (size_t i = 0; i < names.size(); ++i) out[names[i]] = one_line(texts[i], kMaxCellColumns);
  return out;
}

const Json& part_of(const Json& schema, const char* key) {
  static const Json kNothing = Json::object();
  if (!schema.is_object()) return kNothing;
  const auto it = schema.find(key);
  return it == schema.end() ? kNothing : *it;
}

/// What the schema requires in the order in which it does, then the rest.
std::vector<std::string> ordered_keys(const Json& object, const Json& schema) {
  std::vector<std::string> keys;
  for (const Json& one : part_of(schema, "required")) {
    if (one.is_string() && object.contains(one.get_ref<const std::string&>())) keys.push_back(one);
  }
  const size_t required = keys.size();
  for (const auto& [key, value] : object.items()) {
    const auto end = keys.begin() + static_cast<std::ptrdiff_t>(required);
    if (std::find(keys.begin(), end, key) == end) keys.push_back(key);
  }
  return keys;
}

std::string pairs(const Json& object, size_t max_columns, const Json& schema = Json::object()) {
  std::string out;
  for (const std::string& key : ordered_keys(object, schema)) {
    const Json& value = object[key];
    if (key == kEvidence || value.is_null()) continue;
    const std::string text =
        value.is_string() ? one_line(value.get_ref<const std::string&>(), max_columns) : named_cell(key, value);
    out += (out.empty() ? "" : " ") + key + "=" + text;
  }
  return out;
}

bool is_nothing(const Json& value) {
  return value.is_null() || value == Json(false) || (value.is_number() && std::abs(value.get<double>()) < kRounding) ||
         ((value.is_array() || value.is_string() || value.is_object()) && value.empty());
}

/// An object of zeros tells nothing that its absence does not.
bool holds_nothing(const Json& object) { return std::all_of(object.begin(), object.end(), is_nothing); }

/// A row whose figures are what floating point leaves over: "rounding -1.4e-7".
bool is_rounding(const Json& row) {
  bool has_figure = false, has_amount = false;
  for (const Json& value : row) {
    has_figure = has_figure || value.is_number_float();
    has_amount = has_amount || (value.is_number() && std::abs(value.get<double>()) >= kRounding);
  }
  return has_figure && !has_amount;
}

bool is_list_of_objects(const Json& value) { return value.is_array() && !value.empty() && value.front().is_object(); }

bool is_tree(const Json& value) {
  return is_list_of_objects(value) && std::any_of(value.begin(), value.end(), [](const Json& item) {
           return item.is_object() && item.contains(kChildren);
         });
}

/// One row a node, in order, its name moved in by its depth.
void flatten(const Json& list, size_t depth, std::vector<Json>& rows) {
  for (const Json& item : list) {
    if (!item.is_object() || rows.size() == kMaxTreeRows) return;
    Json row = item;
    row.erase(kChildren);
    if (const auto name = row.find("name"); name != row.end() && name->is_string()) {
      *name = std::string(depth, '>') + (depth > 0 ? " " : "") + name->get<std::string>();
    }
    rows.push_back(std::move(row));
    if (const auto children = item.find(kChildren); children != item.end() && depth < kMaxTreeDepth) {
      flatten(*children, depth + 1, rows);
    }
  }
}

/// Columns that say something in any row, `name` first.
std::vector<std::string> columns_of_tree(const std::vector<Json>& rows) {
  std::vector<std::string> columns{"name"};
  for (const Json& row : rows) {
    for (const auto& [key, value] : row.items()) {
      const bool says = !value.is_null() && value != Json(false);
      if (says && key != kEvidence && std::find(columns.begin(), columns.end(), key) == columns.end()) {
        columns.push_back(key);
      }
    }
  }
  return columns;
}

std::string rstrip(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::string to_cell(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_integer()) return std::to_string(value.get<int64_t>());
  if (value.is_number()) return three_digits(value.get<double>());
  if (value.is_string()) return one_line(value.get_ref<const std::string&>(), kMaxCellColumns);
  if (value.is_array()) {
    std::string out;
    for (const Json& one : value) out += (out.empty() ? "" : ", ") + to_cell(one);
    return shorten(out, 2 * kMaxCellColumns);
  }
  return "{" + pairs(value, kMaxCellColumns) + "}";
}

std::string text_table(const std::vector<std::string>& columns, const std::vector<Json>& rows, size_t max_chars,
                       size_t& shown) {
  const size_t count = columns.size();
  std::vector<std::vector<std::string>> lines{columns};
  std::vector<bool> numeric(count, true);
  std::vector<size_t> widths(count);
  std::vector<std::map<std::string_view, std::string>> names;
  for (const std::string& column : columns) names.push_back(names_of(column, rows));
  for (const Json& row : rows) {
    std::vector<std::string> cells;
    for (size_t i = 0; i < count; ++i) {
      const auto it = row.find(columns[i]);
      const bool is_name = it != row.end() && it->is_string() && !names[i].empty();
      cells.push_back(it == row.end() ? ""
                      : is_name       ? names[i].at(it->get_ref<const std::string&>())
                                      : named_cell(columns[i], *it));
      if (it != row.end() && !it->is_number() && !it->is_null()) numeric[i] = false;
    }
    lines.push_back(std::move(cells));
  }
  for (const auto& cells : lines) {
    for (size_t i = 0; i < count; ++i) widths[i] = std::max(widths[i], columns_of(cells[i]));
  }
  std::string out;
  shown = 0;
  for (size_t line = 0; line < lines.size(); ++line) {
    std::string text;
    for (size_t i = 0; i < count; ++i) text += (i == 0 ? "" : "  ") + padded(lines[line][i], widths[i], numeric[i]);
    text = rstrip(std::move(text)) + "\n";
    if (line > 1 && out.size() + text.size() > max_chars) break;
    out += text;
    shown = line;
  }
  return out;
}

std::string text_lines(const Json& object, const Json& schema) {
  std::string out, unknown;
  for (const std::string& key : ordered_keys(object, schema)) {
    const Json& value = object[key];
    const Json& its_schema = part_of(part_of(schema, "properties"), key.c_str());
    if (value.is_null()) {
      unknown += (unknown.empty() ? "" : ", ") + key;
    } else if (is_tree(value)) {
      std::vector<Json> rows;
      flatten(value, 0, rows);
      size_t shown = 0;
      out += key + ":\n" + text_table(columns_of_tree(rows), rows, kMaxTreeChars, shown);
      if (shown < rows.size()) out += "(" + std::to_string(rows.size() - shown) + " more)\n";
    } else if (is_list_of_objects(value)) {
      std::vector<std::string> columns = ordered_keys(value.front(), part_of(its_schema, "items"));
      std::erase(columns, kEvidence);
      std::vector<Json> rows;
      size_t left = 0;
      for (const Json& row : value) {
        if (is_rounding(row)) continue;
        if (rows.size() < kMaxListRows) {
          rows.push_back(row);
        } else {
          ++left;
        }
      }
      size_t shown = 0;
      out += key + ":\n" + text_table(columns, rows, 4000, shown);
      if (left > 0) out += "(" + std::to_string(left) + " more)\n";
    } else if (value.is_object()) {
      if (!holds_nothing(value)) out += key + ": " + pairs(value, kMaxLineColumns, its_schema) + "\n";
    } else if (value.is_string()) {
      out += key + ": " + one_line(value.get_ref<const std::string&>(), kMaxLineColumns) + "\n";
    } else {
      out += key + ": " + to_cell(value) + "\n";
    }
  }
  if (!unknown.empty()) out += "this input cannot tell: " + unknown + "\n";
  return out;
}

}  // namespace stepwise::engine
