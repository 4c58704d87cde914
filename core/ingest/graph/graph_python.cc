#include "core/ingest/graph/graph_python.h"

#include "core/base/text.h"

namespace stepwise::ingest {
namespace {

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_char(char c) { return is_name_start(c) || (c >= '0' && c <= '9'); }
bool is_line_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f'; }
bool opens(char c) { return c == '(' || c == '[' || c == '{'; }
bool closes(char c) { return c == ')' || c == ']' || c == '}'; }

/// The place after the text that begins at `at` with a quote; it ends at the line's end if nothing closes it.
size_t after_text(std::string_view text, size_t at) {
  const char quote = text[at];
  for (size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      return i + 1;
    } else if (text[i] == '\n') {
      return i;
    }
  }
  return text.size();
}

bool is_triple(std::string_view text, size_t at) {
  return at + 2 < text.size() && text[at + 1] == text[at] && text[at + 2] == text[at];
}

}  // namespace

bool PythonStatements::next(PythonStatement& out) {
  out = {};
  // Blank lines, and the indent of the first that is none.
  size_t at = 0;
  for (; at < rest_.size() && (is_line_blank(rest_[at]) || rest_[at] == '\n'); ++at) {
    if (rest_[at] == '\n') {
      ++line_;
      out.indent = 0;
    } else {
      ++out.indent;
    }
  }
  if (at == rest_.size()) return false;
  out.line = line_;
  int depth = 0;
  while (at < rest_.size()) {
    const char c = rest_[at];
    if (c == '\n') {
      ++line_;
      ++at;
      if (depth == 0) {
        rest_.remove_prefix(at);
        out.text = trim(out.text);
        return true;
      }
      out.text += ' ';
      out.comment.clear();
    } else if (c == '#') {
      const size_t end = std::min(rest_.find('\n', at), rest_.size());
      out.comment = trim(rest_.substr(at + 1, end - at - 1));
      at = end;
    } else if (c == '\'' || c == '"') {
      if (is_triple(rest_, at)) {
        const size_t close = rest_.find(std::string(3, c), at + 3);
        if (close == std::string_view::npos) {
          opening_line_ = line_;
          break;
        }
        for (const char inner : rest_.substr(at, close - at)) line_ += inner == '\n' ? 1 : 0;
        out.text.append(2, c);
        at = close + 3;
      } else {
        const size_t end = after_text(rest_, at);
        out.text += rest_.substr(at, end - at);
        at = end;
      }
    } else {
      if (opens(c) && depth++ == 0) opening_line_ = line_;
      if (closes(c) && depth > 0) --depth;
      out.text += c;
      ++at;
    }
  }
  // The end of the file. Without a line break the last statement is told if it is balanced.
  is_cut_ = at < rest_.size() || depth > 0;
  rest_ = {};
  out.text = trim(out.text);
  return !is_cut_;
}

size_t find_outside(std::string_view text, char wanted) {
  int depth = 0;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == wanted && depth == 0) return i;
    if (c == '\'' || c == '"') {
      i = after_text(text, i);
      continue;
    }
    if (opens(c)) ++depth;
    if (closes(c) && depth > 0) --depth;
    ++i;
  }
  return std::string_view::npos;
}

std::vector<std::string_view> split_arguments(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t comma = find_outside(text, ',');
    const std::string_view part = trim(text.substr(0, comma));
    if (comma == std::string_view::npos) {
      if (!part.empty()) parts.push_back(part);
      return parts;
    }
    parts.push_back(part);
    text.remove_prefix(comma + 1);
  }
}

PythonAssignment split_assignment(std::string_view statement) {
  statement = trim(statement.substr(0, find_outside(statement, ';')));
  const size_t equals = find_outside(statement, '=');
  if (equals == std::string_view::npos || equals == 0) return {"", statement};
  const char before = statement[equals - 1];
  const bool compares = (equals + 1 < statement.size() && statement[equals + 1] == '=') || before == '<' ||
                        before == '>' || before == '!';
  if (compares) return {"", statement};
  return {trim(statement.substr(0, equals)), trim(statement.substr(equals + 1))};
}

bool as_call(std::string_view value, PythonCall& out) {
  size_t name_end = 0;
  while (name_end < value.size() && (is_name_char(value[name_end]) || value[name_end] == '.')) ++name_end;
  if (name_end == 0 || name_end == value.size() || value[name_end] != '(' || !is_name_start(value[0])) return false;
  const std::string_view inside = value.substr(name_end + 1);
  const size_t close = find_outside(inside, ')');
  if (close != inside.size() - 1) return false;
  out = {value.substr(0, name_end), inside.substr(0, close)};
  return true;
}

bool is_identifier(std::string_view text) {
  if (text.empty() || !is_name_start(text[0])) return false;
  for (const char c : text) {
    if (!is_name_char(c)) return false;
  }
  return true;
}

std::vector<std::string_view> names_in(std::string_view expression) {
  std::vector<std::string_view> names;
  for (size_t i = 0; i < expression.size();) {
    const char c = expression[i];
    if (c == '\'' || c == '"') {
      i = after_text(expression, i);
      continue;
    }
    if (!is_name_char(c)) {
      ++i;
      continue;
    }
    const size_t begin = i;
    while (i < expression.size() && is_name_char(expression[i])) ++i;
    size_t next = i;
    while (next < expression.size() && is_line_blank(expression[next])) ++next;
    const bool is_keyword = next < expression.size() && expression[next] == '=' &&
                            (next + 1 == expression.size() || expression[next + 1] != '=');
    const bool is_attribute = begin > 0 && expression[begin - 1] == '.';
    if (is_name_start(expression[begin]) && !is_keyword && !is_attribute) {
      names.push_back(expression.substr(begin, i - begin));
    }
  }
  return names;
}

}  // namespace stepwise::ingest
