// SQL over the tables of a profile: one SELECT of SQLite's dialect, read-only, within a budget.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/query/budget.h"
#include "core/query/clocks.h"
#include "core/query/connection.h"
#include "core/query/source.h"

namespace stepwise::query {

struct Cell {
  enum class Kind : uint8_t { null, integer, real, text, json };
  Kind kind = Kind::null;
  int64_t integer = 0;
  double real = 0;          // never NaN
  std::string_view text{};  // lives until the next row; json: a value as JSON text (no query gives any)
};

/// Takes rows as they come.
class RowSink {
 public:
  virtual ~RowSink() = default;
  /// Once, before the rows. No two names are equal: a second `name` is `name_2`.
  virtual Result<void> columns(std::vector<std::string> names) = 0;
  /// False: enough, the query may end.
  virtual Result<bool> row(std::span<const Cell> cells) = 0;
};

struct QueryStats {
  uint64_t rows = 0;         // given to the sink
  uint64_t row_steps = 0;    // rows of tables looked at
  int64_t memory_bytes = 0;  // SQLite's own, at most
};

class Queries {
 public:
  /// The first one in a process comes before anything else uses SQLite: it installs the bound on memory.
  explicit Queries(const QueryClocks& clocks = {});

  /// [any thread] Errors: those of the source and the sink; usage `query.empty`, `query.length`, `query.statements`,
  /// `query.read_only`, `query.syntax`, `query.blob`, `query.ambiguous`, `query.failed`; not_found `query.table`,
  /// `query.column`, `query.function`; limit `query.rows`, `query.memory`, `query.value`; deadline `query.time`;
  /// cancelled `call.cancelled`.
  Result<QueryStats> run(const std::string& sql, TableSource& source, const CancelFlag& cancel, RowSink& sink,
                         const QueryLimits& limits = {});

 private:
  const QueryClocks clocks_;
  ConnectionPool pool_;
};

}  // namespace stepwise::query
