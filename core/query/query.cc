#include "core/query/query.h"

#include <sqlite3.h>

#include <algorithm>
#include <memory>
#include <set>

#include "core/base/log.h"
#include "core/base/text.h"
#include "core/query/explain_error.h"
#include "core/query/memory_limit.h"

namespace stepwise::query {
namespace {

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

Result<void> check_text(const std::string& sql) {
  if (trim(sql).empty()) {
    return Error{ErrorKind::usage, "query.empty", "There is no SQL.", "For example: SELECT name FROM kernel LIMIT 5.",
                 "/sql"};
  }
  if (sql.size() > limits::kMaxSqlBytes || sql.find('\0') != std::string::npos) {
    return Error{ErrorKind::usage, "query.length",
                 "SQL may have " + std::to_string(limits::kMaxSqlBytes) + " bytes, none of them NUL.", "", "/sql"};
  }
  return {};
}

std::vector<std::string> column_names(sqlite3_stmt* statement) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (int i = 0; i < sqlite3_column_count(statement); ++i) {
    const char* given = sqlite3_column_name(statement, i);
    const std::string name = to_valid_utf8(given == nullptr ? "" : given);
    std::string unique = name;
    for (int n = 2; !taken.insert(unique).second; ++n) unique = name + "_" + std::to_string(n);
    names.push_back(std::move(unique));
  }
  return names;
}

/// One query on one connection, from its text to its last row.
class Run {
 public:
  Run(const std::string& sql, Connection& connection, Scope& scope, RowSink& sink)
      : sql_(sql), connection_(connection), scope_(scope), sink_(sink) {}

  Result<void> prepare() {
    const char* tail = nullptr;
    statement_ = compile(sql_.c_str(), &tail);
    if (statement_ == nullptr && code_ == SQLITE_OK) {
      return Error{ErrorKind::usage, "query.empty", "The SQL is nothing but a comment.", "", "/sql"};
    }
    if (statement_ == nullptr) return failure();
    const bool reads = sqlite3_stmt_readonly(statement_.get()) != 0 && sqlite3_column_count(statement_.get()) > 0;
    if (!reads) return read_only();
    const Statement more = compile(tail, nullptr);
    if (more != nullptr || code_ != SQLITE_OK) {
      return Error{ErrorKind::usage, "query.statements", "There is more than one statement.",
                   "Send one SELECT a call; WITH joins several into one.", "/sql"};
    }
    return {};
  }

  Result<uint64_t> step_through() {
    const std::vector<std::string> names = column_names(statement_.get());
    SW_RETURN_IF_ERROR(sink_.columns(names));
    std::vector<Cell> cells(names.size());
    for (uint64_t rows = 0;; ++rows) {
      code_ = sqlite3_step(statement_.get());
      if (code_ == SQLITE_DONE) return rows;
      if (code_ != SQLITE_ROW) return failure();
      for (size_t i = 0; i < cells.size(); ++i) SW_RETURN_IF_ERROR(read(static_cast<int>(i), names[i], cells[i]));
      SW_ASSIGN_OR_RETURN(const bool goes_on, sink_.row(cells));
      if (!goes_on) return rows + 1;
    }
  }

 private:
  Statement compile(const char* text, const char** tail) {
    sqlite3_stmt* made = nullptr;
    code_ = sqlite3_prepare_v2(connection_.handle(), text, -1, &made, tail);
    return Statement(made);
  }

  Error failure() const {
    if (scope_.error()) return *scope_.error();
    if (code_ == SQLITE_NOMEM) scope_.budget().stop(Stop::memory);
    if (scope_.budget().why() != Stop::none) return stopped_error(scope_.budget());
    return explain_error({connection_.handle(), code_, sql_, connection_.refusal(), scope_.source()});
  }

  Result<void> read(int at, const std::string& name, Cell& cell) const {
    sqlite3_stmt* row = statement_.get();
    switch (sqlite3_column_type(row, at)) {
      case SQLITE_INTEGER:
        cell = {Cell::Kind::integer, sqlite3_column_int64(row, at)};
        return {};
      case SQLITE_FLOAT:
        cell = {Cell::Kind::real, 0, sqlite3_column_double(row, at)};
        return {};
      case SQLITE_TEXT: {
        const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(row, at));
        if (text == nullptr) return Error{ErrorKind::limit, "query.memory", "A text does not fit into memory.", "", ""};
        cell = {Cell::Kind::text, 0, 0, {text, static_cast<size_t>(sqlite3_column_bytes(row, at))}};
        return {};
      }
      case SQLITE_BLOB:
        return Error{ErrorKind::usage, "query.blob", "Column `" + name + "` is binary, which JSON cannot hold.",
                     "Show it as text, by hex() or CAST(... AS TEXT).", "/sql"};
      default:
        cell = {};
        return {};
    }
  }

  const std::string& sql_;
  Connection& connection_;
  Scope& scope_;
  RowSink& sink_;
  Statement statement_;
  int code_ = SQLITE_OK;
};

}  // namespace

Queries::Queries(const QueryClocks& clocks) : clocks_(clocks) {
  if (!install_memory_limit()) log::warn("SQLite was in use before queries were set up: their memory has no bound");
}

Result<QueryStats> Queries::run(const std::string& sql, TableSource& source, const CancelFlag& cancel, RowSink& sink,
                                const QueryLimits& limits) {
  SW_RETURN_IF_ERROR(check_text(sql));
  SW_ASSIGN_OR_RETURN(auto connection, pool_.take());
  Budget budget(limits, cancel, clocks_);
  Scope scope(source, budget);
  QueryStats stats;
  const auto work = [&]() -> Result<uint64_t> {
    const MemoryLimit memory(limits.memory_bytes);
    Run run(sql, *connection, scope, sink);
    Result<uint64_t> rows = uint64_t{0};
    if (auto prepared = run.prepare(); prepared.ok()) {
      rows = run.step_through();
    } else {
      rows = prepared.take_error();
    }
    stats.memory_bytes = memory.peak_bytes();
    return rows;
  };
  connection->begin(scope);
  auto rows = work();
  connection->end();
  pool_.give_back(std::move(connection));
  if (!rows.ok()) return rows.take_error();
  stats.rows = rows.value();
  stats.row_steps = budget.stepped();
  return stats;
}

}  // namespace stepwise::query
