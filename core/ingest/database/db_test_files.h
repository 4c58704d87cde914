// Small databases for tests, made with SQLite itself.
#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <string>

#include "core/ingest/exports/tables_test_files.h"
#include "tests/catch.h"

namespace stepwise::ingest {

/// A database in the folder, made by the statements.
inline std::filesystem::path make_database(const TemporaryFolder& folder, const std::string& name,
                                           const std::string& sql) {
  const std::filesystem::path path = folder.path() / name;
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &handle) == SQLITE_OK);
  char* error = nullptr;
  sqlite3_exec(handle, ("PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY;" + sql).c_str(), nullptr, nullptr, &error);
  const std::string message = error == nullptr ? "" : error;
  sqlite3_free(error);
  sqlite3_close(handle);
  INFO(message);
  REQUIRE(message.empty());
  return path;
}

/// One step of one process (pid 7): two kernels and a collective behind the framework's queue, a copy, forward and
/// backward. Times count from 1,700,000,000 s.
inline const std::string kSmallProfile = R"(
CREATE TABLE STRING_IDS (id INTEGER PRIMARY KEY, value TEXT);
INSERT INTO STRING_IDS VALUES (1,'KERNEL_AIVEC'),(2,'MEMCPY_ASYNC'),(3,'aclnnAdd_AddAiCore_Add'),(4,'Add'),
  (5,'AI_VECTOR_CORE'),(6,'"8,16;16"'),(7,'FLOAT;FLOAT'),(8,'ND;ND'),(9,'N/A'),(10,'hcom_allReduce__586_0_1'),
  (11,'hcom_allReduce_'),(12,'group'),(13,'launch'),(14,'aclrtMemcpyAsync'),(15,'SDMA'),(16,'Notify_Wait'),
  (20,'aic_total_time'),(21,'aiv_total_time'),(22,'aiv_vec_ratio'),(23,'aiv_total_cycles'),
  (30,'ProfilerStep#5'),(31,'aten::add'),(32,'AddBackward0'),(33,'Enqueue@aclnnAdd'),(34,'Dequeue@aclnnAdd'),
  (35,'main.py(3): train'),(36,'<string>(1): <module>'),(37,'aclnnAdd'),(38,'8,16;' || char(13,10) || '16'),
  (39,'train.py(1): f'),(40,'Notify Wait');
CREATE TABLE TASK (startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER, globalTaskId INTEGER,
  globalPid INTEGER, taskType INTEGER, contextId INTEGER, streamId INTEGER, taskId INTEGER, modelId INTEGER);
INSERT INTO TASK VALUES
  (1700000000000002000,1700000000000003000,1,101,11,7,1,4294967295,2,61,4294967295),
  (1700000000000000500,1700000000000000900,1,100,10,7,2,4294967295,2,60,4294967295),
  (1700000000000005000,1700000000000005250,1,102,12,7,1,4294967295,2,62,4294967295),
  (1700000000000003500,1700000000000003700,1,103,13,7,40,0,3,63,4294967295);
CREATE TABLE COMPUTE_TASK_INFO (name INTEGER, globalTaskId INTEGER PRIMARY KEY, blockDim INTEGER, mixBlockDim INTEGER,
  taskType INTEGER, opType INTEGER, inputFormats INTEGER, inputDataTypes INTEGER, inputShapes INTEGER,
  outputFormats INTEGER, outputDataTypes INTEGER, outputShapes INTEGER);
INSERT INTO COMPUTE_TASK_INFO VALUES (3,11,40,0,5,4,8,7,6,8,7,6),(3,12,48,0,5,4,9,9,9,9,9,9);
CREATE TABLE TASK_PMU_INFO (globalTaskId INTEGER, name INTEGER, value NUMERIC);
INSERT INTO TASK_PMU_INFO VALUES (11,20,0),(11,21,912.5),(11,22,0.1875),(11,23,99);
CREATE TABLE COMMUNICATION_OP (opName INTEGER, startNs INTEGER, endNs INTEGER, connectionId INTEGER, groupName INTEGER,
  opId INTEGER PRIMARY KEY, relay INTEGER, retry INTEGER, dataType INTEGER, algType INTEGER, count NUMERIC,
  opType INTEGER);
INSERT INTO COMMUNICATION_OP VALUES (10,1700000000000003400,1700000000000004400,103,12,1,0,0,4,9,1,11);
CREATE TABLE COMMUNICATION_TASK_INFO (name INTEGER, globalTaskId INTEGER, taskType INTEGER, planeId INTEGER,
  groupName INTEGER);
INSERT INTO COMMUNICATION_TASK_INFO VALUES (10,13,16,2,12);
CREATE TABLE ENUM_API_TYPE (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO ENUM_API_TYPE VALUES (5500,'hccl'),(10000,'node'),(20000,'acl'),(50001,'op'),(50002,'queue'),(50003,'trace');
CREATE TABLE CANN_API (startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER, connectionId INTEGER PRIMARY KEY,
  name INTEGER);
INSERT INTO CANN_API VALUES (1700000000000000110,1700000000000000150,20000,30064771081,100,14),
  (1700000000000001200,1700000000000001230,10000,30064771081,101,13),
  (1700000000000001300,1700000000000001310,10000,30064771081,102,13),
  (1700000000000001400,1700000000000001420,10000,30064771081,103,13);
CREATE TABLE PYTORCH_API (startNs TEXT, endNs TEXT, globalTid INTEGER, connectionId INTEGER, name INTEGER,
  sequenceNumber INTEGER, fwdThreadId INTEGER, inputDtypes INTEGER, inputShapes INTEGER, callchainId INTEGER,
  type INTEGER);
INSERT INTO PYTORCH_API VALUES
  ('1700000000000000000','1700000000000004000',30064771080,NULL,30,-1,0,NULL,NULL,NULL,50001),
  ('1700000000000001000','1700000000000001500',30064771080,2,31,77,0,NULL,38,0,50001),
  ('1700000000000001010','1700000000000001490',30064771080,3,37,-1,0,NULL,NULL,NULL,50001),
  ('1700000000000001600','1700000000000001700',30064771080,2,32,77,0,NULL,NULL,NULL,50001),
  ('1700000000000001050','1700000000000001060',30064771080,0,33,NULL,NULL,NULL,NULL,NULL,50002),
  ('1700000000000001100','1700000000000001450',30064771081,0,34,NULL,NULL,NULL,NULL,NULL,50002),
  ('1700000000000000100','1700000000000003900',30064771080,NULL,39,NULL,NULL,NULL,NULL,NULL,50003);
CREATE TABLE CONNECTION_IDS (id INTEGER, connectionId INTEGER);
INSERT INTO CONNECTION_IDS VALUES (0,9000),(2,9500),(3,101),(3,102),(3,103);
CREATE TABLE PYTORCH_CALLCHAINS (id INTEGER, stack INTEGER, stackDepth INTEGER);
INSERT INTO PYTORCH_CALLCHAINS VALUES (0,36,1),(0,35,0);
CREATE TABLE STEP_TIME (id INTEGER, startNs INTEGER, endNs INTEGER);
INSERT INTO STEP_TIME VALUES (5,1700000000000000000,1700000000000004000);
CREATE TABLE RANK_DEVICE_MAP (rankId INTEGER, deviceId INTEGER);
INSERT INTO RANK_DEVICE_MAP VALUES (3,1);
CREATE TABLE NPU_INFO (id INTEGER, name TEXT);
INSERT INTO NPU_INFO VALUES (1,'Ascend910B');
CREATE TABLE META_DATA (name TEXT, value TEXT);
INSERT INTO META_DATA VALUES ('SCHEMA_VERSION','1.0.0'),('distributed_args','{"tensor_model_parallel_size": 2}');
CREATE TABLE NIC (deviceId INTEGER);
)";

}  // namespace stepwise::ingest
