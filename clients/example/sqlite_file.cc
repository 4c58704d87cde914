#include "clients/example/sqlite_file.h"

#include <sqlite3.h>

#include <system_error>
#include <utility>

namespace stepwise::example {

void SqliteFile::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
void SqliteFile::Close::operator()(sqlite3* handle) const { sqlite3_close(handle); }

SqliteFile::SqliteFile(SqliteFile&&) noexcept = default;
SqliteFile::~SqliteFile() = default;

Result<SqliteFile> SqliteFile::create(const std::filesystem::path& path) {
  SqliteFile file(path);
  std::error_code ignored;  // what cannot be removed cannot be opened for writing either
  std::filesystem::remove(path, ignored);
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  file.handle_.reset(handle);
  file.check(code);
  // Nobody else reads it before it is whole, and a cut-off run is written anew.
  file.execute("PRAGMA page_size=4096; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN");
  if (!file.error_.empty()) return file.failure();
  return file;
}

bool SqliteFile::check(int code) {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return true;
  if (error_.empty()) error_ = handle_ ? sqlite3_errmsg(handle_.get()) : sqlite3_errstr(code);
  return false;
}

Error SqliteFile::failure() const {
  return {ErrorKind::io, "example.write", "Cannot write " + path_.string() + ": " + error_ + ".",
          "Choose a directory that is writable and has room.", path_.string()};
}

void SqliteFile::execute(const std::string& sql) {
  if (error_.empty()) check(sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr));
}

void SqliteFile::create_table(const std::string& name, const std::string& columns) {
  execute("CREATE TABLE " + name + " (" + columns + ")");
}

SqliteFile::Statement* SqliteFile::statement_of(std::string_view table, size_t columns) {
  if (const auto found = inserts_.find(table); found != inserts_.end()) return &found->second;
  std::string sql = "INSERT INTO " + std::string(table) + " VALUES (?";
  for (size_t i = 1; i < columns; ++i) sql += ",?";
  sqlite3_stmt* statement = nullptr;
  const std::string text = sql + ")";
  if (!check(sqlite3_prepare_v2(handle_.get(), text.c_str(), -1, &statement, nullptr))) return nullptr;
  return &inserts_.emplace(table, Statement(statement)).first->second;
}

void SqliteFile::insert(std::string_view table, std::initializer_list<SqlValue> row) {
  if (!error_.empty()) return;
  Statement* const found = statement_of(table, row.size());
  if (found == nullptr) return;
  sqlite3_stmt* const statement = found->get();
  int place = 0;
  for (const SqlValue& value : row) {
    ++place;
    int code = SQLITE_OK;
    if (const auto* integer = std::get_if<int64_t>(&value)) {
      code = sqlite3_bind_int64(statement, place, *integer);
    } else if (const auto* real = std::get_if<double>(&value)) {
      code = sqlite3_bind_double(statement, place, *real);
    } else if (const auto* text = std::get_if<std::string_view>(&value)) {
      code = sqlite3_bind_text(statement, place, text->data(), static_cast<int>(text->size()), SQLITE_STATIC);
    } else {
      code = sqlite3_bind_null(statement, place);
    }
    if (!check(code)) return;
  }
  check(sqlite3_step(statement));
  check(sqlite3_reset(statement));
}

Result<int64_t> SqliteFile::close() {
  inserts_.clear();
  execute("COMMIT");
  if (!error_.empty()) return failure();
  handle_.reset();
  std::error_code failed;
  const auto bytes = std::filesystem::file_size(path_, failed);
  if (failed) {
    error_ = failed.message();
    return failure();
  }
  return static_cast<int64_t>(bytes);
}

}  // namespace stepwise::example
