#include "clients/cli/terminal_table.h"

#include <algorithm>

#include "clients/cli/terminal_text.h"

namespace stepwise::cli {
namespace {

constexpr size_t kGap = 2;

std::string line_of(const std::vector<TableColumn>& columns, const std::vector<size_t>& widths,
                    const std::vector<std::string>& cells, const Terminal& terminal) {
  std::string line;
  for (size_t i = 0; i < columns.size(); ++i) {
    std::string cell = i < cells.size() ? cells[i] : "";
    const bool last = i + 1 == columns.size();
    if (last && terminal.is_terminal) {
      const auto width = static_cast<size_t>(terminal.columns);
      const size_t used = display_width(line);
      cell = fit(cell, width > used + 1 ? width - used - 1 : 1, terminal.unicode ? "…" : "...");
    }
    line += columns[i].right ? pad_left(cell, widths[i]) : last ? cell : pad_right(cell, widths[i]);
    if (!last) line.append(kGap, ' ');
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace

std::string render_table(const std::vector<TableColumn>& columns, const std::vector<std::vector<std::string>>& rows,
                         const Terminal& terminal) {
  std::vector<std::vector<std::string>> cleaned = rows;
  std::vector<std::string> names;
  std::vector<size_t> widths;
  for (const TableColumn& column : columns) {
    names.push_back(column.name);
    widths.push_back(display_width(column.name));
  }
  for (auto& row : cleaned) {
    for (size_t i = 0; i < row.size() && i < widths.size(); ++i) {
      row[i] = clean_text(row[i]);
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  std::string out = paint(terminal, Colour::bold, line_of(columns, widths, names, terminal)) + "\n";
  for (const auto& row : cleaned) out += line_of(columns, widths, row, terminal) + "\n";
  return out;
}

}  // namespace stepwise::cli
