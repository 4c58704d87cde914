// Letters as they look, for finding names in text that was written to hide them, or copied from where they were styled.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stepwise::advice {

/// Full-width and styled (mathematical, circled, small-capital) letters, digits and signs, and the Cyrillic and Greek
/// letters that look like Latin ones, become ASCII; blanks of every width become ' '; what has no width (joiners, marks
/// of direction, combining marks) goes. All else stays, case and bytes that are no UTF-8 included. For comparing only:
/// Greek and Russian words come out as nonsense. Linear in the text; never longer than it.
std::string plain_letters(std::string_view text);

struct PlainText {
  std::string text;
  /// Of each byte of `text` the byte offset in what was given that it comes from, rising; besides, at the end, the
  /// length of what was given. So the bytes [a, b) come from [offsets[a], offsets[b]).
  std::vector<uint32_t> offsets;
};

/// As above, with where each byte comes from. The text is below 4 GiB.
PlainText plain_letters_with_offsets(std::string_view text);

}  // namespace stepwise::advice
