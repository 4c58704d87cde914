// ai_core_utilization_*.csv: figures of cores in the table meta.
#include <string>
#include <vector>

#include "core/ingest/base/readers.h"
#include "core/ingest/discovery/layout_test_tree.h"
#include "core/ingest/exports/tables_test_files.h"
#include "core/ingest/ingest_group_test_read.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

using Lines = std::vector<std::string>;

const table::TableDecl& kMeta = table::meta::kTable;

constexpr const char* kFile =
    "Device_id,Core ID,mac_ratio,scalar_ratio\n0,Core0,0.008,0.48\n0,Core12,N/A,0.5\n0,Average,0.007,0.447\n";

Lines figures(Tables& tables) {
  Lines lines;
  for (uint64_t i = 0; i < tables.rows(kMeta); ++i) lines.push_back(tables.row(kMeta, i, {"key", "value"}));
  return lines;
}

Lines figures(const std::string& text) {
  Tables tables = read_text(read_core_utilization, text);
  return figures(tables);
}

Lines losses(const std::string& text) { return read_text(read_core_utilization, text).losses(); }

}  // namespace

TEST_CASE("core utilization: one figure for each core and counter, as the file has it") {
  Tables tables = read_text(read_core_utilization, kFile);
  CHECK(figures(tables) ==
        Lines{"ai_core_utilization.0.Core0.mac_ratio|0.008", "ai_core_utilization.0.Core0.scalar_ratio|0.48",
              "ai_core_utilization.0.Core12.scalar_ratio|0.5", "ai_core_utilization.0.Average.mac_ratio|0.007",
              "ai_core_utilization.0.Average.scalar_ratio|0.447"});
  CHECK(tables.row(kMeta, 0, {"file"}) == "file");
  CHECK(tables.losses().empty());
  CHECK(tables.rows(table::diagnostic::kTable) == 0);  // nor columns that nobody read
  CHECK(figures("Core ID,vec_ratio\r\nCore1,0.25\r\n") == Lines{"ai_core_utilization.Core1.vec_ratio|0.25"});
}

TEST_CASE("core utilization: what is no figure, no core or no header is told") {
  CHECK(losses("Device_id,Core ID,a\n0,Core0,x\n0,Core1,1\n") == Lines{"csv.bad_cell 1 @2"});
  CHECK(losses("Device_id,Core ID,a\n0,,1\n0,Core1,1\n") == Lines{"csv.bad_cell 1 @2"});
  CHECK(losses("Device_id,Core ID,a\n0," + std::string(257, 'c') + ",1\n0,Core1,1\n") == Lines{"csv.bad_cell 1 @2"});
  CHECK(losses("Device_id,Core ID,a\n0,Core0,nan\n0,Core1,1e999\n0,Core2,1\n") == Lines{"csv.bad_cell 2 @2"});
  CHECK(losses("Device_id,Core ID,a\n0,Core0\n0,Core1,1\n") == Lines{"csv.ragged_record 1 @2"});
  CHECK(losses("Device_id,Core,a\n0,Core0,1\n") == Lines{"csv.no_header 1 @1"});
  CHECK(losses("Device_id,Core ID,a,a\n0,Core0,1,2\n") == Lines{"csv.duplicate_column 1 @1"});
  CHECK(losses("Device_id,Core ID,a\n") == Lines{"csv.no_rows 1"});
  CHECK(losses("Device_id,Core ID,a\n0,Core0,N/A\n") == Lines{"csv.no_rows 1"});
  CHECK(losses("") == Lines{"file.empty 1"});
  CHECK(figures("Device_id,Core ID,a\xff\n0,C\xff,1\n") ==
        Lines{"ai_core_utilization.0.C\xEF\xBF\xBD.a\xEF\xBF\xBD|1"});
  CHECK(losses("Device_id,Core ID,a\xff\n0,C,1\n") == Lines{"text.not_utf8 1"});
}

TEST_CASE("core utilization: more figures than any chip has are told") {
  std::string wide = "Core ID", row;
  for (int i = 0; i < 256; ++i) {
    wide += ",c" + std::to_string(i);
    row += ",1";
  }
  std::string text = wide + "\n";
  for (int i = 0; i < 257; ++i) text += "C" + std::to_string(i) + row + "\n";
  Tables tables = read_text(read_core_utilization, text);
  CHECK(tables.rows(kMeta) == 65'536);
  CHECK(tables.losses() == Lines{"csv.bad_cell 256 @258"});
}

TEST_CASE("core utilization: cut anywhere, and told; in chunks of any size the same") {
  const std::string text = kFile;
  const std::string whole = read_text(read_core_utilization, text).dump();
  for (size_t chunk = 1; chunk <= text.size() + 1; ++chunk) {
    CHECK(read_text(read_core_utilization, text, chunk).dump() == whole);
  }
  for (size_t length = 0; length < text.size(); ++length) {
    INFO(length);
    const bool at_row_end = length > 0 && text[length - 1] == '\n';
    Tables tables = read_text(read_core_utilization, text.substr(0, length));
    if (!at_row_end || tables.rows(kMeta) == 0) CHECK_FALSE(tables.losses().empty());
    for (const std::string& one : figures(tables)) {
      if (at_row_end) CHECK(whole.find(one) != std::string::npos);
    }
  }
}

TEST_CASE("core utilization: of several exports the last; a recording of nothing else can be opened") {
  Tree tree;
  const std::string output = "PROF_1/mindstudio_profiler_output/";
  tree.file(output + "ai_core_utilization_20250101000000.csv", kFile)
      .file(output + "ai_core_utilization_20250101000009.csv", kFile)
      .file(output + "ai_vector_core_utilization_20250101000009.csv", "Device_id,Core ID,vec_ratio\n0,Core0,0.5\n");
  const auto layout = discover(tree.path());
  REQUIRE(layout.ok());
  CHECK(layout.value().kind == ProfileKind::msprof);
  Tables tables = read_files_group(layout.value());
  CHECK(tables.rows(kMeta) == 6);
  CHECK(tables.row(kMeta, 0, {"file"}) == output + "ai_core_utilization_20250101000009.csv");
  CHECK(tables.row(kMeta, 5, {"key", "value"}) == "ai_vector_core_utilization.0.Core0.vec_ratio|0.5");
  CHECK(could_have(layout.value(), layout.value().ranks[0], "meta"));
}

}  // namespace stepwise::ingest
