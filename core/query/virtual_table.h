// The tables as virtual tables of a connection: read-only, there by their names without being created, over the columns
// of the store. What they hold is the scope's of the query that runs.
#pragma once

#include <string>
#include <vector>

#include "core/query/scope.h"

struct sqlite3;

namespace stepwise::query {

/// All tables, as SQL shows them.
const std::vector<View>& all_views();

/// What the tables of one connection have in common: the scope of the query that runs on it.
struct Current {
  Scope* scope = nullptr;
};

/// Registers a module for each table; `current` outlives the connection. False: out of memory.
bool register_tables(sqlite3* connection, Current& current);

}  // namespace stepwise::query
