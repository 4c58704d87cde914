#include "core/ingest/csv/csv_header.h"

#include <algorithm>
#include <string_view>

#include "core/base/text.h"

namespace stepwise::ingest {
namespace {

constexpr size_t kNamesShown = 20;  // of columns, in a diagnostic

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (size_t i = 0; i < std::min(names.size(), kNamesShown); ++i) out += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kNamesShown) out += " and " + std::to_string(names.size() - kNamesShown) + " more";
  return out;
}

size_t find_name(const std::vector<std::string_view>& header, const CsvColumnName& column) {
  for (const char* name : column.names) {
    if (name == nullptr) break;
    const auto found = std::find(header.begin(), header.end(), name);
    if (found != header.end()) return static_cast<size_t>(found - header.begin());
  }
  return kAbsentCell;
}

}  // namespace

std::optional<std::vector<size_t>> find_columns(const CsvRecord& header, std::span<const CsvColumnName> columns,
                                                const std::string& file, Diagnostics& diagnostics) {
  std::vector<std::string_view> names(header.size());
  for (size_t i = 0; i < names.size(); ++i) names[i] = trim(header[i]);
  std::vector<size_t> cells;
  std::vector<bool> used(names.size(), false);
  std::vector<std::string> missing, unused;
  for (const CsvColumnName& column : columns) {
    const size_t cell = find_name(names, column);
    cells.push_back(cell);
    if (cell != kAbsentCell) {
      used[cell] = true;
    } else if (column.is_required) {
      missing.emplace_back(column.names[0]);
    }
  }
  for (const size_t cell : cells) {
    if (cell == kAbsentCell || std::count(names.begin(), names.end(), names[cell]) == 1) continue;
    const std::string name = shorten(to_valid_utf8(names[cell]), 40);
    diagnostics.count(Diag::csv_duplicate_column, file, header.line(), 1, "It is \"" + name + "\".");
    return std::nullopt;
  }
  if (!missing.empty()) {
    diagnostics.count(Diag::csv_no_header, file, header.line(), 1, "Missing: " + listed(missing) + ".");
    return std::nullopt;
  }
  for (size_t i = 0; i < names.size(); ++i) {
    if (!used[i]) unused.push_back(to_valid_utf8(names[i]));
  }
  if (!unused.empty()) {
    diagnostics.count(Diag::csv_column_unused, file, header.line(), unused.size(), "They are: " + listed(unused) + ".");
  }
  return cells;
}

void count_loss(CsvLoss loss, int64_t line, size_t cells, size_t header_size, const std::string& file,
                Diagnostics& diagnostics) {
  switch (loss) {
    case CsvLoss::ragged:
      return diagnostics.count(
          Diag::csv_ragged_record, file, line, 1,
          "First: " + std::to_string(cells) + " cells, the header has " + std::to_string(header_size) + ".");
    case CsvLoss::too_long:
      return diagnostics.count(Diag::csv_record_too_long, file, line);
    case CsvLoss::cut:
      return diagnostics.count(Diag::file_cut, file, line);
    case CsvLoss::header_too_wide:
      return diagnostics.count(Diag::csv_no_header, file, line, 1, "It is wider than any table of a profiler.");
    case CsvLoss::no_final_newline:
      return diagnostics.count(Diag::csv_no_final_newline, file, line);
  }
}

}  // namespace stepwise::ingest
