// SQLite's functions whose time grows by the product of two lengths, or by a number in a format: SQLite asks nobody
// while one runs, so that a query of a few words could take hours past its time. Here their cost is known first.
#pragma once

#include <map>
#include <utility>

#include "core/query/virtual_table.h"

struct sqlite3;
struct sqlite3_context;
struct sqlite3_stmt;
struct sqlite3_value;

namespace stepwise::query {

/// like, glob, instr, replace, trim, ltrim, rtrim, printf and format, which answer as SQLite's own: all but the first
/// two are called on a connection of its own. One thread at a time.
class CostlyFunctions {
 public:
  /// `current` outlives it: its query's time is looked at before each call.
  explicit CostlyFunctions(Current& current) : current_(current) {}
  ~CostlyFunctions();
  CostlyFunctions(const CostlyFunctions&) = delete;
  CostlyFunctions& operator=(const CostlyFunctions&) = delete;

  /// Puts them in the place of the connection's own, which is closed first. False: SQLite refused.
  bool install(sqlite3* connection);

 private:
  struct Function;
  static void call(sqlite3_context* context, int count, sqlite3_value** values);
  static void match(sqlite3_context* context, int count, sqlite3_value** values);
  sqlite3_stmt* statement(const char* name, int count);

  Current& current_;
  sqlite3* own_ = nullptr;
  std::map<std::pair<const char*, int>, sqlite3_stmt*> statements_;  // by function and number of arguments
};

}  // namespace stepwise::query
