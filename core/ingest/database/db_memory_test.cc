// Memory out of databases: torch_npu's tables, msprof's single allocations, and rows that make no sense.
#include <string>
#include <vector>

#include "core/ingest/base/readers.h"
#include "core/ingest/database/db_test_files.h"

namespace stepwise::ingest {
namespace {

using Rows = std::vector<std::string>;

const table::TableDecl &kMemory = table::memory::kTable, &kBlock = table::memory_block::kTable,
                       &kModule = table::module_memory::kTable;

const std::string kStrings =
    "CREATE TABLE STRING_IDS (id INTEGER PRIMARY KEY, value TEXT);"
    "INSERT INTO STRING_IDS VALUES (1,'app'),(2,'device'),(3,'allocate'),(4,'release'),(5,'GE'),(6,'Conv2D1'),"
    "(536870913,'PTA'),(536870914,'aten::empty');";

Tables read(const std::string& sql) {
  const TemporaryFolder folder;
  Tables tables;
  read_into(tables, read_profiler_db, make_database(folder, "one.db", kStrings + sql), 1);
  return tables;
}

Rows every(Tables& tables, const table::TableDecl& decl) {
  std::vector<std::string_view> names;
  for (const table::ColumnDecl& column : decl.columns) names.emplace_back(column.name);
  Rows out;
  for (uint64_t i = 0; i < tables.rows(decl); ++i) out.push_back(tables.row(decl, i, names));
  return out;
}

}  // namespace

TEST_CASE("db memory: components, the process and the device by time") {
  Tables tables = read(
      "CREATE TABLE MEMORY_RECORD (component INTEGER, timestamp INTEGER, totalAllocated INTEGER, totalReserved INTEGER,"
      " totalActive INTEGER, streamPtr INTEGER, deviceId INTEGER);"
      "INSERT INTO MEMORY_RECORD VALUES (536870913,300,10,20,15,77,4),(5,100,1,2,0,NULL,4),(9,1,1,1,1,1,1),"
      "(5,NULL,1,1,1,1,1),(5,100,1000000000001,1,1,1,1);"
      "CREATE TABLE NPU_MEM (type INTEGER,ddr NUMERIC,hbm NUMERIC,timestampNs INTEGER,deviceId INTEGER);"
      "INSERT INTO NPU_MEM VALUES (1,3,4,200,4),(2,0,9.0,100,4),(1,-1,4,1,4),(7,3,4,200,4);");
  CHECK(every(tables, kMemory) == Rows{"GE|100|1|2|null|null|NPU:4|2", "DEVICE|100|null|9|null|null|NPU:4|2",
                                       "APP|200|null|7|null|null|NPU:4|1", "PTA|300|10|20|15|77|NPU:4|1"});
  CHECK(tables.losses() == Rows{"db.bad_row 5 @3"});
}

TEST_CASE("db memory: blocks; the graph engine's are called as in the text files") {
  Tables tables = read(
      "CREATE TABLE OP_MEMORY (name INTEGER, size INTEGER, allocationTime INTEGER, releaseTime INTEGER, "
      "activeReleaseTime INTEGER, duration INTEGER, activeDuration INTEGER, allocationTotalAllocated INTEGER, "
      "allocationTotalReserved INTEGER, allocationTotalActive INTEGER, releaseTotalAllocated INTEGER, "
      "releaseTotalReserved INTEGER, releaseTotalActive INTEGER, streamPtr INTEGER, deviceId INTEGER);"
      "INSERT INTO OP_MEMORY VALUES (536870914,512,100,160,150,60,50,1,2,3,4,5,6,77,4),"
      "(6,64,100,NULL,NULL,NULL,NULL,1,2,NULL,NULL,NULL,NULL,NULL,4),(6,NULL,1,1,1,1,1,1,1,1,1,1,1,1,1),"
      "(6,1,1,1,1,86400000000001,1,1,1,1,1,1,1,1,1);");
  CHECK(every(tables, kBlock) == Rows{"aten::empty|512|100|160|150|60|50|1|2|3|4|5|6|77|NPU:4|1",
                                      "cann::Conv2D1|64|100|null|null|null|null|1|2|null|null|null|null|null|NPU:4|2"});
  CHECK(tables.losses() == Rows{"db.bad_row 2 @3"});
}

TEST_CASE("db memory: allocations and releases of msprof are joined") {
  const std::string events =
      "CREATE TABLE NPU_OP_MEM (operatorName INTEGER,addr INTEGER,type INTEGER,size INTEGER,timestampNs INTEGER,"
      "globalTid INTEGER,totalAllocate NUMERIC,totalReserve NUMERIC,component INTEGER,deviceId INTEGER);"
      "INSERT INTO NPU_OP_MEM VALUES (6,9,4,32,50,1,0,90,5,2),(6,9,3,64,100,1,64,90,5,2),(6,8,3,16,110,1,80,90,5,2),"
      "(6,9,4,64,130,1,16,90,5,2),(6,9,3,8,140,1,24,90,5,2),(6,9,1,8,140,1,24,90,5,2),(6,9,3,8,'now',1,24,90,5,2);";
  Tables tables = read(events);
  CHECK(every(tables, kMemory) == Rows{"GE|50|0|90|null|null|NPU:2|1", "GE|100|64|90|null|null|NPU:2|2",
                                       "GE|110|80|90|null|null|NPU:2|3", "GE|130|16|90|null|null|NPU:2|4",
                                       "GE|140|24|90|null|null|NPU:2|5"});
  CHECK(every(tables, kBlock) == Rows{"Conv2D1|32|null|50|null|null|null|null|null|null|0|90|null|null|NPU:2|1",
                                      "Conv2D1|64|100|130|null|30|null|64|90|null|16|90|null|null|NPU:2|2",
                                      "Conv2D1|16|110|null|null|null|null|80|90|null|null|null|null|null|NPU:2|3",
                                      "Conv2D1|8|140|null|null|null|null|24|90|null|null|null|null|null|NPU:2|5"});
  // Told once for each of the two tables.
  CHECK(tables.losses() == Rows{"db.bad_row 4 @6"});
  // Older exporters have a table of their own for the words.
  Tables old = read(
      "CREATE TABLE ENUM_MEMORY (id INTEGER PRIMARY KEY,name TEXT);"
      "INSERT INTO ENUM_MEMORY VALUES (3,'release'),(4,'allocate');" +
      events);
  CHECK(old.row(kBlock, 0, {"bytes", "alloc_ns", "release_ns", "dur_ns"}) == "32|50|100|50");
}

TEST_CASE("db memory: modules by their names; -1 is unknown") {
  Tables tables = read(
      "CREATE TABLE ENUM_MODULE (id INTEGER PRIMARY KEY,name TEXT);INSERT INTO ENUM_MODULE VALUES (3,'HCCL');"
      "CREATE TABLE NPU_MODULE_MEM (moduleId INTEGER,timestampNs INTEGER,totalReserved NUMERIC,deviceId INTEGER);"
      "INSERT INTO NPU_MODULE_MEM VALUES (3,200,423690240,1),(99,100,-1,NULL),(NULL,1,1,1);");
  CHECK(every(tables, kModule) == Rows{"module 99|100|null|null|2", "HCCL|200|423690240|NPU:1|1"});
  CHECK(tables.losses() == Rows{"db.bad_row 1 @3"});
}

TEST_CASE("db memory: a text file's tables stand") {
  const TemporaryFolder folder;
  Tables tables;
  read_into(tables, read_npu_module_mem,
            folder.write("npu_module_mem.csv", "Component,Timestamp(us),Total Reserved(MB)\nSLOG,1.000,1\n"), 1);
  read_into(tables, read_profiler_db,
            make_database(folder, "one.db",
                          kStrings + "CREATE TABLE NPU_MODULE_MEM (moduleId, timestampNs, totalReserved);"
                                     "INSERT INTO NPU_MODULE_MEM VALUES (3,200,1);"),
            1);
  CHECK(every(tables, kModule) == Rows{"SLOG|1000|1048576|null|1"});
}

}  // namespace stepwise::ingest
