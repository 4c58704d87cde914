#include "core/query/guard.h"

#include <sqlite3.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/text.h"
#include "core/query/limits.h"
#include "stepwise/tables.hpp"

namespace stepwise::query {
namespace {

/// They load code, log, show the insides of SQLite's own tables, or take time to the square of a text (json_patch).
bool is_dangerous(std::string_view function) {
  for (const std::string_view begin :
       {"load_extension", "sqlite_", "fts", "rtree", "geopoly", "matchinfo", "json_patch"}) {
    if (iequals(function.substr(0, begin.size()), begin)) return true;
  }
  return false;
}

bool may_read(std::string_view table) {
  return is_our_table(table) || std::any_of(std::begin(kJsonTables), std::end(kJsonTables),
                                            [&](std::string_view one) { return iequals(one, table); });
}

int authorize(void* data, int action, const char* first, const char* second, const char*, const char*) {
  auto& refusal = *static_cast<Refusal*>(data);
  const auto refuse = [&refusal](Refusal::Kind kind, const char* name) {
    // The first refusal is the query's; what follows comes of it.
    if (refusal.kind == Refusal::Kind::none) refusal = {kind, name == nullptr ? "" : name};
    return SQLITE_DENY;
  };
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_READ:
      // Without a column it is asked of WITH's names too; what SQLite itself has then shows no more than a count.
      return *second == '\0' || may_read(first) ? SQLITE_OK : refuse(Refusal::Kind::table, first);
    case SQLITE_FUNCTION:
      return is_dangerous(second) ? refuse(Refusal::Kind::function, second) : SQLITE_OK;
    default:
      return refuse(Refusal::Kind::writes, nullptr);
  }
}

}  // namespace

bool is_our_table(std::string_view name) {
  return std::any_of(std::begin(table::kAllTables), std::end(table::kAllTables),
                     [&](const table::TableDecl* decl) { return iequals(decl->name, name); });
}

void restrain(sqlite3* connection) {
  for (const auto& [option, value] : {std::pair{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                      {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
                                      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                      {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                                      // name = "Add" compares two columns: it must not quietly become a text.
                                      {SQLITE_DBCONFIG_DQS_DML, 0},
                                      {SQLITE_DBCONFIG_DQS_DDL, 0}}) {
    sqlite3_db_config(connection, option, value, nullptr);
  }
  for (const auto& [limit, value] : {std::pair{SQLITE_LIMIT_LENGTH, limits::kMaxValueBytes},
                                     {SQLITE_LIMIT_SQL_LENGTH, static_cast<int>(limits::kMaxSqlBytes)},
                                     {SQLITE_LIMIT_COLUMN, limits::kMaxColumns},
                                     {SQLITE_LIMIT_EXPR_DEPTH, limits::kMaxExpressionDepth},
                                     {SQLITE_LIMIT_COMPOUND_SELECT, limits::kMaxCompound},
                                     {SQLITE_LIMIT_VDBE_OP, limits::kMaxMachineOps},
                                     {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, limits::kMaxPatternBytes},
                                     {SQLITE_LIMIT_ATTACHED, 0},
                                     {SQLITE_LIMIT_TRIGGER_DEPTH, 0},
                                     {SQLITE_LIMIT_VARIABLE_NUMBER, 0},
                                     {SQLITE_LIMIT_WORKER_THREADS, 0}}) {
    sqlite3_limit(connection, limit, value);
  }
  // What is sorted stays in memory, where it is counted: nothing is written to a disk.
  sqlite3_exec(connection, "PRAGMA temp_store=MEMORY; PRAGMA query_only=ON", nullptr, nullptr, nullptr);
}

void allow_reading_only(sqlite3* connection, Refusal& refusal) {
  sqlite3_set_authorizer(connection, authorize, &refusal);
}

}  // namespace stepwise::query
