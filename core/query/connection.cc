#include "core/query/connection.h"

#include <sqlite3.h>

#include <string>

#include "core/query/limits.h"

namespace stepwise::query {
namespace {

bool prepares(sqlite3* connection, const std::string& table) {
  const std::string sql = "SELECT 1 FROM " + table;
  sqlite3_stmt* statement = nullptr;
  const bool ok = sqlite3_prepare_v2(connection, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK;
  sqlite3_finalize(statement);
  return ok;
}

int stops(void* current) {
  Scope* scope = static_cast<Current*>(current)->scope;
  return scope != nullptr && !scope->budget().poll() ? 1 : 0;
}

}  // namespace

Result<std::unique_ptr<Connection>> Connection::open() {
  std::unique_ptr<Connection> made(new Connection());
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(":memory:", &made->handle_, flags, nullptr) != SQLITE_OK ||
      !register_tables(made->handle_, made->current_) || !made->declare_tables() ||
      !made->functions_.install(made->handle_)) {
    return Error{ErrorKind::bug, "query.setup", "SQL is not available: SQLite refused our tables.",
                 "This is a fault of Stepwise.", ""};
  }
  restrain(made->handle_);
  allow_reading_only(made->handle_, made->refusal_);
  sqlite3_progress_handler(made->handle_, limits::kStepsBetweenPolls, stops, &made->current_);
  return made;
}

Connection::~Connection() { sqlite3_close(handle_); }

/// A table is declared when a statement first names it.
bool Connection::declare_tables() const {
  for (const View& view : all_views()) {
    if (!prepares(handle_, view.decl->name)) return false;
  }
  for (const std::string_view table : kJsonTables) {
    if (!prepares(handle_, std::string(table))) return false;
  }
  return true;
}

void Connection::begin(Scope& scope) {
  refusal_ = {};
  current_.scope = &scope;
}
void Connection::end() { current_.scope = nullptr; }

Result<std::unique_ptr<Connection>> ConnectionPool::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto connection = std::move(idle_.back());
      idle_.pop_back();
      return connection;
    }
  }
  return Connection::open();
}

void ConnectionPool::give_back(std::unique_ptr<Connection> connection) {
  const std::lock_guard lock(mutex_);
  if (idle_.size() < limits::kMaxIdleConnections) idle_.push_back(std::move(connection));
}

}  // namespace stepwise::query
