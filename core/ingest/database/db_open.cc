#include "core/ingest/database/db_open.h"

#include <algorithm>
#include <system_error>

#include "core/base/text.h"

namespace stepwise::ingest {

void skip_database(const std::filesystem::path& file, IngestContext& context) {
  std::error_code ec;
  const uintmax_t bytes = std::filesystem::file_size(file, ec);
  if (!ec) context.progress.add(bytes);
}

std::optional<Database> open_database(const std::filesystem::path& file, const std::string& relative_path,
                                      IngestContext& context) {
  skip_database(file, context);
  Result<Database> opened = Database::open(file, &context.cancel);
  if (!opened.ok()) {
    if (!context.cancel.is_set()) {
      context.diagnostics.count(Diag::db_damaged, relative_path, std::nullopt, 1, opened.error().message);
    }
    return std::nullopt;
  }
  if (opened.value().has_unmerged_changes()) {
    context.diagnostics.count(Diag::db_changes_apart, relative_path);
  }
  return std::move(opened.value());
}

void count_unused_tables(Database& database, std::initializer_list<std::string_view> used, const std::string& file,
                         IngestContext& context) {
  constexpr size_t kNamesShown = 20, kNameShown = 40;
  std::string names;
  size_t count = 0;
  for (const std::string& table : database.tables()) {
    if (std::find(used.begin(), used.end(), table) != used.end()) continue;
    if (count++ < kNamesShown) names += (names.empty() ? "" : ", ") + shorten(to_valid_utf8(table), kNameShown);
  }
  if (count > kNamesShown) names += " and " + std::to_string(count - kNamesShown) + " more";
  context.diagnostics.count(Diag::db_table_unused, file, std::nullopt, count, "They are: " + names + ".");
}

Result<void> close_database(const std::string& file, const IngestContext& context) {
  if (!context.cancel.is_set()) return {};
  return Error{ErrorKind::cancelled, "ingest.cancelled", "Reading was cancelled.", "", file};
}

}  // namespace stepwise::ingest
