#include "core/query/costly_functions.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "core/query/limits.h"
#include "core/query/scope.h"

namespace stepwise::query {
namespace {

enum class Cost : uint8_t { product, widths, pattern };

std::string_view text_of(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return text == nullptr ? std::string_view() : std::string_view(text);  // to its first NUL, as SQLite reads a format
}

/// One text is looked for at each place of the other.
bool takes_long(int count, sqlite3_value** values) {
  if (count < 2) return false;
  return int64_t{sqlite3_value_bytes(values[0])} * sqlite3_value_bytes(values[1]) > limits::kMaxSearchCost;
}

void too_long(sqlite3_context* context, const char* function) {
  const std::string says = std::string("the texts of ") + function + " are too long: cut them by substr";
  sqlite3_result_error(context, says.c_str(), -1);
}

/// The widths and precisions of a format together: each is filled up character by character.
bool is_wide(int count, sqlite3_value** values) {
  if (count == 0) return false;
  const std::string_view format = text_of(values[0]);
  int64_t sum = 0;
  int next = 1;
  for (size_t at = format.find('%'); at < format.size() && sum <= limits::kMaxValueBytes; at = format.find('%', at)) {
    for (++at; at < format.size(); ++at) {
      const char c = format[at];
      if (c == '*') {
        // As SQLite does: cut to an int, the sign is but a flag.
        if (next < count) sum += std::abs(int64_t{static_cast<int>(sqlite3_value_int64(values[next++]))});
      } else if (c >= '1' && c <= '9') {
        int64_t width = 0;
        for (; at < format.size() && format[at] >= '0' && format[at] <= '9'; ++at) {
          width = std::min<int64_t>(width * 10 + (format[at] - '0'), std::numeric_limits<int>::max());
        }
        --at;
        sum += width;
      } else if (std::string_view("-+ #!0,.l").find(c) == std::string_view::npos) {
        if (c != '%' && c != 'n') ++next;
        ++at;
        break;
      }
    }
  }
  return sum > limits::kMaxValueBytes;
}

}  // namespace

struct CostlyFunctions::Function {
  const char* name;
  Cost cost;
  int arguments;  // -1: any
  CostlyFunctions* functions;
};

CostlyFunctions::~CostlyFunctions() {
  for (const auto& [key, statement] : statements_) sqlite3_finalize(statement);
  sqlite3_close(own_);
}

bool CostlyFunctions::install(sqlite3* connection) {
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(":memory:", &own_, flags, nullptr) != SQLITE_OK) return false;
  sqlite3_limit(own_, SQLITE_LIMIT_LENGTH, limits::kMaxValueBytes);
  sqlite3_limit(own_, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, limits::kMaxPatternBytes);
  for (const Function& one : {Function{"like", Cost::pattern, 2, this},
                              {"glob", Cost::pattern, 2, this},
                              {"like", Cost::product, 3, this},
                              {"instr", Cost::product, 2, this},
                              {"replace", Cost::product, 3, this},
                              {"trim", Cost::product, 2, this},
                              {"ltrim", Cost::product, 2, this},
                              {"rtrim", Cost::product, 2, this},
                              {"printf", Cost::widths, -1, this},
                              {"format", Cost::widths, -1, this}}) {
    const auto forget = [](void* function) { delete static_cast<Function*>(function); };
    if (sqlite3_create_function_v2(connection, one.name, one.arguments,
                                   SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, new Function(one),
                                   one.cost == Cost::pattern ? match : call, nullptr, nullptr, forget) != SQLITE_OK) {
      return false;
    }
  }
  return true;
}

sqlite3_stmt* CostlyFunctions::statement(const char* name, int count) {
  sqlite3_stmt*& made = statements_[{name, count}];
  if (made != nullptr) return made;
  std::string sql = std::string("SELECT ") + name + "(";
  for (int i = 0; i < count; ++i) sql += i == 0 ? "?" : ",?";
  sqlite3_prepare_v2(own_, (sql + ")").c_str(), -1, &made, nullptr);
  return made;
}

/// name LIKE '%MatMul%' is asked of very many rows: matched here, without a statement.
void CostlyFunctions::match(sqlite3_context* context, int count, sqlite3_value** values) {
  const Function& function = *static_cast<const Function*>(sqlite3_user_data(context));
  const auto is_blob = [](sqlite3_value* value) { return sqlite3_value_type(value) == SQLITE_BLOB; };
  if (std::any_of(values, values + count, is_blob)) return call(context, count, values);  // as SQLite was built
  const auto* pattern = reinterpret_cast<const char*>(sqlite3_value_text(values[0]));
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(values[1]));
  if (sqlite3_value_bytes(values[0]) > limits::kMaxPatternBytes) {
    return sqlite3_result_error(context, "LIKE or GLOB pattern too complex", -1);
  }
  if (pattern == nullptr || text == nullptr) return;
  if (takes_long(count, values)) return too_long(context, function.name);
  const bool is_like = function.name[0] == 'l';
  sqlite3_result_int(context, (is_like ? sqlite3_strlike(pattern, text, 0) : sqlite3_strglob(pattern, text)) == 0);
}

void CostlyFunctions::call(sqlite3_context* context, int count, sqlite3_value** values) {
  const Function& function = *static_cast<const Function*>(sqlite3_user_data(context));
  CostlyFunctions& functions = *function.functions;
  Scope* scope = functions.current_.scope;
  if (scope != nullptr && !scope->budget().poll()) return sqlite3_result_error_code(context, SQLITE_INTERRUPT);
  if (function.cost == Cost::widths && is_wide(count, values)) return sqlite3_result_error_toobig(context);
  if (function.cost != Cost::widths && takes_long(count, values)) return too_long(context, function.name);
  sqlite3_stmt* statement = functions.statement(function.name, count);
  if (statement == nullptr) return sqlite3_result_error_code(context, sqlite3_errcode(functions.own_));
  for (int i = 0; i < count; ++i) sqlite3_bind_value(statement, i + 1, values[i]);
  const int code = sqlite3_step(statement);
  if (code == SQLITE_ROW) {
    sqlite3_result_value(context, sqlite3_column_value(statement, 0));
  } else {
    sqlite3_result_error_code(context, code);
  }
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
}

}  // namespace stepwise::query
