// From a failure of SQLite to an error that teaches: what is meant, where, and what to do.
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/query/budget.h"
#include "core/query/guard.h"
#include "core/query/source.h"

namespace stepwise::query {

struct Failure {
  sqlite3* connection = nullptr;
  int code = 0;
  const std::string& sql;
  const Refusal& refusal;
  const TableSource& source;
};

Error explain_error(const Failure& failure);
/// The budget's reason, which is not `none`.
Error stopped_error(const Budget& budget);
Error read_only();

}  // namespace stepwise::query
