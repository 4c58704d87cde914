#include "core/report/markdown_table.h"

#include <algorithm>

#include "core/base/text.h"

namespace stepwise::report {

namespace {

bool is_word(char c) {
  const auto u = static_cast<unsigned char>(c);
  return (u >= '0' && u <= '9') || (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || u >= 0x80;
}

/// Names are full of underscores (aclnnAdd_1_2), and a report is read raw as often as rendered: only what can be markup
/// where it stands gets a backslash. An underscore inside a word, a '#' or '>' inside a line never is.
bool needs_backslash(std::string_view text, size_t at) {
  switch (text[at]) {
    case '\\':
    case '`':
    case '*':
    case '[':
    case '<':
    case '|':
    case '~':
    case '$':
      return true;
    case '_':
      return at == 0 || at + 1 == text.size() || !is_word(text[at - 1]) || !is_word(text[at + 1]);
    case '&':
      return at + 1 < text.size() && (text[at + 1] == '#' || is_word(text[at + 1]));
    default:
      return false;
  }
}

}  // namespace

// What is inside a code span needs no backslash, but a pipe would still end a cell.
size_t code_span_at(std::string_view text, size_t at) {
  if (text[at] != '`') return 0;
  const size_t end = text.find('`', at + 1);
  if (end == std::string_view::npos || end == at + 1) return 0;
  const std::string_view inside = text.substr(at + 1, end - at - 1);
  const bool plain = std::ranges::none_of(
      inside, [](char c) { return c == '|' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  return plain && inside.front() != ' ' ? end + 1 - at : 0;
}

std::string escape_markdown(std::string_view raw) {
  const std::string text = to_valid_utf8(raw);
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (const size_t span = code_span_at(text, i); span > 0) {
      out.append(text, i, span);
      i += span - 1;
      continue;
    }
    const char c = text[i];
    if (c == '\n' || c == '\t') {
      out += ' ';
    } else if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) {
      if (needs_backslash(text, i)) out += '\\';
      out += c;
    }
  }
  return out;
}

std::string markdown_of(const Table& table) {
  std::string head = "|", rule = "|", lines;
  for (const Table::Column& column : table.columns()) {
    head += " " + escape_markdown(column.name) + " |";
    rule += column.align == Align::right ? " ---: |" : " --- |";
  }
  for (const Table::Row& row : table.rows()) {
    lines += "|";
    for (const std::string& cell : row.cells) lines += " " + escape_markdown(cut_text(cell)) + " |";
    lines += "\n";
  }
  return head + "\n" + rule + "\n" + lines + "\n";
}

}  // namespace stepwise::report
