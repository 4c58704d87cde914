// Files of one run that do not agree.
#include <filesystem>
#include <string>

#include "core/ingest/database/db_test_files.h"
#include "core/ingest/exports/tables_test_files.h"
#include "core/ingest/ingest.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKernels =
    "Name,Type,Accelerator Core,Start Time(us),Duration(us)\n"
    "add_1,Add,AI_VECTOR_CORE,1700000000000002.000,1\n"
    "hcom_allReduce__586_0_1,hcom_allReduce_,COMMUNICATION,1700000000000003.400,1\n"
    "add_2,Add,AI_VECTOR_CORE,1700000000000005.000,0.25\n";
constexpr const char* kSteps =
    "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble\n"
    "5,10.5,0,0,0,0,10.5,0\n6,11.25,0,0,0,0,11.25,0\n";

struct Run {
  Run() { fs::create_directory(folder.path() / "ASCEND_PROFILER_OUTPUT"); }
  void text(const std::string& name, const std::string& text) const {
    folder.write("ASCEND_PROFILER_OUTPUT/" + name, text);
  }
  void database(const std::string& name, const std::string& sql) const {
    make_database(folder, "ASCEND_PROFILER_OUTPUT/" + name, sql);
  }
  /// What is told of files that differ, all of it.
  std::string told() const {
    const auto layout = discover(folder.path());
    REQUIRE(layout.ok());
    Tables tables;
    CancelFlag cancel;
    ProgressGauge progress;
    REQUIRE(ingest_group(layout.value(), layout.value().ranks.at(0), table::Group::files, cancel, progress, {},
                         tables.builder())
                .ok());
    std::string told;
    for (uint64_t i = 0; i < tables.rows(table::diagnostic::kTable); ++i) {
      const std::string row = tables.row(table::diagnostic::kTable, i, {"code", "count", "text"});
      if (row.starts_with("files.disagree|")) told += row.substr(row.find('|') + 1) + "\n";
    }
    return told;
  }
  TemporaryFolder folder;
};

std::string steps_database(const std::string& rows) {
  return "CREATE TABLE StepTraceTime (step TEXT, computing NUMERIC, communication_not_overlapped NUMERIC, overlapped "
         "NUMERIC, communication NUMERIC, free NUMERIC, stage NUMERIC, bubble NUMERIC);"
         "INSERT INTO StepTraceTime VALUES " +
         rows + ";";
}

}  // namespace

TEST_CASE("operators and their sums: types that are counted differently are told") {
  Run run;
  run.text("kernel_details.csv", kKernels);
  run.text("op_statistic.csv", "OP Type,Core Type,Count,Total Time(us)\nAdd,AI_VECTOR_CORE,2,1.25\n");
  CHECK(run.told().empty());

  run.text("op_statistic.csv",
           "OP Type,Core Type,Count,Total Time(us)\nAdd,AI_VECTOR_CORE,2,1\nAdd,AI_CORE,1,1\nMul,AI_CORE,1,1\n");
  const std::string told = run.told();
  CHECK(told.starts_with("2|"));
  CHECK(told.find("Executions of Add: 2 in ASCEND_PROFILER_OUTPUT/kernel_details.csv, 3 in "
                  "ASCEND_PROFILER_OUTPUT/op_statistic.csv.") != std::string::npos);
}

TEST_CASE("kernels without types are not compared with sums by type") {
  Run run;
  run.text("kernel_details.csv", "Name,Type,Start Time(us),Duration(us)\nadd_1,N/A,1700000000000002.000,1\n");
  run.text("op_statistic.csv", "OP Type,Core Type,Count,Total Time(us)\nAdd,AI_VECTOR_CORE,2,1.25\n");
  CHECK(run.told().empty());
}

TEST_CASE("text and database: another number of operators is told") {
  Run run;
  run.text("kernel_details.csv", kKernels);
  run.database("ascend_pytorch_profiler_0.db", kSmallProfile);
  CHECK(run.told().empty());

  run.text("kernel_details.csv", std::string(kKernels) + "mul,Mul,AI_VECTOR_CORE,1700000000000006.000,1\n");
  CHECK(run.told().find("Operators: 3 in ASCEND_PROFILER_OUTPUT/kernel_details.csv, 2 in "
                        "ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db.") != std::string::npos);
}

TEST_CASE("text and database: steps that differ by more than the text's rounding are told") {
  Run run;
  run.text("step_trace_time.csv", kSteps);
  run.database("analysis.db", steps_database("('5',10.5,0,0,0,0,10.5,0),('6',11.5,0,0,0,0,11.5,0)"));
  CHECK(run.told().empty());  // 0.25 us

  fs::remove(run.folder.path() / "ASCEND_PROFILER_OUTPUT/analysis.db");
  run.database("analysis.db", steps_database("('5',12,0,0,0,0,12,0),('7',1,0,0,0,0,1,0)"));
  const std::string told = run.told();
  CHECK(told.starts_with("2|"));
  CHECK(told.find("Computing of step 5 in ns: 10500 in ASCEND_PROFILER_OUTPUT/step_trace_time.csv, 12000 in "
                  "ASCEND_PROFILER_OUTPUT/analysis.db.") != std::string::npos);

  // Computing alone may agree.
  fs::remove(run.folder.path() / "ASCEND_PROFILER_OUTPUT/analysis.db");
  run.database("analysis.db", steps_database("('5',10.5,0,0,0,2,10.5,0),('6',11.5,0,0,0,0,11.5,0)"));
  CHECK(run.told().find("Free of step 5 in ns: 0 in ASCEND_PROFILER_OUTPUT/step_trace_time.csv, 2000 in ") !=
        std::string::npos);
}

TEST_CASE("text and database: steps of several devices are compared device by device") {
  Run run;
  run.text("step_trace_time.csv",
           "Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble\n"
           "0,5,10.5,0,0,0,0,10.5,0\n1,5,20,0,0,0,0,20,0\n");
  const auto database = [](const std::string& rows) {
    return steps_database("('5',10.5,0,0,0,0,10.5,0)") + "ALTER TABLE StepTraceTime ADD deviceId INTEGER; " + rows;
  };
  run.database("analysis.db", database("UPDATE StepTraceTime SET deviceId = 0; INSERT INTO StepTraceTime VALUES "
                                       "('5',20,0,0,0,0,20,0,1);"));
  CHECK(run.told().empty());

  fs::remove(run.folder.path() / "ASCEND_PROFILER_OUTPUT/analysis.db");
  run.database("analysis.db", database("UPDATE StepTraceTime SET deviceId = 1;"));
  CHECK(run.told().starts_with("1|"));
}

TEST_CASE("text and database: another number of communication operations is told") {
  Run run;
  const std::string times =
      R"x({"Communication Time Info": {"Start Timestamp(us)": 1, "Elapse Time(ms)": 1, "Transit Time(ms)": 1, )x"
      R"x("Wait Time(ms)": 0, "Synchronization Time(ms)": 0, "Idle Time(ms)": 0}})x";
  run.text("communication.json", R"x({"step5": {"collective": {"hcom_allReduce__1_0_1@2": )x" + times +
                                     R"x(, "Total Op Info": )x" + times + "}}}");
  const std::string table =
      "CREATE TABLE CommAnalyzerTime (hccl_op_name TEXT); INSERT INTO CommAnalyzerTime VALUES ('Total Op Info'),"
      "('hcom_allReduce__1_0_1')";
  run.database("analysis.db", table + ";");
  CHECK(run.told().empty());
  fs::remove(run.folder.path() / "ASCEND_PROFILER_OUTPUT/analysis.db");
  run.database("analysis.db", table + ",('hcom_allReduce__1_1_1');");
  CHECK(run.told().find("Communication operations: 1 in ASCEND_PROFILER_OUTPUT/communication.json, 2 in "
                        "ASCEND_PROFILER_OUTPUT/analysis.db.") != std::string::npos);
}

}  // namespace stepwise::ingest
