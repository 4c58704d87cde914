// Markdown that every renderer shows alike: pipe tables, no HTML, text from the profile escaped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stepwise::report {

/// Text from outside as Markdown text: on one line, nothing in it is markup, a pipe does not end the cell.
std::string escape_markdown(std::string_view text);

class MarkdownTable {
 public:
  enum class Align : unsigned char { left, right };
  /// Adds a column; its name is escaped.
  void column(std::string_view name, Align align = Align::left);
  /// Cells are escaped; missing ones are empty.
  void row(const std::vector<std::string>& cells);
  bool empty() const { return rows_.empty(); }
  /// Ends in an empty line.
  std::string text() const;

 private:
  std::vector<std::string> names_;
  std::vector<Align> aligns_;
  std::vector<std::string> rows_;
};

}  // namespace stepwise::report
