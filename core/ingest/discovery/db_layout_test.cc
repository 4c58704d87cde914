// Runs that have databases: beside text files or alone, empty, of unknown rank.
#include <string>

#include "core/ingest/database/db_test_files.h"
#include "core/ingest/discovery/layout.h"

namespace stepwise::ingest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSteps =
    "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble\n1,1,2,3,4,5,6,7\n";
constexpr const char* kTables = "CREATE TABLE TASK (startNs INTEGER, endNs INTEGER);";

struct Run {
  explicit Run(const std::string& name, const fs::path& output_folder = "ASCEND_PROFILER_OUTPUT")
      : output(output_folder), root(folder.path() / name) {
    fs::create_directories(root / output);
  }
  Run& database(const std::string& name, const std::string& sql = kTables) {
    make_database(folder, fs::relative(root / output / name, folder.path()).string(), sql);
    return *this;
  }
  Run& text(const std::string& name, std::string_view content = kSteps) {
    folder.write(fs::relative(root / name, folder.path()).string(), content);
    return *this;
  }
  ProfileLayout layout() const {
    auto found = discover(root);
    INFO((found.ok() ? "" : to_text(found.error())));
    REQUIRE(found.ok());
    return std::move(found).value();
  }
  /// "usable", or why it is not.
  std::string state_of(const std::string& name) const {
    const ProfileLayout found = layout();
    for (const SourceFile& file : found.ranks.at(0).files) {
      if (file.path.ends_with(name)) return file.state == FileState::usable ? "usable" : file.why_not;
    }
    return "not there";
  }
  TemporaryFolder folder;
  fs::path output, root;
};

}  // namespace

TEST_CASE("db layout: a run with databases alone opens; its rank is the database's") {
  Run run("a_ascend_pt");
  run.database("ascend_pytorch_profiler_5.db").database("analysis.db");
  CHECK(run.layout().kind == ProfileKind::torch_npu);
  CHECK(run.layout().ranks.at(0).rank == 5);
  CHECK(run.state_of("analysis.db") == "usable");
  CHECK(could_have(run.layout(), run.layout().ranks[0], "host_op"));
  CHECK(could_have(run.layout(), run.layout().ranks[0], "step"));
  run.database("ascend_pytorch_profiler_5.db",
               "CREATE TABLE RANK_DEVICE_MAP (rankId, deviceId); INSERT INTO RANK_DEVICE_MAP VALUES (6, 1);");
  CHECK(run.layout().ranks.at(0).rank == 6);
  run.text("profiler_info_7.json", "{}");
  CHECK(run.layout().ranks.at(0).rank == 7);
}

TEST_CASE("db layout: text files of the same run are read instead") {
  Run run("a_ascend_pt");
  run.database("ascend_pytorch_profiler.db").database("analysis.db");
  const std::string output = "ASCEND_PROFILER_OUTPUT/";
  run.text(output + "step_trace_time.csv");
  CHECK(run.state_of("analysis.db") == "usable");  // for the communication
  run.text(output + "communication.json", "{}").text(output + "communication_matrix.json", "{}");
  CHECK(run.state_of("analysis.db") == "the text files of the same run are read instead");
  CHECK(run.state_of("profiler.db") == "usable");
  for (const char* name : {"kernel_details.csv", "op_statistic.csv", "api_statistic.csv"}) run.text(output + name);
  run.text(output + "trace_view.json", "[]").text("profiler_info.json", "{}");
  CHECK(run.state_of("profiler.db") == "the text files of the same run are read instead");
}

TEST_CASE("db layout: databases without tables, and what is none") {
  Run run("a_ascend_pt");
  run.text("ASCEND_PROFILER_OUTPUT/step_trace_time.csv");
  run.database("ascend_pytorch_profiler.db", "CREATE TABLE x (a); DROP TABLE x;");
  run.text("ASCEND_PROFILER_OUTPUT/analysis.db", "0123456789 is no database");
  CHECK(run.state_of("profiler.db") == "it is a database without tables");
  CHECK(run.state_of("analysis.db") == "it is no SQLite database");
  Run other("b_ascend_pt");
  other.text("ASCEND_PROFILER_OUTPUT/step_trace_time.csv").database("analysis.db", "CREATE TABLE users (name TEXT);");
  CHECK(other.state_of("analysis.db") == "it has none of a profiler's tables");
}

TEST_CASE("db layout: msprof's database alone, in its recording or loose") {
  Run run("PROF_000001_20260823_ABC", "");
  fs::create_directories(run.root / "host");
  fs::create_directories(run.root / "device_2");
  run.text("device_2/info.json.2", "{}");
  run.database("msprof_20260823165358.db").database("msprof_20260823170000.db");
  CHECK(run.layout().kind == ProfileKind::msprof);
  CHECK(run.layout().ranks.at(0).rank == 2);
  CHECK(run.state_of("165358.db") == "msprof_20260823170000.db is read instead");
  CHECK(run.state_of("170000.db") == "usable");

  Run loose("somewhere", "");
  loose.database("msprof_0.db");
  CHECK(loose.layout().kind == ProfileKind::msprof);
}

}  // namespace stepwise::ingest
