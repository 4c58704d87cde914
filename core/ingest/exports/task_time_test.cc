// task_time_*.csv: what the device's scheduler says of kernels, where nothing else does.
#include <string>

#include "core/ingest/base/readers.h"
#include "core/ingest/discovery/layout_test_tree.h"
#include "core/ingest/exports/tables_test_files.h"
#include "core/ingest/ingest_group_test_read.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

using Losses = std::vector<std::string>;

const table::TableDecl& kKernel = table::kernel::kTable;

constexpr const char* kHeader =
    "Device_id,kernel_name,kernel_type,stream_id,task_id,task_time(us),task_start(us),task_stop(us)\n";
constexpr const char* kRow =
    "0,OnesLike_1c4543fdfe7149b6b0717bd88f061562_high_performance_210000000,AI_VECTOR_CORE,46,3,4.540,"
    "1787504100027457.170\t,1787504100027461.710\t\n";

std::string file_of(const std::string& name, const std::string& type = "AI_CORE", const std::string& time = "2",
                    const std::string& start = "1700000000000001.000\t", const std::string& ids = "46,3") {
  return std::string(kHeader) + "0," + name + "," + type + "," + ids + "," + time + "," + start + ",17\n";
}

std::string why_not(const ProfileLayout& layout, FileKind kind) {
  for (const SourceFile& file : layout.ranks.at(0).files) {
    if (file.kind == kind) return file.state == FileState::usable ? "read" : file.why_not;
  }
  return "not there";
}

}  // namespace

TEST_CASE("task_time: every column, the type out of the binary's name, and tasks that are no kernels") {
  Tables tables = read_text(
      read_task_time, std::string(kHeader) + "0,N/A,PROFILING_ENABLE,49,3,0.020,1787504099875068.765\t,17\t\n" + kRow +
                          "1,hcom_allReduce__1_0,COMMUNICATION,N/A,N/A,9,1787504100027470\t,17\t\n");
  REQUIRE(tables.rows(kKernel) == 2);
  CHECK(tables.row(kKernel, 0,
                   {"name", "op_type", "core_type", "class", "device", "stream", "task_id", "start_ns", "dur_ns",
                    "wait_ns", "step", "src_pos"}) ==
        "OnesLike_1c4543fdfe7149b6b0717bd88f061562_high_performance_210000000|OnesLike|AI_VECTOR_CORE|compute|0|46|3|"
        "1787504100027457170|4540|null|null|2");
  CHECK(tables.row(kKernel, 1, {"name", "op_type", "class", "stream", "task_id", "device"}) ==
        "hcom_allReduce__1_0|null|communication|null|null|1");
  CHECK(tables.losses().empty());
}

TEST_CASE("task_time: types stand before a hash of 32 digits, and nowhere else") {
  const std::string hash = "0123456789abcdef0123456789abcdef";
  const auto type_of = [](const std::string& name) {
    return read_text(read_task_time, file_of(name)).row(kKernel, 0, {"op_type"});
  };
  CHECK(type_of("MatMulV2_" + hash) == "MatMulV2");
  CHECK(type_of("Transpose_Data_" + hash + "_1") == "Transpose_Data");
  for (const std::string& name : {std::string("triton_poi_fused_add_0"), "Add_" + hash + "0_1", "Add_" + hash.substr(1),
                                  "_" + hash, "Add_" + hash + "x", hash, std::string("Add_")}) {
    INFO(name);
    CHECK(type_of(name) == "null");
  }
}

TEST_CASE("task_time: cells of another type, times of a spreadsheet, and what makes no table") {
  CHECK(read_text(read_task_time, file_of("a", "AI_CORE", "x")).losses() ==
        Losses{"csv.no_rows 1", "csv.bad_cell 1 @2"});
  CHECK(read_text(read_task_time, file_of("a", "AI_CORE", "-1")).losses() ==
        Losses{"csv.no_rows 1", "csv.bad_cell 1 @2"});
  CHECK(read_text(read_task_time, file_of("a", "AI_CORE", "1", "soon")).losses() ==
        Losses{"csv.no_rows 1", "csv.bad_cell 1 @2"});
  CHECK(read_text(read_task_time, file_of("a", "AI_CORE", "1", "1.7875E+15")).losses() ==
        Losses{"csv.no_rows 1", "csv.timestamp_destroyed 1 @2"});
  CHECK(read_text(read_task_time, file_of("a", "AI_CORE", "1", "17", "x,3")).losses() ==
        Losses{"csv.no_rows 1", "csv.bad_cell 1 @2"});
  CHECK(read_text(read_task_time, file_of("a", "AI_CORE", "1", "17", "3,x")).losses() ==
        Losses{"csv.no_rows 1", "csv.bad_cell 1 @2"});
  CHECK(read_text(read_task_time, file_of("N/A")).losses() == Losses{"csv.no_rows 1"});
  CHECK(read_text(read_task_time, "kernel_name,stream_id\na,1\n").losses() == Losses{"csv.no_header 1 @1"});
  CHECK(read_text(read_task_time, "").losses() == Losses{"file.empty 1"});
  Tables bytes = read_text(read_task_time, file_of("a\xff\"\r"));
  CHECK(bytes.rows(kKernel) + bytes.losses().size() > 0);
}

TEST_CASE("task_time: read only where nothing else tells of kernels, and told why not") {
  const std::string summary =
      "Op Name,OP Type,Task Type,Task Start Time(us),Task Duration(us)\nAdd1,Add,AI_CORE,1700000000000001.000\t,2\n";
  const std::string output = "PROF_1/mindstudio_profiler_output/";
  Tree with, without, torch;
  with.file(output + "op_summary_20250101000000.csv", summary)
      .file(output + "task_time_20250101000000.csv", file_of("Add"));
  without.file(output + "task_time_20250101000000.csv", file_of("Old"))
      .file(output + "task_time_slice_0_20250101000007.csv", file_of("Add"))
      .file(output + "task_time_slice_1_20250101000007.csv", file_of("Mul"));
  torch.file("r_ascend_pt/ASCEND_PROFILER_OUTPUT/task_time.csv", file_of("Add"));

  const auto read = [](const Tree& tree) {
    const auto layout = discover(tree.path());
    REQUIRE(layout.ok());
    Tables tables = read_files_group(layout.value());
    std::string names = why_not(layout.value(), FileKind::task_time);
    CHECK(could_have(layout.value(), layout.value().ranks[0], "kernel"));
    for (uint64_t i = 0; i < tables.rows(kKernel); ++i) names += "; " + tables.row(kKernel, i, {"name"});
    CHECK(tables.losses().empty());
    return names;
  };
  CHECK(read(with) == output + "op_summary_20250101000000.csv says more of the same tasks; Add1");
  CHECK(read(without) == "task_time_slice_0_20250101000007.csv is read instead: it was exported later; Add; Mul");
  CHECK(read(torch) == "read; Add");
}

}  // namespace stepwise::ingest
