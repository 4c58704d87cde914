// Databases that are cut, lie about themselves, or hold what no profiler writes: counted, never trusted.
#include <fstream>
#include <limits>
#include <string>

#include "core/ingest/base/readers.h"
#include "core/ingest/database/db_file.h"
#include "core/ingest/database/db_test_files.h"

namespace stepwise::ingest {
namespace {

namespace fs = std::filesystem;
using Losses = std::vector<std::string>;

constexpr Reader* kReaders[] = {read_profiler_db, read_profiler_db_timeline, read_analysis_db};

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The codes of what was counted, without infos.
std::string losses_of(Reader* reader, const fs::path& file) {
  Tables tables;
  read_into(tables, reader, file, 1);
  std::string out;
  for (uint64_t i = 0; i < tables.rows(table::diagnostic::kTable); ++i) {
    if (tables.row(table::diagnostic::kTable, i, {"severity"}) == "info") continue;
    out += (out.empty() ? "" : " ") + tables.row(table::diagnostic::kTable, i, {"code"});
  }
  return out;
}
std::string losses_of(Reader* reader, const TemporaryFolder& folder, const std::string& sql) {
  static int count = 0;
  return losses_of(reader, make_database(folder, std::to_string(++count) + ".db", sql));
}

}  // namespace

TEST_CASE("db damage: a file cut anywhere is told") {
  const TemporaryFolder folder;
  const std::string whole = bytes_of(make_database(folder, "whole.db", kSmallProfile));
  REQUIRE(whole.size() > 20'000);
  for (const size_t length : {16u, 99u, 100u, 1'000u, 4'096u, 5'000u, 8'192u, 20'480u, 40'960u}) {
    const fs::path cut = folder.write("cut.db", whole.substr(0, length));
    for (Reader* const reader : kReaders) {
      INFO(length);
      CHECK(losses_of(reader, cut).find("db.damaged") != std::string::npos);
    }
  }
}

TEST_CASE("db damage: pages overwritten do no harm") {
  const TemporaryFolder folder;
  const std::string whole = bytes_of(make_database(folder, "whole.db", kSmallProfile));
  for (size_t at = 20; at < whole.size(); at += 397) {
    std::string broken = whole;
    for (size_t i = at; i < std::min(whole.size(), at + 24); ++i) broken[i] = static_cast<char>(0xA5 + 31 * i);
    const fs::path file = folder.write("broken.db", broken);
    for (Reader* const reader : kReaders) CHECK_NOTHROW(losses_of(reader, file));
  }
}

TEST_CASE("db damage: a header that asks for a write-ahead log is read without one, and nothing is written") {
  const TemporaryFolder folder;
  std::string bytes = bytes_of(make_database(folder, "whole.db", kSmallProfile));
  bytes[18] = bytes[19] = 2;
  fs::create_directory(folder.path() / "alone #1%41?");
  const fs::path file = folder.write("alone #1%41?/wal.db", bytes);
  CHECK(losses_of(read_profiler_db, file).empty());
  CHECK(std::distance(fs::directory_iterator(file.parent_path()), {}) == 1);
  CHECK(bytes_of(file) == bytes);
  folder.write("alone #1%41?/wal.db-wal", "changes");
  CHECK(losses_of(read_profiler_db, file) == "db.changes_apart");
}

TEST_CASE("db damage: no database, no tables, none of the right ones") {
  const TemporaryFolder folder;
  for (Reader* const reader : kReaders) {
    CHECK(losses_of(reader, folder.write("text.db", "not at all a database, however long it may be...")) ==
          "db.damaged");
    CHECK(losses_of(reader, folder.path() / "absent.db") == "db.damaged");
    CHECK(losses_of(reader, folder, "CREATE TABLE x (a); DROP TABLE x;").empty());
    CHECK(losses_of(reader, folder, "CREATE TABLE other (a INTEGER); INSERT INTO other VALUES (1);").empty());
  }
}

TEST_CASE("db damage: tables without their columns are not read, the others are") {
  const TemporaryFolder folder;
  CHECK(losses_of(read_profiler_db, folder, "CREATE TABLE TASK (startNs INTEGER); CREATE TABLE META_DATA (a, b);") ==
        "db.no_columns");
  CHECK(losses_of(read_analysis_db, folder, "CREATE TABLE CommAnalyzerTime (hccl_op_name TEXT);") == "db.no_columns");
  // Views are none of the exporter's, and may do anything.
  CHECK(losses_of(read_profiler_db, folder,
                  "CREATE VIEW STRING_IDS AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) "
                  "SELECT id, 'x' AS value FROM n;")
            .empty());
}

TEST_CASE("db damage: values of other types leave their rows out") {
  const TemporaryFolder folder;
  const auto kernels = [&folder](const std::string& task) {
    Tables tables;
    const fs::path file = make_database(
        folder, "one.db",
        "DROP TABLE IF EXISTS TASK; DROP TABLE IF EXISTS COMPUTE_TASK_INFO; DROP TABLE IF EXISTS STRING_IDS;"
        "CREATE TABLE TASK (startNs, endNs, globalTaskId, streamId); INSERT INTO TASK VALUES (" +
            task +
            ");"
            "CREATE TABLE STRING_IDS (id, value); INSERT INTO STRING_IDS VALUES (1, x'ff41');"
            "CREATE TABLE COMPUTE_TASK_INFO (name, globalTaskId); INSERT INTO COMPUTE_TASK_INFO VALUES (1, 1);");
    read_into(tables, read_profiler_db, file, 1);
    return tables.rows(table::kernel::kTable) == 0
               ? "none"
               : tables.row(table::kernel::kTable, 0, {"start_ns", "dur_ns", "stream"});
  };
  CHECK(kernels("100, 150, 1, 2") == "100|50|2");
  CHECK(kernels("'100', '150', '1', 'two'") == "100|50|null");
  CHECK(kernels("100.0, 150.0, 1, 2.5") == "100|50|null");
  CHECK(kernels("1.7e18, 1700000000000000000, 1, 2") == "none");  // a double has lost the ns
  CHECK(kernels("NULL, 150, 1, 2") == "none");
  CHECK(kernels("x'00', 150, 1, 2") == "none");
  CHECK(kernels("'10 0', 150, 1, 2") == "none");
  CHECK(kernels("150, 100, 1, 2") == "none");
  CHECK(kernels("-5, 100, 1, 2") == "none");
  CHECK(kernels("0, 9223372036854775807, 1, 2") == "none");
  CHECK(kernels("-9223372036854775808, 9223372036854775807, 1, 2") == "none");
  CHECK(kernels("9223372036854775806, 9223372036854775807, 1, 2") == "none");
}

TEST_CASE("db damage: huge numbers add up to nothing impossible") {
  const TemporaryFolder folder;
  for (Reader* const reader : kReaders) {
    CHECK_NOTHROW(losses_of(reader, folder, kSmallProfile + R"(
      UPDATE TASK SET deviceId = 9223372036854775807, globalPid = -9223372036854775808, streamId = 9223372036854775807,
        connectionId = -1; UPDATE COMMUNICATION_TASK_INFO SET planeId = 9223372036854775807;
      UPDATE PYTORCH_API SET globalTid = -1, sequenceNumber = 9223372036854775807;
      UPDATE CONNECTION_IDS SET connectionId = -9223372036854775808; UPDATE STEP_TIME SET id = -9223372036854775808;
      UPDATE TASK_PMU_INFO SET value = 1e308; UPDATE COMPUTE_TASK_INFO SET blockDim = 9223372036854775807;
      UPDATE RANK_DEVICE_MAP SET rankId = 99999999999;)"));
  }
}

TEST_CASE("db damage: bytes that are no UTF-8 are replaced") {
  const TemporaryFolder folder;
  const std::string sql = kSmallProfile + "UPDATE STRING_IDS SET value = CAST(x'41FF42' AS TEXT) WHERE id = 3;";
  CHECK(losses_of(read_profiler_db, folder, sql) == "text.not_utf8");
  Tables tables;
  read_into(tables, read_profiler_db, make_database(folder, "utf8.db", sql), 1);
  CHECK(tables.row(table::kernel::kTable, 0, {"name"}) ==
        "A\xEF\xBF\xBD"
        "B");
}

TEST_CASE("db damage: reading can be cancelled") {
  const TemporaryFolder folder;
  const fs::path file = make_database(folder, "x.db", kSmallProfile);
  for (Reader* const reader : kReaders) {
    CancelFlag cancel;
    cancel.set();
    ProgressGauge progress;
    Diagnostics diagnostics;
    IngestContext context{cancel, progress, diagnostics, {}};
    store::SegmentBuilder out;
    const auto result = reader(file, "x.db", context, out);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().kind == ErrorKind::cancelled);
  }
}

TEST_CASE("db: a double is taken by its shortest text") {
  CHECK(scaled_double(88.75099321875, 6) == 88750993);
  CHECK(scaled_double(6.000000000000001e-05, 6) == 60);
  CHECK(scaled_double(0.0000005, 6) == 0);  // half to even
  CHECK(scaled_double(1764246877076689.8, 3) == 1764246877076689800);
  CHECK_FALSE(scaled_double(1e300, 3));
  CHECK_FALSE(scaled_double(std::numeric_limits<double>::quiet_NaN(), 3));
}

}  // namespace stepwise::ingest
