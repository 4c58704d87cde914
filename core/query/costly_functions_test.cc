// Functions that could run for hours are refused before they do, and answer as SQLite's own otherwise.
#include "core/query/costly_functions.h"

#include <sqlite3.h>

#include <chrono>

#include "core/query/query.h"
#include "core/query/test_source.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::query;
using namespace stepwise::query::test;

namespace {

using Rows = std::vector<std::string>;

Ran run(const std::string& sql, const QueryLimits& limits = {}) {
  static Queries queries;
  TestSource none;
  return test::run(queries, none, sql, limits);
}

std::string plain_sqlite(const std::string& expression) {
  sqlite3* handle = nullptr;
  sqlite3_stmt* statement = nullptr;
  REQUIRE(sqlite3_open(":memory:", &handle) == SQLITE_OK);
  REQUIRE(sqlite3_prepare_v2(handle, ("SELECT quote(" + expression + ")").c_str(), -1, &statement, nullptr) ==
          SQLITE_OK);
  REQUIRE(sqlite3_step(statement) == SQLITE_ROW);
  const std::string answer = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
  sqlite3_finalize(statement);
  sqlite3_close(handle);
  return answer;
}

}  // namespace

TEST_CASE("functions whose cost is looked at answer as SQLite's own") {
  for (const char* expression : {"instr('abcabc', 'ca')",
                                 "instr('a\u00e9\u4e16b', 'b')",
                                 "instr(NULL, 'a')",
                                 "instr('a', NULL)",
                                 "instr('a', '')",
                                 "instr(x'00ff01', x'01')",
                                 "instr(12345, 34)",
                                 "replace('abcabc', 'b', 'xy')",
                                 "replace('abc', '', 'x')",
                                 "replace('abc', 'b', NULL)",
                                 "trim('  a ')",
                                 "trim('xyaxy', 'xy')",
                                 "ltrim('xxa', 'x')",
                                 "rtrim('axx', 'x')",
                                 "trim(NULL, 'x')",
                                 "'MatMul' LIKE '%ATM%'",
                                 "'MatMul' LIKE 'mat_ul'",
                                 "'MatMul' LIKE 'Mat'",
                                 "'100%' LIKE '100x%' ESCAPE 'x'",
                                 "'\u00e9a' LIKE '_a'",
                                 "NULL LIKE 'a'",
                                 "'a' LIKE NULL",
                                 "'a' LIKE ''",
                                 "'' LIKE '%'",
                                 "1234 LIKE '%3%'",
                                 "x'6162' LIKE 'AB'",
                                 "'MatMul' GLOB 'M*[u-v]l'",
                                 "'MatMul' GLOB 'm*'",
                                 "NULL GLOB 'a'",
                                 "printf()",
                                 "printf('%d|%5.2f|%s|%-4s|%04d|%%|%c', 7, 1.5, 'a', 'b', 3, 'cd')",
                                 "printf('%*d|%.*f|%,d', 6, 42, 2, 3.14159, 1234567)",
                                 "printf('%lld', 9223372036854775807)",
                                 "format('%q %Q', 'it''s', NULL)",
                                 "printf('%*s', -5, 'a')",
                                 "printf('%n%d', 3)",
                                 "printf(NULL)"}) {
    INFO(expression);
    const Ran ran = run(std::string("SELECT quote(") + expression + ")");
    REQUIRE_FALSE(ran.error);
    // A row of ours shows a text in quotes.
    CHECK(ran.rows == Rows{"'" + plain_sqlite(expression) + "'"});
  }
}

TEST_CASE("a call that would run for hours is refused") {
  const std::string text = "replace(hex(zeroblob(2000000)), '0', 'a')";
  const std::string pattern = "replace(hex(zeroblob(400)), '00', 'a')";
  for (const std::string& call :
       {text + " LIKE '%'||" + pattern + "||'b'", text + " GLOB '*'||" + pattern + "||'b'",
        text + " LIKE '%'||" + pattern + "||'b' ESCAPE 'x'", "instr(" + text + ", " + text + "||'b')",
        "replace(" + text + ", " + text + ", 'c')", "trim(" + text + ", " + text + ")",
        "ltrim(" + text + ", " + text + ")", "rtrim(" + text + ", " + text + ")"}) {
    INFO(call);
    const Ran ran = run("SELECT " + call);
    REQUIRE(ran.error);
    CHECK_THAT(to_text(*ran.error), Catch::Contains("too long: cut them by substr"));
  }
  for (const char* call :
       {"printf('%.*c', 2000000000, 'x')", "printf('%d%*d', 1, 2000000000, 1)", "printf('%*d', -2000000000, 1)",
        "format('%.2000000000c', 'x')", "printf('%20000000s', 'x')", "printf('%99999999999999999999d', 1)"}) {
    INFO(call);
    const Ran ran = run(std::string("SELECT ") + call);
    REQUIRE(ran.error);
    CHECK(ran.error->code == "query.value");
  }
  CHECK(run("SELECT length(printf('%.1000000c', 'x'))").rows == Rows{"1000000"});
  const Ran patch = run("SELECT json_patch('{}', '{}')");
  REQUIRE(patch.error);
  CHECK(patch.error->code == "query.read_only");
}

TEST_CASE("the time of a query is looked at before each costly call") {
  QueryLimits none;
  none.time = std::chrono::milliseconds(-1);
  const Ran ran = run("SELECT instr('ab', 'b')", none);
  REQUIRE(ran.error);
  CHECK(ran.error->code == "query.time");
}

TEST_CASE("a function that finds no memory for its own statement is an error of the query") {
  TestSource none;
  bool has_failed = false, has_answered = false;
  for (size_t bytes = 256; bytes < 64u << 10; bytes += 256) {
    Queries queries;  // whose connection has not met the function yet
    QueryLimits limits;
    limits.memory_bytes = bytes;
    const Ran ran = test::run(queries, none, "SELECT instr('abc', 'b'), printf('%d', 1)", limits);
    if (ran.error) CHECK(ran.error->code == "query.memory");
    (ran.error ? has_failed : has_answered) = true;
  }
  CHECK(has_failed);
  CHECK(has_answered);
}
