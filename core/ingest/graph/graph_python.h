// Generated Python, statement by statement. Not a parser: the files are regular, and some are not valid Python. A
// grammar (tree-sitter's, tried on all real files) takes `class <lambda>` and what it holds for errors, and needs up to
// 75 bytes a byte where text is damaged; this is linear, keeps nothing, and says where an open bracket began.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stepwise::ingest {

struct PythonStatement {
  std::string text;     // lines joined where brackets are open; comments and the content of ''' texts left out
  std::string comment;  // of its last line, without '#'; text empty: a line that is nothing else
  size_t indent = 0;
  int64_t line = 0;  // of its first line, from 1
};

class PythonStatements {
 public:
  explicit PythonStatements(std::string_view text) : rest_(text) {}
  /// False: there are no more.
  bool next(PythonStatement& out);
  /// The text ended inside a bracket or a ''' text: what was last begun was not told.
  bool is_cut() const { return is_cut_; }
  /// If it is cut: where the outermost bracket, or the ''' text, opens that nothing closes.
  int64_t opening_line() const { return opening_line_; }
  int64_t line() const { return line_; }

 private:
  std::string_view rest_;
  int64_t line_ = 1, opening_line_ = 1;
  bool is_cut_ = false;
};

/// The first such character outside brackets and texts; npos: none.
size_t find_outside(std::string_view text, char wanted);
/// Parts between commas outside brackets and texts, trimmed; the last one may be missing.
std::vector<std::string_view> split_arguments(std::string_view text);

struct PythonAssignment {
  std::string_view targets;  // "" where nothing is assigned; may have an annotation
  std::string_view value;
};
/// "a: "f32[8]" = f(b);  b = None" gives `a: "f32[8]"` and `f(b)`.
PythonAssignment split_assignment(std::string_view statement);

struct PythonCall {
  std::string_view callee;  // dotted path
  std::string_view arguments;
};
/// True if the value is one call of a dotted name and nothing else.
bool as_call(std::string_view value, PythonCall& out);

bool is_identifier(std::string_view text);
/// Names that stand in an expression for themselves: no attributes, keywords of calls, words in texts.
std::vector<std::string_view> names_in(std::string_view expression);

}  // namespace stepwise::ingest
