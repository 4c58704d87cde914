// Markdown that every renderer shows alike: pipe tables, no HTML, text from the profile escaped.
#pragma once

#include <string>
#include <string_view>

#include "core/report/document.h"

namespace stepwise::report {

/// Length of the code span (`name`, as analyzers quote names) that begins at `at`; 0: none.
size_t code_span_at(std::string_view text, size_t at);
/// Text from outside as Markdown text: on one line, nothing in it is markup, a pipe does not end the cell.
std::string escape_markdown(std::string_view text);

/// A pipe table; ends in an empty line.
std::string markdown_of(const Table& table);

}  // namespace stepwise::report
