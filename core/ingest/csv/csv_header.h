// Which cell of a CSV file's records holds which column of a format. Columns are found by name, never by position.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ingest/base/diagnostics.h"
#include "core/ingest/csv/csv_reader.h"

namespace stepwise::ingest {

inline constexpr size_t kAbsentCell = static_cast<size_t>(-1);

struct CsvColumnName {
  std::array<const char*, 3> names;  // one for each version of the exporter; nullptr: no more
  bool is_required;
};

/// The cell of each column; kAbsentCell: the file has none. nullopt: a required column is missing, or one that counts
/// stands twice. That is counted, and so are, once, the header's columns that nobody wants.
std::optional<std::vector<size_t>> find_columns(const CsvRecord& header, std::span<const CsvColumnName> columns,
                                                const std::string& file, Diagnostics& diagnostics);

/// cells: of the record that was lost; header_size: what it should have had.
void count_loss(CsvLoss loss, int64_t line, size_t cells, size_t header_size, const std::string& file,
                Diagnostics& diagnostics);

}  // namespace stepwise::ingest
