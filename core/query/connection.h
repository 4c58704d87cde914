// A connection of SQLite that has our tables and nothing else, and a pool of them: making one takes milliseconds.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "core/base/error.h"
#include "core/query/costly_functions.h"
#include "core/query/guard.h"
#include "core/query/virtual_table.h"

struct sqlite3;

namespace stepwise::query {

/// One query at a time; whichever thread runs it.
class Connection {
 public:
  /// Errors: bug `query.setup`.
  static Result<std::unique_ptr<Connection>> open();
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  sqlite3* handle() const { return handle_; }
  const Refusal& refusal() const { return refusal_; }
  /// The query that runs until end(): its scope is what the tables hold, its budget what stops it.
  void begin(Scope& scope);
  void end();

 private:
  Connection() = default;
  bool declare_tables() const;

  sqlite3* handle_ = nullptr;
  Current current_;
  CostlyFunctions functions_{current_};
  Refusal refusal_;
};

/// [any thread]
class ConnectionPool {
 public:
  Result<std::unique_ptr<Connection>> take();
  void give_back(std::unique_ptr<Connection> connection);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Connection>> idle_;
};

}  // namespace stepwise::query
