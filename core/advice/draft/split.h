// A draft of advice as the pieces of advice that it consists of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stepwise::advice {

struct DraftItem {
  size_t offset = 0, length = 0;  // bytes of the draft
  std::string_view text;          // these bytes
  std::string_view columns;       // of a row of a table: the line with the names of its columns
};

/// Every byte of the draft belongs to exactly one item, in order; without any text there is none. An item begins at a
/// heading, at an entry of a list (unless it is a field of the item before: "Gain: ...", 触发条件：...), at a row of a
/// table, and, outside of headings, at a paragraph. Code belongs to the item before it; a heading with nothing below it
/// to the one behind. Linear.
std::vector<DraftItem> split_draft(std::string_view markdown);

}  // namespace stepwise::advice
