// Which inference the kernels of msprof's database belong to.
#include <string>
#include <vector>

#include "core/ingest/base/readers.h"
#include "core/ingest/database/db_test_files.h"

namespace stepwise::ingest {
namespace {

using Rows = std::vector<std::string>;

/// Two executions of a graph (model 1) with a kernel each, and a single operator during the second.
const std::string kTwoInferences = R"(
CREATE TABLE STRING_IDS (id INTEGER PRIMARY KEY, value TEXT);
INSERT INTO STRING_IDS VALUES (1,'KERNEL_AIVEC'),(2,'MatMul_1'),(3,'MatMul'),(4,'AI_CORE'),(5,'ModelExecute');
CREATE TABLE TASK (startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER, globalTaskId INTEGER,
  globalPid INTEGER, taskType INTEGER, contextId INTEGER, streamId INTEGER, taskId INTEGER, modelId INTEGER);
INSERT INTO TASK VALUES (2100,2200,0,1,1,7,1,4294967295,2,61,1),(1100,1200,0,2,2,7,1,4294967295,2,61,1),
  (2300,2400,0,3,3,7,1,4294967295,2,62,4294967295);
CREATE TABLE COMPUTE_TASK_INFO (name INTEGER, globalTaskId INTEGER PRIMARY KEY, taskType INTEGER, opType INTEGER);
INSERT INTO COMPUTE_TASK_INFO VALUES (2,1,4,3),(2,2,4,3),(2,3,4,3);
CREATE TABLE CANN_API (startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER, connectionId INTEGER PRIMARY KEY,
  name INTEGER);
INSERT INTO CANN_API VALUES (2000,2500,15000,7,11,5),(1000,1500,15000,7,12,5),(1010,1020,5000,7,13,5);
)";

Rows kernels_in(const std::string& sql) {
  const TemporaryFolder folder;
  Tables tables;
  read_into(tables, read_profiler_db, make_database(folder, "msprof_20250101000000.db", sql), 1);
  CHECK(tables.losses().empty());
  Rows out;
  for (uint64_t i = 0; i < tables.rows(table::kernel::kTable); ++i) {
    out.push_back(tables.row(table::kernel::kTable, i, {"start_ns", "step"}));
  }
  CHECK_FALSE(tables.has(table::step::kTable));
  return out;
}

}  // namespace

TEST_CASE("msprof db: kernels of a graph belong to the call that executes it, single operators to none") {
  CHECK(kernels_in(kTwoInferences) == Rows{"1100|1", "2100|2", "2300|null"});
}

TEST_CASE("msprof db: where calls do not tell the executions apart, no kernel is given to one") {
  const Rows unknown{"1100|null", "2100|null", "2300|null"};
  CHECK(kernels_in(kTwoInferences + "UPDATE CANN_API SET endNs = 2001 WHERE connectionId = 12;") == unknown);
  // A call that does not wait: the kernel begins when it has returned.
  CHECK(kernels_in(kTwoInferences + "UPDATE CANN_API SET endNs = 2100 WHERE connectionId = 11;") == unknown);
  CHECK(kernels_in(kTwoInferences + "DELETE FROM CANN_API;") == unknown);
}

}  // namespace stepwise::ingest
