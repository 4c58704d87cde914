// What a query may do: read our tables, and compute. Installed on a connection after its tables were declared: the
// allow-list would refuse declaring them too.
#pragma once

#include <set>
#include <string>
#include <string_view>

struct sqlite3;

namespace stepwise::query {

/// What the allow-list refused of the statement that was prepared last.
struct Refusal {
  enum class Kind : uint8_t { none, writes, table, function } kind = Kind::none;
  std::string name;  // of the table or function
};

/// No extensions, triggers, views, files, or double-quoted texts; limits of limits.h.
void restrain(sqlite3* connection);
/// Select, read of our tables and json_each, functions, recursion; nothing else. `refusal` outlives the connection.
void allow_reading_only(sqlite3* connection, Refusal& refusal);

bool is_our_table(std::string_view name);
/// Tables that SQLite brings along and queries may use.
inline constexpr std::string_view kJsonTables[] = {"json_each", "json_tree"};

}  // namespace stepwise::query
