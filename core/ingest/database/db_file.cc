#include "core/ingest/database/db_file.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "core/base/decimal.h"
#include "core/base/text.h"

namespace stepwise::ingest {
namespace {

constexpr int kMaxCellBytes = 16 << 20;  // of one value, and of one row
constexpr int kMaxStatementBytes = 1 << 16;
constexpr int kStepsBetweenPolls = 10'000;  // of SQLite's machine
constexpr int64_t kPollsOfQuickLook = 2'000;
constexpr uint64_t kLeastRowBytes = 4;
constexpr size_t kMaxTables = 1'000;
constexpr double kExactInDouble = 9'007'199'254'740'992.0;  // 2^53

/// "file:..." with the path's special characters escaped. immutable: no locks, no -shm, and a WAL header does not ask
/// for a log.
std::string uri_of(const std::filesystem::path& file) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(file).string()) {
    if (c == '%' || c == '?' || c == '#') {
      const auto byte = static_cast<unsigned char>(c);
      uri += {'%', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      uri += c;
    }
  }
  return uri + "?mode=ro&immutable=1";
}

std::string identifier(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

void restrain(sqlite3* handle) {
  for (const auto& [option, value] : {std::pair{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                      {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                                      {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0}}) {
    sqlite3_db_config(handle, option, value, nullptr);
  }
  for (const auto& [limit, value] : {std::pair{SQLITE_LIMIT_LENGTH, kMaxCellBytes},
                                     {SQLITE_LIMIT_SQL_LENGTH, kMaxStatementBytes},
                                     {SQLITE_LIMIT_ATTACHED, 0},
                                     {SQLITE_LIMIT_TRIGGER_DEPTH, 0},
                                     {SQLITE_LIMIT_WORKER_THREADS, 0}}) {
    sqlite3_limit(handle, limit, value);
  }
  sqlite3_exec(handle,
               "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; "
               "PRAGMA temp_store=MEMORY; PRAGMA query_only=ON;",
               nullptr, nullptr, nullptr);
}

}  // namespace

int Database::stops(void* poll) {
  auto& asked = *static_cast<Poll*>(poll);
  return (asked.cancel != nullptr && asked.cancel->is_set()) || --asked.left < 0 ? 1 : 0;
}

void Database::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }
void DbRows::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Result<Database> Database::open(const std::filesystem::path& file, const CancelFlag* cancel) {
  Database database;
  sqlite3* handle = nullptr;
  const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
  const int rc = sqlite3_open_v2(uri_of(file).c_str(), &handle, flags, nullptr);
  database.handle_.reset(handle);  // there is one also when it failed
  if (rc != SQLITE_OK) {
    return Error{ErrorKind::io, "ingest.database",
                 std::string("The database cannot be opened: ") + sqlite3_errstr(rc) + ".", "", file.string()};
  }
  restrain(handle);
  database.poll_ = std::make_unique<Poll>(Poll{cancel, kPollsOfQuickLook});
  sqlite3_progress_handler(handle, kStepsBetweenPolls, stops, database.poll_.get());
  SW_RETURN_IF_ERROR(database.read_schema(file));
  if (cancel != nullptr) database.poll_->left = std::numeric_limits<int64_t>::max();
  std::error_code ec;
  database.bytes_ = std::filesystem::file_size(file, ec);
  if (ec) database.bytes_ = 0;
  const uintmax_t changes = std::filesystem::file_size(file.string() + "-wal", ec);
  database.has_unmerged_changes_ = !ec && changes > 0;
  return database;
}

Result<void> Database::read_schema(const std::filesystem::path& file) {
  // Views and virtual tables have no root page.
  constexpr const char* kSql = "SELECT name FROM sqlite_master WHERE type='table' AND rootpage>0";
  sqlite3_stmt* raw = nullptr;
  int rc = sqlite3_prepare_v2(handle_.get(), kSql, -1, &raw, nullptr);
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(raw, sqlite3_finalize);
  while (rc == SQLITE_OK || rc == SQLITE_ROW) {
    rc = sqlite3_step(raw);
    if (rc != SQLITE_ROW) break;
    const auto* name = reinterpret_cast<const char*>(sqlite3_column_text(raw, 0));
    if (name == nullptr || std::string_view(name).starts_with("sqlite_") || tables_.size() >= kMaxTables) continue;
    tables_.emplace_back(name);
  }
  if (rc == SQLITE_DONE) return {};
  return Error{ErrorKind::io, "ingest.database",
               std::string("The list of the database's tables cannot be read: ") + sqlite3_errmsg(handle_.get()) + ".",
               "", file.string()};
}

bool Database::has(std::string_view table) const {
  return std::find(tables_.begin(), tables_.end(), table) != tables_.end();
}

DbRows::DbRows(Database& database, const char* table, std::initializer_list<DbColumn> columns, const std::string& file,
               IngestContext& context)
    : handle_(database.handle_.get()),
      table_(table),
      file_(file),
      context_(context),
      at_(columns.size(), -1),
      most_rows_(static_cast<int64_t>(database.bytes_ / kLeastRowBytes)) {
  if (database.has(table_)) bind(columns);
}

void DbRows::bind(std::initializer_list<DbColumn> columns) {
  std::vector<std::string> names;
  sqlite3_stmt* raw = nullptr;
  int rc = sqlite3_prepare_v2(handle_, ("PRAGMA table_info(" + identifier(table_) + ")").c_str(), -1, &raw, nullptr);
  const std::unique_ptr<sqlite3_stmt, Finalize> info(raw);
  while (rc == SQLITE_OK && sqlite3_step(raw) == SQLITE_ROW) {
    const auto* name = reinterpret_cast<const char*>(sqlite3_column_text(raw, 1));
    if (name != nullptr) names.emplace_back(name);
  }
  const auto find = [&](const char* name) {
    return name != nullptr && std::find(names.begin(), names.end(), name) != names.end();
  };
  std::string selected, missing;
  size_t i = 0;
  int count = 0;
  for (const DbColumn& column : columns) {
    const char* const name = find(column.name) ? column.name : find(column.other_name) ? column.other_name : nullptr;
    if (name != nullptr) {
      selected += (count == 0 ? "" : ",") + identifier(name);
      at_[i] = count++;
    } else if (column.is_required) {
      missing += (missing.empty() ? "" : ", ") + std::string(column.name);
    }
    ++i;
  }
  if (!missing.empty() || count == 0) {
    context_.diagnostics.count(Diag::db_no_columns, file_, std::nullopt, 1,
                               "Table " + table_ + " lacks: " + (missing.empty() ? "all" : missing) + ".");
    return;
  }
  rc = sqlite3_prepare_v2(handle_, ("SELECT " + selected + " FROM " + identifier(table_)).c_str(), -1, &raw, nullptr);
  statement_.reset(rc == SQLITE_OK ? raw : nullptr);
  if (rc != SQLITE_OK && !context_.cancel.is_set()) {
    context_.diagnostics.count(Diag::db_damaged, file_, std::nullopt, 1,
                               "Table " + table_ + ": " + sqlite3_errmsg(handle_) + ".");
  }
}

bool DbRows::next() {
  if (statement_ == nullptr) return false;
  const int rc = sqlite3_step(statement_.get());
  if (rc == SQLITE_ROW && number_ < most_rows_) {
    ++number_;
    return true;
  }
  if (rc == SQLITE_ROW) {  // pages that are listed several times
    context_.diagnostics.count(Diag::db_damaged, file_, std::nullopt, 1,
                               "Table " + table_ + " has more rows than the file has room for.");
  } else if (rc != SQLITE_DONE && !context_.cancel.is_set()) {
    context_.diagnostics.count(
        Diag::db_damaged, file_, std::nullopt, 1,
        "Table " + table_ + ", after row " + std::to_string(number_) + ": " + sqlite3_errmsg(handle_) + ".");
  }
  statement_.reset();
  return false;
}

std::optional<int64_t> DbRows::integer(size_t column) const {
  const int at = at_[column];
  if (at < 0) return std::nullopt;
  switch (sqlite3_column_type(statement_.get(), at)) {
    case SQLITE_INTEGER:
      return sqlite3_column_int64(statement_.get(), at);
    case SQLITE_FLOAT: {
      const double value = sqlite3_column_double(statement_.get(), at);
      if (std::abs(value) > kExactInDouble || value != std::trunc(value)) return std::nullopt;
      return static_cast<int64_t>(value);
    }
    case SQLITE_TEXT:
      return to_integer(*text(column));
    default:
      return std::nullopt;
  }
}

std::optional<double> DbRows::real(size_t column) const {
  const int at = at_[column];
  if (at < 0) return std::nullopt;
  const int type = sqlite3_column_type(statement_.get(), at);
  if (type == SQLITE_TEXT) return to_double(*text(column));
  if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) return std::nullopt;
  const double value = sqlite3_column_double(statement_.get(), at);
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<int64_t> DbRows::scaled(size_t column, int scale) const {
  const int at = at_[column];
  if (at < 0) return std::nullopt;
  switch (sqlite3_column_type(statement_.get(), at)) {
    case SQLITE_INTEGER:
      return scaled_integer(std::to_string(sqlite3_column_int64(statement_.get(), at)), scale);
    case SQLITE_FLOAT:
      return scaled_double(sqlite3_column_double(statement_.get(), at), scale);
    case SQLITE_TEXT:
      return scaled_integer(*text(column), scale);
    default:
      return std::nullopt;
  }
}

std::optional<std::string_view> DbRows::text(size_t column) const {
  const int at = at_[column];
  if (at < 0) return std::nullopt;
  const int type = sqlite3_column_type(statement_.get(), at);
  if (type == SQLITE_NULL || type == SQLITE_BLOB) return std::nullopt;
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), at));
  if (bytes == nullptr) return std::nullopt;
  return std::string_view(bytes, static_cast<size_t>(sqlite3_column_bytes(statement_.get(), at)));
}

void DbRows::leave_out(const std::string& why) {
  context_.diagnostics.count(Diag::db_bad_row, file_, number_, 1,
                             "First: row " + std::to_string(number_) + " of " + table_ + " " + why + ".");
}

}  // namespace stepwise::ingest
