// A profiler's database into tables; expected values are worked out by hand from db_test_files.h.
#include <algorithm>
#include <string>
#include <vector>

#include "core/ingest/base/readers.h"
#include "core/ingest/database/db_test_files.h"

namespace stepwise::ingest {
namespace {

using Rows = std::vector<std::string>;

Tables read(Reader* reader, const std::string& sql) {
  const TemporaryFolder folder;
  Tables tables;
  read_into(tables, reader, make_database(folder, "ascend_pytorch_profiler_3.db", sql), 1);
  return tables;
}

Rows rows_of(Tables& tables, const table::TableDecl& decl, const std::vector<std::string_view>& columns) {
  Rows out;
  for (uint64_t i = 0; i < tables.rows(decl); ++i) out.push_back(tables.row(decl, i, columns));
  return out;
}

/// "HostToDevice Node@launch > aclnnAdd_AddAiCore_Add": kind, and the names of both ends.
Rows flows_of(Tables& tables) {
  Rows out;
  const auto name = [&tables](const std::string& table, const std::string& row) {
    for (const table::TableDecl* decl : table::kAllTables) {
      if (table == decl->name) return tables.row(*decl, std::stoull(row), {"name"});
    }
    return table;
  };
  const auto cell = [&tables](uint64_t row, std::string_view column) {
    return tables.row(table::flow::kTable, row, {column});
  };
  for (uint64_t i = 0; i < tables.rows(table::flow::kTable); ++i) {
    out.push_back(cell(i, "kind") + " " + name(cell(i, "src_table"), cell(i, "src_id")) + " > " +
                  name(cell(i, "dst_table"), cell(i, "dst_id")));
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

TEST_CASE("profiler db: kernels and collectives by start, with waits and steps") {
  Tables tables = read(read_profiler_db, kSmallProfile);
  // Gap before the collective: 3,400 - 3,000; before the last kernel: 5,000 - 4,400. The step's range on the device
  // goes from its first launch's kernel to the later of its last work's end and 4,000.
  CHECK(rows_of(tables, table::kernel::kTable,
                {"step", "name", "op_type", "core_type", "class", "stream", "device", "start_ns", "dur_ns", "wait_ns",
                 "block_dim", "model_id", "task_id", "src_pos"}) ==
        Rows{"5|aclnnAdd_AddAiCore_Add|Add|AI_VECTOR_CORE|compute|2|1|1700000000000002000|1000|0|40|4294967295|61|1",
             "5|hcom_allReduce__586_0_1|hcom_allReduce_|HCCL|communication|null|1|1700000000000003400|1000|400|0|"
             "4294967295|null|1",
             "5|aclnnAdd_AddAiCore_Add|Add|AI_VECTOR_CORE|compute|2|1|1700000000000005000|250|600|48|4294967295|62|3"});
  CHECK(rows_of(tables, table::kernel::kTable,
                {"input_shapes", "input_dtypes", "output_formats", "aic_time_ns", "aiv_time_ns", "aiv_vec_ratio",
                 "aic_mac_ratio"}) == Rows{"8,16;16|FLOAT;FLOAT|ND;ND|0|912|0.1875|null",
                                           "null|null|null|null|null|null|null", "null|null|null|null|null|null|null"});
  CHECK(tables.losses() == Rows{"db.table_unused 1"});
}

TEST_CASE("profiler db: sums by type, and by layer and call") {
  Tables tables = read(read_profiler_db, kSmallProfile);
  CHECK(rows_of(tables, table::op_stat::kTable,
                {"op_type", "core_type", "count", "total_ns", "min_ns", "avg_ns", "max_ns", "total_ratio"}) ==
        Rows{"Add|AI_VECTOR_CORE|2|1250|250|625|1000|1"});
  // Deviations of 30, 10, 20 from 20 ns: (100 + 100 + 0) / 3 ns^2
  CHECK(
      rows_of(tables, table::api_stat::kTable, {"level", "name", "total_ns", "count", "avg_ns", "min_ns", "max_ns"}) ==
      Rows{"acl|aclrtMemcpyAsync|40|1|40|40|40", "node|launch|60|3|20|10|30"});
  const double variance = tables.builder().table(table::api_stat::kTable).column(table::api_stat::variance_us2).f64[1];
  CHECK(variance == Approx(200.0 / 3 / 1e6));
}

TEST_CASE("profiler db: what it says of the run, unless a text file said so") {
  Tables tables = read(read_profiler_db, kSmallProfile);
  CHECK(rows_of(tables, table::meta::kTable, {"key", "value"}) ==
        Rows{"SCHEMA_VERSION|1.0.0", "distributed_args.tensor_model_parallel_size|2", "NPU_INFO.1.name|Ascend910B",
             "RANK_DEVICE_MAP.3|1"});
}

TEST_CASE("profiler db: the timeline's tables are those of a trace") {
  Tables tables = read(read_profiler_db_timeline, kSmallProfile);
  CHECK(rows_of(tables, table::host_op::kTable,
                {"name", "category", "start_ns", "dur_ns", "pid", "tid", "parent_id", "depth", "step", "link_id",
                 "shapes", "stack"}) ==
        Rows{"ProfilerStep#5|cpu_op|1700000000000000000|4000|7|8|null|0|5|null|null|null",
             "aten::add|cpu_op|1700000000000001000|500|7|8|0|1|5|77|8,16;16|main.py(3): train;\n<string>(1): <module>",
             "aclnnAdd|cpu_op|1700000000000001010|480|7|8|1|2|5|null|null|null",
             "AddBackward0|cpu_op|1700000000000001600|100|7|8|0|1|5|77|null|null"});
  CHECK(rows_of(tables, table::queue::kTable, {"name", "kind", "tid", "link_id"}) ==
        Rows{"aclnnAdd|enqueue|8|9000", "aclnnAdd|dequeue|9|9000"});
  CHECK(rows_of(tables, table::runtime_api::kTable, {"name", "category", "start_ns", "dur_ns", "tid", "link_id"}) ==
        Rows{"AscendCL@aclrtMemcpyAsync|AscendCL|1700000000000000110|40|9|100",
             "Node@launch|Node|1700000000000001200|30|9|101", "Node@launch|Node|1700000000000001300|10|9|102",
             "Node@launch|Node|1700000000000001400|20|9|103"});
  CHECK(rows_of(tables, table::device_task::kTable,
                {"name", "lane", "start_ns", "dur_ns", "tid", "task_type", "stream", "connection_id"}) ==
        Rows{"MEMCPY_ASYNC|hardware|1700000000000000500|400|2|MEMCPY_ASYNC|2|100",
             "aclnnAdd_AddAiCore_Add|hardware|1700000000000002000|1000|2|AI_VECTOR_CORE|2|101",
             "hcom_allReduce__586_0_1|communication|1700000000000003400|1000|0|null|null|103",
             "Notify_Wait|communication|1700000000000003500|200|3|Notify_Wait|3|null",
             "Notify Wait|hardware|1700000000000003500|200|3|Notify Wait|3|103",
             "aclnnAdd_AddAiCore_Add|hardware|1700000000000005000|250|2|AI_VECTOR_CORE|2|102"});
  CHECK(rows_of(tables, table::python_call::kTable, {"name", "category", "step"}) ==
        Rows{"train.py(1): f|python_function|5"});
  CHECK(rows_of(tables, table::step_range::kTable, {"step", "start_ns", "dur_ns"}) ==
        Rows{"5|1700000000000000000|4000"});
  CHECK(flows_of(tables) ==
        Rows{"HostToDevice AscendCL@aclrtMemcpyAsync > MEMCPY_ASYNC",
             "HostToDevice Node@launch > aclnnAdd_AddAiCore_Add", "HostToDevice Node@launch > aclnnAdd_AddAiCore_Add",
             "HostToDevice Node@launch > hcom_allReduce__586_0_1", "async_npu aclnnAdd > aclnnAdd_AddAiCore_Add",
             "async_npu aclnnAdd > aclnnAdd_AddAiCore_Add", "async_npu aclnnAdd > hcom_allReduce__586_0_1",
             "async_task_queue aclnnAdd > aclnnAdd", "fwdbwd aten::add > AddBackward0"});
  // A process itself stands before its threads.
  CHECK(rows_of(tables, table::track::kTable, {"pid", "tid", "process_name", "thread_name", "labels"}).front() ==
        "7423|null|CANN|null|CPU");
  CHECK(tables.losses().empty());
}

TEST_CASE("profiler db: the timeline of a trace stands") {
  const TemporaryFolder folder;
  Tables tables;
  tables.builder().table(table::track::kTable);
  read_into(tables, read_profiler_db_timeline, make_database(folder, "msprof_1.db", kSmallProfile), 1);
  CHECK_FALSE(tables.has(table::host_op::kTable));
}

TEST_CASE("profiler db: newer schemas") {
  // COMMUNICATION for HCCL; blockDim means the threads of a block where blockNum is there.
  Tables tables = read(read_profiler_db, kSmallProfile + R"(
    UPDATE ENUM_API_TYPE SET name = 'communication' WHERE id = 5500;
    ALTER TABLE COMPUTE_TASK_INFO ADD blockNum INTEGER; ALTER TABLE COMPUTE_TASK_INFO ADD opState INTEGER;
    UPDATE COMPUTE_TASK_INFO SET blockNum = 24, opState = 50; INSERT INTO STRING_IDS VALUES (50, 'dynamic');
    ALTER TABLE COMMUNICATION_OP ADD deviceId INTEGER; UPDATE COMMUNICATION_OP SET deviceId = 1;)");
  CHECK(rows_of(tables, table::kernel::kTable, {"core_type", "block_dim", "op_state"}) ==
        Rows{"AI_VECTOR_CORE|24|dynamic", "COMMUNICATION|0|null", "AI_VECTOR_CORE|24|dynamic"});

  Tables overlap = read(read_profiler_db_timeline, R"(
    CREATE TABLE OVERLAP_ANALYSIS (id INTEGER PRIMARY KEY, deviceId INTEGER, startNs INTEGER, endNs INTEGER, type INTEGER);
    INSERT INTO OVERLAP_ANALYSIS VALUES (1,0,1700000000000000000,1700000000000000100,0),
      (2,0,1700000000000000100,1700000000000000150,3),(3,0,1700000000000000150,1700000000000000250,2),(4,0,5,6,9);)");
  CHECK(rows_of(overlap, table::overlap_span::kTable, {"kind", "start_ns", "dur_ns"}) ==
        Rows{"Computing|1700000000000000000|100", "Free|1700000000000000100|50",
             "Communication(Not Overlapped)|1700000000000000150|100"});
  CHECK(overlap.losses() == Rows{"db.bad_row 1 @4"});
}

TEST_CASE("profiler db: shapes and types that changed places") {
  Tables tables = read(read_profiler_db_timeline, kSmallProfile + R"(
    UPDATE PYTORCH_API SET inputDtypes = 38, inputShapes = 7 WHERE name = 31;)");
  CHECK(tables.row(table::host_op::kTable, 1, {"name", "shapes"}) == "aten::add|8,16;16");
}

TEST_CASE("profiler db: steps without operators named after them come from STEP_TIME") {
  Tables tables = read(read_profiler_db_timeline, R"(
    CREATE TABLE STEP_TIME (id INTEGER, startNs INTEGER, endNs INTEGER); INSERT INTO STEP_TIME VALUES (7,100,250),(8,'x',9);)");
  CHECK(rows_of(tables, table::step_range::kTable, {"step", "start_ns", "dur_ns"}) == Rows{"7|100|150"});
  CHECK(tables.losses() == Rows{"db.bad_row 1 @2"});
}

TEST_CASE("profiler db: ranges that the program marked are operators of the host, called mstx") {
  Tables tables = read(read_profiler_db_timeline, kSmallProfile + R"(
CREATE TABLE MSTX_EVENTS (startNs INTEGER, endNs INTEGER, eventType INTEGER, rangeId INTEGER, category INTEGER,
  message INTEGER, globalTid INTEGER, endGlobalTid INTEGER, domainId INTEGER, connectionId INTEGER);
INSERT INTO STRING_IDS VALUES (50,'forward'),(51,'loss');
INSERT INTO MSTX_EVENTS VALUES
  (1700000000000000900,1700000000000001550,2,1,4294967295,50,30064771080,30064771080,5,4000000001),
  (1700000000000001800,1700000000000001800,0,2,4294967295,51,30064771080,30064771080,5,4000000002),
  (1700000000000001800,1700000000000001700,2,3,4294967295,51,30064771080,30064771080,5,4000000003);
)");
  Rows marked;
  for (uint64_t i = 0; i < tables.rows(table::host_op::kTable); ++i) {
    const std::string row =
        tables.row(table::host_op::kTable, i, {"category", "name", "start_ns", "dur_ns", "src_pos"});
    if (row.starts_with("mstx")) marked.push_back(row);
  }
  CHECK(marked == Rows{"mstx|forward|1700000000000000900|650|1", "mstx|loss|1700000000000001800|0|2"});
  CHECK(tables.losses() == Rows{"db.bad_row 1 @3"});
}

TEST_CASE("profiler db: samples of the device are counters, named and scaled as in a timeline") {
  Tables tables = read(read_profiler_db_timeline, kSmallProfile + R"(
INSERT INTO STRING_IDS VALUES (60,'read'),(61,'write'),(62,'app');
CREATE TABLE HBM (deviceId INTEGER, timestampNs INTEGER, bandwidth NUMERIC, hbmId INTEGER, type INTEGER);
INSERT INTO HBM VALUES (1,1700000000000000010,3145728,2,60),(1,1700000000000000011,1048576,2,61);
CREATE TABLE LLC (deviceId INTEGER, llcId INTEGER, timestampNs INTEGER, hitRate REAL, throughput INTEGER, mode INTEGER);
INSERT INTO LLC VALUES (1,0,1700000000000000012,87.5,2097152,60);
CREATE TABLE DDR (deviceId INTEGER, timestampNs INTEGER, read NUMERIC, write NUMERIC);
INSERT INTO DDR VALUES (1,1700000000000000013,524288,1048576);
CREATE TABLE ACC_PMU (accId INTEGER, readBwLevel INTEGER, writeBwLevel INTEGER, readOstLevel INTEGER,
  writeOstLevel INTEGER, timestampNs INTEGER, deviceId INTEGER);
INSERT INTO ACC_PMU VALUES (7,1,2,3,4,1700000000000000014,1);
CREATE TABLE SOC_BANDWIDTH_LEVEL (l2BufferBwLevel INTEGER, mataBwLevel INTEGER, timestampNs INTEGER, deviceId INTEGER);
INSERT INTO SOC_BANDWIDTH_LEVEL VALUES (5,6,1700000000000000015,1);
CREATE TABLE AICORE_FREQ (deviceId INTEGER, timestampNs INTEGER, freq INTEGER);
INSERT INTO AICORE_FREQ VALUES (1,1700000000000000016,1800);
CREATE TABLE NPU_MEM (type INTEGER, ddr NUMERIC, hbm NUMERIC, timestampNs INTEGER, deviceId INTEGER);
INSERT INTO NPU_MEM VALUES (62,0,2048,1700000000000000017,1);
)");
  // pid: process 7, its kind, device 1, as in traces: 7 << 10 | kind << 5 | 1
  Rows samples = rows_of(tables, table::counter::kTable, {"ts_ns", "pid", "name", "series", "value"});
  std::sort(samples.begin(), samples.end());
  for (std::string& one : samples) one.erase(0, std::string("17000000000000000").size());
  CHECK(samples == Rows{"10|7713|HBM 2/Read|Read(MB/s)|3",
                        "11|7713|HBM 2/Write|Write(MB/s)|1",
                        "12|7745|LLC 0 Read/Hit Rate|Hit Rate(%)|0.875",
                        "12|7745|LLC 0 Read/Throughput|Throughput(MB/s)|2",
                        "13|7681|DDR/Read|Read(MB/s)|0.5",
                        "13|7681|DDR/Write|Write(MB/s)|1",
                        "14|7841|read_bandwidth|acc_id|7",
                        "14|7841|read_bandwidth|value|1",
                        "14|7841|read_ost|acc_id|7",
                        "14|7841|read_ost|value|3",
                        "14|7841|write_band_width|acc_id|7",
                        "14|7841|write_band_width|value|2",
                        "14|7841|write_ost|acc_id|7",
                        "14|7841|write_ost|value|4",
                        "15|7809|L2 Buffer Bw Level|L2 Buffer Bw Level|5",
                        "15|7809|Mata Bw Level|Mata Bw Level|6",
                        "16|7617|AI Core Freq|MHz|1800",
                        "17|7777|APP/DDR|KB|0",
                        "17|7777|APP/HBM|KB|2",
                        "17|7777|APP/Memory|KB|2"});
  CHECK(tables.losses().empty());
}

TEST_CASE("profiler db: samples at no possible time are left out; old exporters name kinds of memory in a table") {
  Tables tables = read(read_profiler_db_timeline, kSmallProfile + R"(
CREATE TABLE AICORE_FREQ (deviceId INTEGER, timestampNs INTEGER, freq INTEGER);
INSERT INTO AICORE_FREQ VALUES (1,9223372036854775807,1800),(1,-1,1800),(1,1700000000000000016,1700);
CREATE TABLE ENUM_MEMORY (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO ENUM_MEMORY VALUES (0,'app'),(1,'device');
CREATE TABLE NPU_MEM (type INTEGER, ddr NUMERIC, hbm NUMERIC, timestampNs INTEGER, deviceId INTEGER);
INSERT INTO NPU_MEM VALUES (1,0,2048,1700000000000000017,1);
)");
  CHECK(rows_of(tables, table::counter::kTable, {"ts_ns", "name", "value"}) ==
        Rows{"1700000000000000016|AI Core Freq|1700", "1700000000000000017|Device/DDR|0",
             "1700000000000000017|Device/HBM|2", "1700000000000000017|Device/Memory|2"});
  CHECK(tables.losses() == Rows{"db.bad_row 2 @1"});
}

}  // namespace stepwise::ingest
