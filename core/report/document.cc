#include "core/report/document.h"

#include <iterator>

#include "core/base/text.h"

namespace stepwise::report {

void Table::column(std::string_view name, Align align) { columns_.push_back({std::string(name), align}); }

void Table::row(std::vector<std::string> cells, bool is_failure) {
  cells.resize(columns_.size());
  rows_.push_back({std::move(cells), is_failure});
}

void Document::table(Table table) {
  if (!table.empty()) blocks_.emplace_back(std::move(table));
}

void Document::chart(Chart chart) {
  if (!chart.rows.empty() && chart.full_us > 0) blocks_.emplace_back(std::move(chart));
}

void Document::append(Document other) {
  blocks_.insert(blocks_.end(), std::make_move_iterator(other.blocks_.begin()),
                 std::make_move_iterator(other.blocks_.end()));
}

std::string cut_text(std::string_view text) {
  if (text.size() <= kMaxTextChars) return to_valid_utf8(text);
  // A character has at most four bytes: the rest cannot be among those that are shown.
  std::string head = shorten(to_valid_utf8(text.substr(0, 4 * kMaxTextChars + 4)), kMaxTextChars);
  if (head == text) return head;
  return head + " (" + std::to_string(text.size()) + " bytes)";
}

}  // namespace stepwise::report
