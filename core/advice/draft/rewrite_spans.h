// What of a text goes when a parameter in it is replaced. Internal to core/advice/draft.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/advice/gate/mention.h"

namespace stepwise::advice {

struct Span {
  size_t begin = 0, end = 0;
};

/// Lines between fences, the fences included.
std::vector<Span> code_blocks(std::string_view text);
bool is_in(const std::vector<Span>& spans, size_t at);
Span lines_of(std::string_view text, Span span);
/// The whole of the inline code that a span lies in; itself: it lies in none, or in a very long one.
Span code_around(std::string_view text, Span span);
/// Without the "export" before a variable, which would make one of what takes its place.
Span with_command(std::string_view text, Span span);
/// With the rest of a dotted name and the brackets of a call; of a key of {...} with the whole of it, so that no half
/// of an expression stays.
Span expression_around(std::string_view text, Span span);
/// The value stands in the next cell of a table.
bool is_in_two_cells(std::string_view text, const Mention& mention);

}  // namespace stepwise::advice
