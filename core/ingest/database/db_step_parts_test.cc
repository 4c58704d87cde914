// How a profiler's database decomposes its steps; expected values are worked out by hand from db_test_files.h.
#include <string>
#include <utility>
#include <vector>

#include "core/ingest/base/readers.h"
#include "core/ingest/database/db_steps.h"
#include "core/ingest/database/db_test_files.h"

namespace stepwise::ingest {
namespace {

using Rows = std::vector<std::string>;

/// step, device, computing, communication, not overlapped, overlapped, free, stage, bubble, without receive, preparing,
/// place
Rows steps_of(Tables& tables) {
  Rows out;
  for (uint64_t i = 0; i < tables.rows(table::step::kTable); ++i) {
    out.push_back(tables.row(
        table::step::kTable, i,
        {"step", "device", "computing_ns", "communication_ns", "not_overlapped_ns", "overlapped_ns", "free_ns",
         "stage_ns", "bubble_ns", "not_overlapped_exclude_receive_ns", "preparing_ns", "src_pos"}));
  }
  return out;
}

Rows steps_in(const std::string& sql) {
  const TemporaryFolder folder;
  Tables tables;
  read_into(tables, read_profiler_db, make_database(folder, "ascend_pytorch_profiler_3.db", sql), 1);
  return steps_of(tables);
}

/// Two steps without the framework's queue: the first kernel is the first's, the collective and the last kernel the
/// second's.
const std::string kTwoSteps = kSmallProfile + R"(
  DELETE FROM PYTORCH_API WHERE type = 50002;
  UPDATE CANN_API SET connectionId = 205 - connectionId + 1000 WHERE connectionId IN (102, 103);
  UPDATE CANN_API SET connectionId = connectionId - 1000 WHERE connectionId > 1000;
  DELETE FROM STEP_TIME;
  INSERT INTO STEP_TIME VALUES (6,1700000000000001260,1700000000000004000),(5,1700000000000000000,1700000000000001250);
)";

}  // namespace

TEST_CASE("db steps: computing, communication and what is free of a step") {
  // Kernels [2000, 3000) and [5000, 5250), a collective [3400, 4400): free are 400 and 600.
  CHECK(steps_in(kSmallProfile) == Rows{"5|1|1250|1000|1000|0|1000|3250|0|1000|2000|1"});
  // The collective under the first kernel for 500.
  CHECK(steps_in(kSmallProfile + "UPDATE COMMUNICATION_OP SET startNs = startNs - 900;") ==
        Rows{"5|1|1250|1900|1400|500|600|3250|0|1400|2000|1"});
}

TEST_CASE("db steps: a gap is of the step that it begins in") {
  CHECK(steps_in(kTwoSteps) ==
        Rows{"5|1|1000|0|0|0|400|1400|0|0|2000|2", "6|1|250|1000|1000|0|600|1850|0|1000|2140|1"});
}

TEST_CASE("db steps: receiving from another pipeline stage is bubble") {
  CHECK(steps_in(kTwoSteps + "UPDATE STRING_IDS SET value = 'hcom_receive__586_0_1' WHERE id = 10;") ==
        Rows{"5|1|1000|0|0|0|400|1400|0|0|2000|2", "6|1|250|1000|1000|0|600|850|1000|0|2140|1"});
}

TEST_CASE("db steps: devices have rows of their own") {
  CHECK(steps_in(kSmallProfile + "UPDATE TASK SET deviceId = 2 WHERE globalTaskId = 12;") ==
        Rows{"5|1|1000|1000|1000|0|400|2400|0|1000|2000|1", "5|2|250|0|0|0|0|250|0|0|5000|1"});
}

TEST_CASE("db steps: a run without steps is one; one whose steps led to nothing, and one of msprof, are none") {
  const std::string unmarked = kSmallProfile + "DELETE FROM STEP_TIME; DELETE FROM PYTORCH_API WHERE name = 30;";
  CHECK(steps_in(unmarked) == Rows{"null|1|1250|1000|1000|0|1000|3250|0|1000|null|1"});
  CHECK(steps_in(kSmallProfile + "UPDATE STEP_TIME SET endNs = startNs + 1;").empty());
  CHECK(steps_in(unmarked + "DROP TABLE STEP_TIME; DROP TABLE PYTORCH_API;").empty());
  CHECK(steps_in(kSmallProfile + "DELETE FROM TASK; DELETE FROM COMMUNICATION_OP;").empty());
}

TEST_CASE("db steps: what analysis.db says stands") {
  const TemporaryFolder folder;
  Tables tables;
  tables.builder().table(table::step::kTable);
  read_into(tables, read_profiler_db, make_database(folder, "ascend_pytorch_profiler_3.db", kSmallProfile), 1);
  CHECK(tables.rows(table::step::kTable) == 0);
}

TEST_CASE("db steps: the first range that holds an instant, whatever their order") {
  DbStepRanges ranges;
  for (const auto& [start_ns, end_ns] : {std::pair{10, 20}, {20, 30}, {5, 12}, {60, 50}, {40, 60}, {15, 45}}) {
    ranges.add(start_ns, end_ns);
  }
  const auto find = [&](int64_t time_ns) { return ranges.find(time_ns); };
  CHECK_FALSE(find(4).has_value());
  CHECK(find(5) == 2u);
  CHECK(find(10) == 0u);
  CHECK(find(20) == 0u);
  CHECK(find(21) == 1u);
  CHECK(find(31) == 5u);
  CHECK(find(45) == 4u);
  CHECK(find(60) == 4u);
  CHECK_FALSE(find(61).has_value());
}

}  // namespace stepwise::ingest
