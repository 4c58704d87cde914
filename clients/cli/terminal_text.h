// Text in columns: how wide it stands on a terminal, cut or filled to a width. Valid UTF-8 without control characters
// is expected (clean_text makes it so); colours are added after. [any thread]
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace stepwise::cli {

/// Names from a profile go to a terminal only through this: bad bytes and control characters (an escape sequence in an
/// operator's name) become "?"; line ends and tabs become blanks.
std::string clean_text(std::string_view text);

/// Columns that the text takes: two for each wide (Chinese, Japanese, Korean) character, none for combining ones.
size_t display_width(std::string_view text);

/// At most `width` columns; what does not fit is cut, with `mark` at the end.
std::string fit(std::string_view text, size_t width, std::string_view mark = "…");
std::string pad_right(std::string text, size_t width);
std::string pad_left(std::string text, size_t width);

/// Words put on lines of at most `width` columns, at most `max_lines` of them; a longer text ends in `mark`.
std::vector<std::string> wrap(std::string_view text, size_t width, size_t max_lines, std::string_view mark = "…");

}  // namespace stepwise::cli
