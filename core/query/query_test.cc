// What queries answer, what a pass over a table looks at, and what is refused.
#include "core/query/query.h"

#include <thread>

#include "core/query/test_source.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::query;
using namespace stepwise::query::test;

namespace {

using Rows = std::vector<std::string>;

Queries& queries() {
  static Queries one;
  return one;
}

/// Ranks 0, 1 and 5 with 1,000 kernels each: kernel i starts at 100 i, is called k<i % 10>, lies on stream i % 4, and
/// was launched by host_op 2 i where i is even.
class Kernels : public TestSource {
 public:
  explicit Kernels(int rows = 1'000, bool links = true) {
    for (const uint32_t rank : {0u, 1u, 5u}) {
      add(rank, [&](store::SegmentBuilder& builder) {
        auto& kernels = builder.table(table::kernel::kTable);
        builder.set_source_file(table::kernel::kTable, "r" + std::to_string(rank) + "/kernel_details.csv");
        for (int i = 0; i < rows; ++i) {
          test::add(kernels, kernel_row("k" + std::to_string(i % 10), 100 * i, 10 + rank,
                                        {{"stream", int64_t{i % 4}}, {"task_id", int64_t{i / 2}}}));
          if (i % 2 == 0 && links) {
            test::add(builder.table(table::kernel_link::kTable),
                      {{"kernel_id", int64_t{i}}, {"host_op_id", int64_t{2 * i}}, {"how", "flow"}});
          }
        }
      });
    }
  }
};

std::string code_of(const Ran& ran) { return ran.error ? ran.error->code : "none"; }

Ran run(TableSource& source, const std::string& sql, const QueryLimits& limits = {}) {
  return test::run(queries(), source, sql, limits);
}

}  // namespace

TEST_CASE("a table shows all ranks, with row number, rank, source and the launching operator") {
  Kernels source(3);
  const Ran ran = run(source, "SELECT id, rank, name, start_ns, wait_ns, src_file, host_op_id FROM kernel");
  CHECK(ran.names == Rows{"id", "rank", "name", "start_ns", "wait_ns", "src_file", "host_op_id"});
  CHECK(ran.rows == Rows{"0|0|'k0'|0|null|'r0/kernel_details.csv'|0", "1|0|'k1'|100|null|'r0/kernel_details.csv'|null",
                         "2|0|'k2'|200|null|'r0/kernel_details.csv'|4", "0|1|'k0'|0|null|'r1/kernel_details.csv'|0",
                         "1|1|'k1'|100|null|'r1/kernel_details.csv'|null",
                         "2|1|'k2'|200|null|'r1/kernel_details.csv'|4", "0|5|'k0'|0|null|'r5/kernel_details.csv'|0",
                         "1|5|'k1'|100|null|'r5/kernel_details.csv'|null",
                         "2|5|'k2'|200|null|'r5/kernel_details.csv'|4"});
}

TEST_CASE("without a timeline no kernel has a launching operator") {
  Kernels source(3, false);
  CHECK(run(source, "SELECT count(*), count(host_op_id) FROM kernel").rows == Rows{"9|0"});
}

TEST_CASE("a table that no file fills is empty") {
  Kernels source(3);
  CHECK(run(source, "SELECT count(*) FROM memory").rows == Rows{"0"});
}

TEST_CASE("names of result columns are told apart") {
  Kernels source(1);
  CHECK(run(source, "SELECT a.name, b.name, 1 AS name_2, a.name FROM kernel a, kernel b LIMIT 1").names ==
        Rows{"name", "name_2", "name_2_2", "name_3"});
}

TEST_CASE("only ranks that the query is about are asked for, and links only where they show") {
  Kernels source;
  CHECK(run(source, "SELECT count(*) FROM kernel WHERE rank = 5").rows == Rows{"1000"});
  CHECK(source.needed == Rows{"kernel@5"});
  source.needed.clear();
  CHECK(run(source, "SELECT rank, count(*) FROM kernel WHERE rank IN (0, 5, 7) GROUP BY 1").rows ==
        Rows{"0|1000", "5|1000"});
  CHECK(source.needed == Rows{"kernel@0", "kernel@5"});
  source.needed.clear();
  CHECK(run(source, "SELECT count(host_op_id) FROM kernel WHERE rank = 1").rows == Rows{"500"});
  CHECK(source.needed == Rows{"kernel@1", "kernel_link@1"});
  source.needed.clear();
  CHECK(source.unknown == std::vector<int64_t>{7});  // of IN (0, 5, 7)
  CHECK(run(source, "SELECT count(*) FROM kernel WHERE rank = 3").rows == Rows{"0"});
  CHECK(source.unknown == std::vector<int64_t>{7, 3});
  CHECK(run(source, "SELECT 1 + 1").rows == Rows{"2"});
  CHECK(source.needed.empty());
}

TEST_CASE("a source that has yet to read a table ends the query with its own error") {
  Kernels source;
  source.refuse = "kernel";
  CHECK(code_of(run(source, "SELECT count(*) FROM kernel")) == "test.refused");
  CHECK(source.needed == Rows{"kernel@0", "kernel@1", "kernel@5"});
  source.refuse.clear();
  CHECK(run(source, "SELECT count(*) FROM kernel").rows == Rows{"3000"});
}

TEST_CASE("a pass looks at the rows that its constraints leave, not at all") {
  Kernels source;
  const auto steps = [&](const std::string& where) {
    const Ran ran = run(source, "SELECT count(*) FROM kernel WHERE " + where);
    REQUIRE_FALSE(ran.error);
    return std::pair(ran.rows.front(), ran.stats.row_steps);
  };
  // One step more for each rank that is entered.
  CHECK(steps("rank = 1 AND start_ns >= 500 AND start_ns < 700") == std::pair(std::string("2"), uint64_t{1 + 2}));
  CHECK(steps("rank = 1 AND start_ns BETWEEN 500 AND 700") == std::pair(std::string("3"), uint64_t{1 + 3}));
  CHECK(steps("start_ns > 99800") == std::pair(std::string("3"), uint64_t{3 + 3}));
  CHECK(steps("start_ns = 500.0") == std::pair(std::string("3"), uint64_t{3 + 3}));
  CHECK(steps("start_ns = 500.5") == std::pair(std::string("0"), uint64_t{3}));
  CHECK(steps("rank = 0 AND id = 7") == std::pair(std::string("1"), uint64_t{1 + 1}));
  CHECK(steps("rank = 0 AND id > 3 AND id <= 7") == std::pair(std::string("4"), uint64_t{1 + 4}));
  CHECK(steps("rank = 0 AND id > 1e300") == std::pair(std::string("0"), uint64_t{1}));
  CHECK(steps("rank = 0 AND name = 'absent'") == std::pair(std::string("0"), uint64_t{1}));
  CHECK(steps("rank = 0 AND name = NULL") == std::pair(std::string("0"), uint64_t{1}));
  CHECK(steps("rank = 0 AND name = 'k3'") == std::pair(std::string("100"), uint64_t{1 + 1000}));
}

TEST_CASE("the inner side of a join is looked up by number, text or id") {
  Kernels source;
  const auto join = [&](const std::string& on) {
    const Ran ran =
        run(source, "SELECT count(*) FROM kernel a CROSS JOIN kernel b ON a.rank = 0 AND b.rank = 1 AND " + on);
    REQUIRE_FALSE(ran.error);
    // The outer side takes 1,001 steps; the first inner pass looks at every row, the others at those that fit.
    return std::pair(ran.rows.front(), ran.stats.row_steps - 1'001);
  };
  CHECK(join("b.id = a.id") == std::pair(std::string("1000"), uint64_t{1000 + 1000}));
  CHECK(join("b.task_id = a.task_id") == std::pair(std::string("2000"), uint64_t{1000 + 1000 + 999 * 2}));
  CHECK(join("b.name = a.name") == std::pair(std::string("100000"), uint64_t{1000 + 1000 + 999 * 100}));
}

TEST_CASE("an order that rows have anyway is not sorted again") {
  Kernels source;
  const auto sorts = [&](const std::string& sql) {
    const Ran plan = run(source, "EXPLAIN QUERY PLAN " + sql);
    REQUIRE_FALSE(plan.error);
    for (const std::string& row : plan.rows) {
      if (row.find("TEMP B-TREE FOR ORDER BY") != std::string::npos) return true;
    }
    return false;
  };
  CHECK_FALSE(sorts("SELECT name FROM kernel WHERE rank = 1 ORDER BY start_ns"));
  CHECK_FALSE(sorts("SELECT name FROM kernel WHERE rank = 1 ORDER BY start_ns DESC, id DESC"));
  CHECK_FALSE(sorts("SELECT name FROM kernel ORDER BY rank, start_ns"));
  CHECK_FALSE(sorts("SELECT name FROM kernel ORDER BY rank DESC, id DESC"));
  CHECK(sorts("SELECT name FROM kernel ORDER BY start_ns"));  // ranks overlap in time
  CHECK(sorts("SELECT name FROM kernel WHERE rank IN (0, 1) ORDER BY start_ns"));
  CHECK(sorts("SELECT name FROM kernel WHERE rank = 1 ORDER BY start_ns, name"));
  CHECK(sorts("SELECT name FROM kernel WHERE rank = 1 ORDER BY rank, start_ns DESC, id"));
  CHECK(sorts("SELECT name FROM kernel WHERE rank = 1 ORDER BY dur_ns"));

  const Ran last =
      run(source, "SELECT start_ns FROM kernel WHERE rank = 1 AND start_ns < 500 ORDER BY start_ns DESC LIMIT 2");
  CHECK(last.rows == Rows{"400", "300"});
  CHECK(last.stats.row_steps <= 4);
  CHECK(run(source, "SELECT rank, id FROM kernel WHERE id > 997 ORDER BY rank DESC, id DESC").rows ==
        Rows{"5|999", "5|998", "1|999", "1|998", "0|999", "0|998"});
}

TEST_CASE("only SELECT runs") {
  Kernels source(3);
  for (const char* sql : {"INSERT INTO kernel(name) VALUES ('x')",
                          "DELETE FROM kernel",
                          "UPDATE kernel SET name = 'x'",
                          "CREATE TABLE t(a)",
                          "CREATE TEMP TABLE t AS SELECT 1",
                          "CREATE VIEW v AS SELECT 1",
                          "DROP TABLE kernel",
                          "ATTACH 'x.db' AS x",
                          "DETACH main",
                          "PRAGMA query_only = OFF",
                          "PRAGMA table_info(kernel)",
                          "SELECT * FROM pragma_database_list",

                          "BEGIN",
                          "COMMIT",
                          "SAVEPOINT a",
                          "VACUUM INTO 'x.db'",
                          "ANALYZE",
                          "REINDEX",
                          "EXPLAIN DELETE FROM kernel",
                          "CREATE VIRTUAL TABLE t USING fts5(a)",
                          "SELECT load_extension('x')",
                          "ALTER TABLE kernel RENAME TO x",
                          "SELECT fts3_tokenizer('simple')",
                          "SELECT sqlite_log(1, 'x')"}) {
    INFO(sql);
    CHECK(code_of(run(source, sql)) == "query.read_only");
  }
  for (const char* sql : {"SELECT * FROM sqlite_master", "SELECT * FROM sqlite_temp_schema", "SELECT * FROM dbstat",
                          "SELECT * FROM sqlite_stmt", "SELECT * FROM fts5"}) {
    INFO(sql);
    CHECK(code_of(run(source, sql)) == "query.table");
  }
  CHECK(run(source, "SELECT count(*) FROM kernel").rows == Rows{"9"});  // the connection is as good as before
}

TEST_CASE("one statement a call, and no tricks with its text") {
  Kernels source(3);
  CHECK(run(source, "SELECT 1; -- and no more\n ;").rows == Rows{"1"});
  CHECK(code_of(run(source, "SELECT 1; SELECT 2")) == "query.statements");
  CHECK(code_of(run(source, "SELECT 1; DROP TABLE kernel")) == "query.statements");
  CHECK(code_of(run(source, "")) == "query.empty");
  CHECK(code_of(run(source, " \n")) == "query.empty");
  CHECK(code_of(run(source, "-- nothing")) == "query.empty");
  CHECK(code_of(run(source, std::string("SELECT 1\0; DROP", 15))) == "query.length");
  CHECK(code_of(run(source, "SELECT 1 -- " + std::string(limits::kMaxSqlBytes, 'x'))) == "query.length");
  CHECK(code_of(run(source, "SELECT ?1")) == "query.failed");
}

TEST_CASE("errors name what is near, and where to look") {
  Kernels source(3);
  const auto error = [&](const std::string& sql) {
    const Ran ran = run(source, sql);
    REQUIRE(ran.error);
    return to_text(*ran.error);
  };
  CHECK_THAT(error("SELECT * FROM kernels"),
             Catch::Contains("`kernels`") && Catch::Contains("`kernel`") && Catch::Contains("describe_tables"));
  CHECK_THAT(error("SELECT nme FROM kernel"), Catch::Contains("in kernel") && Catch::Contains("`name`"));
  CHECK_THAT(error("SELECT k.durns FROM kernel k"), Catch::Contains("`dur_ns`"));
  CHECK_THAT(error("SELECT duration FROM kernel"), Catch::Contains("Did you mean `dur_ns`?"));
  CHECK_THAT(error("SELECT k.start_time FROM kernel k"), Catch::Contains("Did you mean `start_ns`?"));
  CHECK_THAT(error("SELECT * FROM op_statistic"), Catch::Contains("Did you mean `op_stat`?"));
  CHECK_THAT(error("SELECT * FROM memory_record"), Catch::Contains("Did you mean `memory`?"));
  CHECK_THAT(error("SELECT * FROM a_tool"), Catch::Contains("Call it. describe_tables lists the tables."));
  CHECK_THAT(error("SELECT identifier FROM kernel"), Catch::Contains("describe_tables {\"table\": \"kernel\"}"));
  CHECK_THAT(error("SELECT lane FROM kernel"), Catch::Contains("`device_task` has one"));
  CHECK_THAT(error("SELECT id FROM kernel WHERE name = \"Add\""), Catch::Contains("single quotes: 'Add'"));
  CHECK_THAT(error("SELECT * FORM kernel"), Catch::Contains("At character 10: SELECT * >>> FORM kernel"));
  CHECK_THAT(error("SELECT avgg(dur_ns) FROM kernel"), Catch::Contains("function `avgg`"));
  CHECK_THAT(error("SELECT name FROM kernel, host_op"), Catch::Contains("k.name"));
  CHECK_THAT(error("SELECT x'00ff'"), Catch::Contains("hex()"));
  CHECK_THAT(error("SELECT sum(1, 2)"), Catch::Contains("wrong number of arguments"));
}

TEST_CASE("work without end is stopped: by rows, by time, by the flag") {
  Kernels source;
  QueryLimits few;
  few.row_steps = 10'000;
  CHECK(code_of(run(source, "SELECT count(*) FROM kernel a, kernel b", few)) == "query.rows");
  few.row_steps = 3'003;
  CHECK(run(source, "SELECT count(*) FROM kernel", few).rows == Rows{"3000"});
  few.row_steps = 3'002;
  CHECK(code_of(run(source, "SELECT count(*) FROM kernel", few)) == "query.rows");

  const char* endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT sum(x) FROM c";
  QueryLimits short_time;
  short_time.time = std::chrono::milliseconds(-1);
  CHECK(code_of(run(source, endless, short_time)) == "query.time");
  CancelFlag cancel;
  cancel.set();
  Collected sink;
  CHECK(queries().run(endless, source, cancel, sink).error().code == "call.cancelled");
  CHECK(run(source, "SELECT 1").rows == Rows{"1"});
}

TEST_CASE("bombs take no memory to speak of") {
  Kernels source;
  QueryLimits tight;
  tight.memory_bytes = 8u << 20;
  for (const char* sql :
       {"SELECT length(printf('%2000000000d', 1))", "SELECT length(zeroblob(2000000000))",
        "SELECT length(randomblob(2000000000))", "SELECT length(replace(hex(zeroblob(8000000)), '0', 'abcdefgh'))",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 20000) SELECT "
        "length(group_concat(hex(randomblob(1000)))) FROM c",
        "WITH RECURSIVE c(x) AS (SELECT randomblob(1000) UNION ALL SELECT randomblob(1000) FROM c) SELECT count(*) "
        "FROM (SELECT DISTINCT x FROM c)",
        "WITH RECURSIVE c(x) AS (SELECT 'a' UNION ALL SELECT x || x FROM c) SELECT length(x) FROM c",
        "WITH RECURSIVE c(x) AS (SELECT hex(randomblob(500)) UNION ALL SELECT hex(randomblob(500)) FROM c) SELECT x "
        "FROM c ORDER BY x",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 4000000) SELECT json_group_array(x) FROM "
        "c"}) {
    INFO(sql);
    const Ran ran = run(source, sql, tight);
    REQUIRE(ran.error);
    CHECK_THAT(to_text(*ran.error),
               Catch::Contains("more than 8.0 MiB of memory") || Catch::Contains("longer than 16.0 MiB"));
  }
  CHECK(run(source, "SELECT count(*) FROM kernel", tight).rows == Rows{"3000"});
  CHECK(run(source, "SELECT count(*) FROM kernel", tight).stats.memory_bytes < 1 << 20);
}

TEST_CASE("statements that are too deep, wide or long are refused before they run") {
  Kernels source(1);
  std::string deep = "1", wide = "1", many = "SELECT 1";
  for (int i = 0; i < 300; ++i) deep = "(" + deep + "+1)";
  for (int i = 0; i < limits::kMaxColumns; ++i) wide += ",1";
  for (int i = 0; i < limits::kMaxCompound; ++i) many += " UNION ALL SELECT 1";
  for (const std::string& sql : {"SELECT " + deep, "SELECT " + wide, many}) {
    const std::string code = code_of(run(source, sql));
    CHECK((code == "query.failed" || code == "query.syntax"));
  }
}

TEST_CASE("integers stay whole, what is no number is null") {
  Kernels source(1);
  CHECK(run(source, "SELECT 9007199254740993, 1e999, -1e999, 1e999 - 1e999, 0.1, '', NULL").rows ==
        Rows{"9007199254740993|inf|-inf|null|0.1|''|null"});
}

TEST_CASE("a sink that has enough ends the query") {
  Kernels source;
  Collected sink;
  sink.most = 3;
  const CancelFlag cancel;
  const auto stats = queries().run("SELECT id FROM kernel", source, cancel, sink);
  REQUIRE(stats.ok());
  CHECK(stats.value().rows == 3);
  CHECK(sink.rows == Rows{"0", "1", "2"});
}

TEST_CASE("ten queries at once answer as one does") {
  Kernels source;
  const std::string sql = "SELECT name, count(*), sum(dur_ns) FROM kernel GROUP BY name ORDER BY name";
  const Rows expected = run(source, sql).rows;
  std::vector<Ran> answers(10);
  std::vector<std::thread> threads;
  for (Ran& answer : answers) {
    threads.emplace_back([&answer, &sql] {
      Kernels own(1'000);
      for (int i = 0; i < 5; ++i) answer = run(own, sql);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Ran& answer : answers) CHECK(answer.rows == expected);
}
