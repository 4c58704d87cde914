// Rows of a CSV file for readers that make more of a row than one row of a table.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/ingest/base/context.h"
#include "core/ingest/base/read_file.h"
#include "core/ingest/csv/csv_header.h"

namespace stepwise::ingest {

/// Feeds the file to the reader. saw_anything: what its handler says after the last byte. passed: if wanted.
/// Errors: cancelled.
Result<void> feed_csv(CsvReader& reader, const std::filesystem::path& file, const std::string& relative_path,
                      IngestContext& context, const std::function<bool()>& saw_anything,
                      std::function<void(const FilePosition&)> passed = {});

/// cells: in the order of the columns that were asked for, "" where the file has none. number: 1 = first after the
/// header. line: of the file.
using OnCsvRow = std::function<void(std::span<const std::string_view> cells, int64_t number, int64_t line)>;

/// What is lost is counted in the context's diagnostics. Errors: cancelled.
Result<void> read_csv_rows(std::span<const CsvColumnName> columns, const std::filesystem::path& file,
                           const std::string& relative_path, IngestContext& context, const OnCsvRow& on_row);

}  // namespace stepwise::ingest
