// What every reader of a database does first and last.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "core/ingest/database/db_file.h"

namespace stepwise::ingest {

/// nullopt: it cannot be opened, or has no tables; both are counted.
std::optional<Database> open_database(const std::filesystem::path& file, const std::string& relative_path,
                                      IngestContext& context);
/// It is not needed; what waits for it need not know.
void skip_database(const std::filesystem::path& file, IngestContext& context);
/// Tables that no reader takes.
void count_unused_tables(Database& database, std::initializer_list<std::string_view> used, const std::string& file,
                         IngestContext& context);
/// Errors: cancelled.
Result<void> close_database(const std::string& file, const IngestContext& context);

}  // namespace stepwise::ingest
