// Which of several exports of msprof is read, and what is said of the others.
#include "core/ingest/discovery/msprof_choice.h"

#include "core/ingest/discovery/format_detect.h"
#include "core/ingest/discovery/layout_test_tree.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

/// The names that are read, joined by ' '.
std::string chosen(const std::vector<ExportFile>& files) {
  const std::vector<ExportChoice> choices = choose_export(files);
  REQUIRE(choices.size() == files.size());
  std::string out;
  for (size_t i = 0; i < files.size(); ++i) {
    CHECK(choices[i].is_read == choices[i].why_not.empty());
    if (choices[i].is_read) out += (out.empty() ? "" : " ") + files[i].path;
  }
  return out;
}

std::string why_not(const std::vector<ExportFile>& files, size_t file) { return choose_export(files)[file].why_not; }

TEST_CASE("export_name takes time and slice out of a name") {
  CHECK(export_name("op_summary_20260823165358.csv").time == "20260823165358");
  CHECK_FALSE(export_name("op_summary_20260823165358.csv").slice.has_value());
  CHECK(export_name("a/op_summary_slice_12_20260823165358.csv.gz").slice == 12u);
  CHECK(export_name("a/op_summary_slice_12_20260823165358.csv.gz").time == "20260823165358");
  CHECK(export_name("a/op_summary_slice_1_20260823165358.csv.gz").key == "a/op_summary_slice_*_20260823165358.csv");
  CHECK(export_name("a/op_summary_slice_0_20260823165358.csv").key !=
        export_name("b/op_summary_slice_0_20260823165358.csv").key);
  CHECK(export_name("op_summary_slice_0_20260823165358.csv").key != export_name("op_summary_20260823165358.csv").key);
  // Names of older exporters, and nonsense.
  CHECK(export_name("op_summary_0_1_1.csv").time == "");
  CHECK(export_name("20260823165358/op_summary_0.csv").time == "");
  CHECK_FALSE(export_name("op_summary_slice__1.csv").slice.has_value());
  CHECK_FALSE(export_name("op_summary_slice_10000_1.csv").slice.has_value());
}

TEST_CASE("missing_slices are those below the last one") {
  CHECK(missing_slices({"x_20260823165358.csv"}).empty());
  CHECK(missing_slices({"x_slice_1_2.csv", "x_slice_0_2.csv"}).empty());
  CHECK(missing_slices({"x_slice_3_2.csv", "x_slice_1_2.csv"}) == std::vector<uint32_t>{0, 2});
  CHECK(missing_slices({"x_slice_0_2.csv"}) == std::vector<uint32_t>{1});
}

TEST_CASE("Slices of one export are read together") {
  const ExportFile first{"x_slice_0_20260823165358.csv", true, 9, 5};
  const ExportFile second{"x_slice_1_20260823165358.csv", true, 1, 5};
  const ExportFile whole{"x_20260823165300.csv", true, 100, 50};
  CHECK(chosen({first, second}) == first.path + " " + second.path);
  CHECK(chosen({first, whole, second}) == first.path + " " + second.path);
  // A whole table that is older goes before slices of which one is missing.
  CHECK(chosen({second, whole}) == whole.path);
  CHECK(why_not({second, whole}, 0) == whole.path + " is read instead: this one lacks 1 of its slices");
  CHECK(chosen({second}) == second.path);
}

TEST_CASE("Of several exports the last complete one is read") {
  const ExportFile old{"x_20260823165300.csv", true, 100, 50}, late{"x_20260823165301.csv", true, 9, 5};
  CHECK(chosen({old, late}) == late.path);
  CHECK(why_not({old, late}, 0) == late.path + " is read instead: it was exported later, though this one holds more");
  CHECK(choose_export({old, late})[0].rows_lost == 91);
  CHECK(why_not({{"x_20260823165300.csv", true, 9, 5}, late}, 0) ==
        late.path + " is read instead: it was exported later");
  const ExportFile empty{"x_20260823165302.csv", true, 0, 5}, nameless{"x_20260823165303.csv", false, 70, 5};
  CHECK(chosen({old, empty, nameless, late}) == late.path);
  CHECK(why_not({empty, late}, 0) == late.path + " is read instead: this one has no rows");
  CHECK(why_not({late, nameless}, 1) == late.path + " is read instead: this one does not name its rows");
  CHECK(chosen({empty}) == empty.path);
  CHECK(chosen({}) == "");
}

TEST_CASE("Where names say no time, rows, columns and names decide") {
  const ExportFile few{"a/x_0_1_1.csv", true, 3, 9}, many{"a/x_0_1_2.csv", true, 5, 5},
      wide{"a/x_0_1_3.csv", true, 5, 6};
  CHECK(chosen({few, many}) == many.path);
  CHECK(why_not({few, many}, 0) == "x_0_1_2.csv is read instead: it has 5 rows, this one 3");
  CHECK(chosen({few, many, wide}) == wide.path);
  CHECK(why_not({many, wide}, 0) == "x_0_1_3.csv is read instead: it has 6 columns, this one 5");
  const ExportFile twin{"a/x_0_1_4.csv", true, 5, 6};
  CHECK(chosen({twin, wide}) == wide.path);
  CHECK(why_not({twin, wide}, 0) ==
        "x_0_1_3.csv is read instead: it has as many rows and columns, and comes first by name");
}

TEST_CASE("A file that is there twice is read inflated") {
  const ExportFile plain{"x_20260823165300.csv", true, 3, 9}, packed{"x_20260823165300.csv.gz", true, 3, 9};
  CHECK(chosen({packed, plain}) == plain.path);
  CHECK(why_not({packed, plain}, 0) == plain.path + " is read instead: it is the same, not compressed");
}

TEST_CASE("choose_exports looks into files and marks those that are not read") {
  const TemporaryFolder folder;
  const auto source = [&folder](const std::string& path, FileKind kind, std::string_view text) {
    folder.write(path, text);
    SourceFile file;
    file.path = path;
    file.kind = kind;
    file.state = FileState::usable;
    file.bytes = text.size();
    return file;
  };
  const FileKind summary = FileKind::op_summary, timeline = FileKind::msprof_trace, other = FileKind::kernel_details;
  std::vector<SourceFile> files{
      source("op_summary_20260823165300.csv", summary, "Device_id,Op Name\n0,a\n0,b\n"),
      source("op_summary_20260823165300_no_op_name.csv", summary, "Device_id,Model ID,x\n0,1,2\n0,1,2\n0,1,2\n"),
      source("op_summary_20260823165300_output_.csv", summary, "\"Device_id\",\"Op Name\"\n0,a\n0,b\n0,c"),
      source("op_summary_20260823165301.csv", summary, "Device_id,Op Name\n"),
      source("msprof_slice_0_20260823165300.json", timeline, "[]"),
      source("msprof_slice_1_20260823165300.json", timeline, "[]"),
      source("kernel_details.csv", other, "x\n"),
  };
  Remarks remarks;
  choose_exports(folder.path(), files, remarks);
  CHECK(remarks.list().empty());
  std::string read;
  for (const SourceFile& file : files) {
    CHECK((file.state == FileState::usable) == file.why_not.empty());
    if (file.state == FileState::usable) read += file.path + " ";
  }
  CHECK(read ==
        "op_summary_20260823165300_output_.csv msprof_slice_0_20260823165300.json msprof_slice_1_20260823165300.json "
        "kernel_details.csv ");
  CHECK(files[0].why_not == "op_summary_20260823165300_output_.csv is read instead: it has 3 rows, this one 2");
  CHECK(files[1].why_not == "op_summary_20260823165300_output_.csv is read instead: this one does not name its rows");
}

TEST_CASE("An exported recording whose files were renamed is read, or said to be renamed, never to lack its export") {
  const std::string output = "PROF_1/mindstudio_profiler_output/";
  for (const char* const name : {"op_summary.csv", "my_op_summary_20250101000000.csv", "op_summary_a.csv",
                                 "node0_op_summary.csv.gz", "x_op_summary_slice_0_20250101000000.csv"}) {
    INFO(name);
    CHECK(kind_of_name(name) == FileKind::op_summary);
  }
  for (const char* const name : {"op_summary.txt", "opsummary.csv", "op_summary", "op_summar.csv"}) {
    CHECK(kind_of_name(name) == FileKind::not_understood);
  }
  Tree named, unknown;
  named.file(output + "my_op_summary_20250101000000.csv", "Op Name\na\n");
  CHECK(ranks_of(named.path()) == "0 PROF_1");
  unknown.file(output + "operators.csv", "Op Name\na\n");
  const std::string error = error_of(unknown.path());
  CHECK(contains(error, "exported recording of whose files none has a name that is known (PROF_1)"));
  CHECK_FALSE(contains(error, "--export=on"));
}

TEST_CASE("An export that is left out though it holds more is told with its loss, once for all its slices") {
  Tree tree;
  const std::string output = "PROF_1/mindstudio_profiler_output/";
  tree.file(output + "op_summary_slice_0_20250101000000.csv", "Op Name\na\nb\n")
      .file(output + "op_summary_slice_1_20250101000000.csv", "Op Name\nc\n")
      .file(output + "op_summary_20250101000001.csv", "Op Name\na\n")
      .file(output + "op_statistic_20250101000000.csv", "OP Type\na\n")
      .file(output + "op_statistic_20250101000001.csv", "OP Type\na\n");
  const auto layout = discover(tree.path());
  REQUIRE(layout.ok());
  REQUIRE(layout.value().remarks.size() == 1);
  CHECK(layout.value().remarks[0].code == "profile.larger_export");
  CHECK(contains(layout.value().remarks[0].text,
                 " First: " + output + "op_summary_slice_0_20250101000000.csv has 3 rows, what is read 1."));
}

}  // namespace
}  // namespace stepwise::ingest
