#include "core/engine/text_table.h"

#include <algorithm>

#include "core/base/text.h"

namespace stepwise::engine {
namespace {

constexpr size_t kMaxCellColumns = 48;
constexpr size_t kMaxListRows = 12;
// Ids of evidence serve those who read the structure; the text tells the evidence itself.
constexpr const char* kEvidence = "evidence";

size_t columns_of(const std::string& text) {  // code points
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, size_t width, bool right) {
  const std::string blanks(width > columns_of(text) ? width - columns_of(text) : 0, ' ');
  return right ? blanks + text : text + blanks;
}

std::string pairs(const Json& object) {
  std::string out;
  for (const auto& [key, value] : object.items()) {
    if (key != kEvidence && !value.is_null()) out += (out.empty() ? "" : " ") + key + "=" + to_cell(value);
  }
  return out;
}

bool is_list_of_objects(const Json& value) { return value.is_array() && !value.empty() && value.front().is_object(); }

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
  if (value.is_string()) {
    std::string text = shorten(value.get_ref<const std::string&>(), kMaxCellColumns);
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < ' '; }, ' ');
    return text;
  }
  if (value.is_array()) {
    std::string out;
    for (const Json& one : value) out += (out.empty() ? "" : ", ") + to_cell(one);
    return shorten(out, 2 * kMaxCellColumns);
  }
  return "{" + pairs(value) + "}";
}

std::string text_table(const std::vector<std::string>& columns, const std::vector<Json>& rows, size_t max_chars,
                       size_t& shown) {
  const size_t count = columns.size();
  std::vector<std::vector<std::string>> lines{columns};
  std::vector<bool> numeric(count, true);
  std::vector<size_t> widths(count);
  for (const Json& row : rows) {
    std::vector<std::string> cells;
    for (size_t i = 0; i < count; ++i) {
      const auto it = row.find(columns[i]);
      cells.push_back(it == row.end() ? "" : to_cell(*it));
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

std::string text_lines(const Json& object) {
  std::string out, unknown;
  for (const auto& [key, value] : object.items()) {
    if (value.is_null()) {
      unknown += (unknown.empty() ? "" : ", ") + key;
    } else if (is_list_of_objects(value)) {
      std::vector<std::string> columns;
      for (const auto& [name, cell] : value.front().items()) {
        if (name != kEvidence) columns.push_back(name);
      }
      const size_t count = std::min(value.size(), kMaxListRows);
      const std::vector<Json> rows(value.begin(), value.begin() + static_cast<Json::difference_type>(count));
      size_t shown = 0;
      out += key + ":\n" + text_table(columns, rows, 4000, shown);
      if (value.size() > rows.size()) out += "(" + std::to_string(value.size() - rows.size()) + " more)\n";
    } else {
      out += key + ": " + (value.is_object() ? pairs(value) : to_cell(value)) + "\n";
    }
  }
  if (!unknown.empty()) out += "this input cannot tell: " + unknown + "\n";
  return out;
}

}  // namespace stepwise::engine
