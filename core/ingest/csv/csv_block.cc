#include "core/ingest/csv/csv_block.h"

namespace stepwise::ingest {

std::string_view unquoted(std::string_view raw, std::string& scratch) {
  if (!raw.starts_with('"')) return raw;
  constexpr auto kNone = std::string_view::npos;
  if (raw.size() >= 2 && raw.ends_with('"')) {
    const std::string_view inner = raw.substr(1, raw.size() - 2);
    if (inner.find('"') == kNone) return inner;
    // A text in quotes of its own, as shapes are written: one of each pair at its ends lies outside.
    const bool has_outer_pairs = inner.size() >= 4 && inner.starts_with("\"\"") && inner.ends_with("\"\"") &&
                                 inner.substr(2, inner.size() - 4).find('"') == kNone;
    if (has_outer_pairs) return inner.substr(1, inner.size() - 2);
  }
  const size_t from = scratch.size();
  bool inside = true;
  for (size_t i = 1; i < raw.size(); ++i) {
    if (inside && raw[i] == '"') {
      if (i + 1 < raw.size() && raw[i + 1] == '"') {
        ++i;
      } else {
        inside = false;  // what follows the closing quote belongs to the cell as it stands
        continue;
      }
    }
    scratch += raw[i];
  }
  return std::string_view(scratch).substr(from);
}

void CsvRecord::assign(const CsvBlock& block, size_t record) {
  line_ = block.line(record);
  cells_.clear();
  size_t bytes = 0;
  for (size_t cell = 0; cell < block.cells(); ++cell) {
    cells_.push_back(block.raw(record, cell));
    bytes += cells_.back().size();
  }
  scratch_.clear();
  scratch_.reserve(bytes);  // all of them fit, so that it never moves
  for (std::string_view& cell : cells_) cell = unquoted(cell, scratch_);
}

}  // namespace stepwise::ingest
