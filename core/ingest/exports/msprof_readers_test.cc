// msprof's tables: header variants, slices, iterations, and what it says about hosts and devices.
#include <string>

#include "core/ingest/base/readers.h"
#include "core/ingest/exports/tables_test_files.h"
#include "core/ingest/ingest.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

using Losses = std::vector<std::string>;

const table::TableDecl &kKernel = table::kernel::kTable, &kStep = table::step::kTable;

Tables op_summary(const std::string& text) { return read_text(read_op_summary, text); }

/// A rank with these files, as discovery would give them.
class Rank {
 public:
  Rank& file(const std::string& path, FileKind kind, std::string_view text, FileState state = FileState::usable) {
    folder_.write(path, text);
    SourceFile file;
    file.path = path;
    file.kind = kind;
    file.state = state;
    file.bytes = text.size();
    rank_.files.push_back(file);
    return *this;
  }
  Tables ingest(table::Group group = table::Group::files) const {
    ProfileLayout layout;
    layout.kind = ProfileKind::msprof;
    layout.root = folder_.path();
    Tables tables;
    CancelFlag cancel;
    ProgressGauge progress;
    REQUIRE(ingest_group(layout, rank_, group, cancel, progress, {}, tables.builder()).ok());
    CHECK(progress.get().done == progress.get().total);
    return tables;
  }

 private:
  TemporaryFolder folder_;
  RankLayout rank_;
};

}  // namespace

TEST_CASE("op_summary: every column of a row, as of 2026") {
  Tables tables = op_summary(
      "Device_id,Model ID,Task ID,Stream ID,Op Name,OP Type,OP State,Task Type,Task Start Time(us),Task Duration(us),"
      "Task Wait Time(us),Block Num,Mix Block Num,HF32 Eligible,Input Shapes,Input Data Types,Input Formats,"
      "Output Shapes,Output Data Types,Output Formats,Context ID,aicore_time(us),aic_total_cycles,aic_mac_time(us),"
      "aic_mac_ratio,aic_scalar_ratio,aic_mte1_ratio,aic_mte2_ratio,aic_fixpipe_ratio,aiv_time(us),aiv_vec_ratio,"
      "aiv_scalar_ratio,aiv_mte2_ratio,aiv_mte3_ratio,cube_utilization(%)\n"
      "1,4294967295,2,46,aclnnAdd_AddAiCore_Add,Add,dynamic,MIX_AIC,1787504077029840.603\t,26.721,13258.720000,20,0,NO,"
      "\"\"\"512,16;;8\"\"\",DT_BF16;FLOAT;INT64,ND;ND;ND,\"\"\"512,2048\"\"\",DT_BF16,ND,0,21.83,785886,1.5,0.25,0.5,"
      "0.125,0.75,0.0625,3.5,0.1,0.2,0.3,0.4,12.5\n");
  REQUIRE(tables.rows(kKernel) == 1);
  CHECK(tables.row(kKernel, 0,
                   {"step", "device", "model_id", "task_id", "stream", "name", "op_type", "op_state", "core_type",
                    "class", "start_ns", "dur_ns", "wait_ns", "block_dim", "hf32"}) ==
        "null|1|4294967295|2|46|aclnnAdd_AddAiCore_Add|Add|dynamic|MIX_AIC|compute|1787504077029840603|26721|13258720|"
        "20|NO");
  CHECK(tables.row(kKernel, 0,
                   {"input_shapes", "input_dtypes", "input_formats", "output_shapes", "output_dtypes", "output_formats",
                    "aic_time_ns", "aiv_time_ns", "aic_mac_ratio", "aic_scalar_ratio", "aic_mte1_ratio",
                    "aic_mte2_ratio", "aic_fixpipe_ratio", "aiv_vec_ratio", "aiv_scalar_ratio", "aiv_mte2_ratio",
                    "aiv_mte3_ratio", "cube_utilization_ratio", "src_pos"}) ==
        "512,16;;8|DT_BF16;FLOAT;INT64|ND;ND;ND|512,2048|DT_BF16|ND|21830|3500|0.25|0.5|0.125|0.75|0.0625|0.1|0.2|0.3|"
        "0.4|0.125|1");
  CHECK(tables.losses().empty());
}

TEST_CASE("op_summary: header variants") {
  // Of a graph: Model Name and Infer ID; 4294967295 is no inference.
  Tables graph = op_summary(
      "Device_id,Model Name,Model ID,Task ID,Stream ID,Infer ID,Op Name,OP Type,Task Type,Task Start Time(us),"
      "Task Duration(us),Task Wait Time(us),Block Dim\n"
      "0,ctr,1,3,5,7,MatMulV2_1,MatMulV2,AI_CORE,1700000000000001.000\t,2,0,24\n"
      "0,ctr,1,3,5,4294967295,MatMulV2_1,MatMulV2,AI_CORE,1700000000000003.000\t,2,0,24\n"
      "0,ctr,1,N/A,N/A,N/A,hcom_allReduce__1,hcom_allReduce_,HCCL,1700000000000005.000\t,2,0,0\n");
  REQUIRE(graph.rows(kKernel) == 3);
  CHECK(graph.row(kKernel, 0, {"step", "model_id", "name", "block_dim", "class"}) == "7|1|MatMulV2_1|24|compute");
  CHECK(graph.row(kKernel, 1, {"step"}) == "null");
  CHECK(graph.row(kKernel, 2, {"step", "task_id", "class"}) == "null|null|communication");
  // A chip with one kind of core.
  Tables single = op_summary(
      "Model Name,Model ID,Task ID,Stream ID,Infer ID,Op Name,OP Type,Task Type,Task Start Time(us),Task Duration(us),"
      "Task Wait Time(us),Block Dim,aicore_time(us),total_cycles,mac_time(us),mac_ratio,scalar_ratio,mte1_ratio,"
      "mte2_ratio,mte3_ratio,vec_ratio,icache_miss_rate,memory_bound\n"
      "ctr,1,3,5,1,x,Conv2D,AI_CORE,17,2,0,2,1.5,100,1,0.5,0.1,0.2,0.3,0.4,0.25,0,0\n");
  CHECK(single.row(kKernel, 0,
                   {"aic_time_ns", "aic_mac_ratio", "aic_scalar_ratio", "aic_mte1_ratio", "aic_mte2_ratio",
                    "aiv_mte3_ratio", "aiv_vec_ratio", "device"}) == "1500|0.5|0.1|0.2|0.3|0.4|0.25|null");
  // Level 0: no types, no shapes.
  Tables level0 = op_summary(
      "Device_id,Model ID,Task ID,Stream ID,Op Name,OP Type,Task Type,Task Start Time(us),Task Duration(us),"
      "Task Wait Time(us),Block Num,Input Shapes\n"
      "0,4294967295,1,2,hcom_allGather__1_0,N/A,N/A,17.5\t,2,0,0,N/A\n0,4294967295,1,2,Add1,N/A,N/A,27.5\t,2,0,0,N/"
      "A\n");
  CHECK(level0.row(kKernel, 0, {"class", "op_type", "core_type", "input_shapes", "start_ns"}) ==
        "communication|null|null|null|17500");
  CHECK(level0.row(kKernel, 1, {"class"}) == "compute");
  // What a fixture of 2023 calls otherwise.
  Tables old = op_summary(
      "Step Id,Model ID,Task ID,Stream ID,Op Name,OP Type,Task Type,Start Time(us),Task Duration(us),"
      "Task Wait Time(us),Block "
      "Dim\n2,4294967295,2451,16,ZerosLike,ZerosLike,AI_CORE,1695115378713661,496.8508,0,48\n");
  CHECK(old.row(kKernel, 0, {"step", "start_ns", "dur_ns"}) == "2|1695115378713661000|496851");
  CHECK(op_summary("Op Name,OP Type\nx,y\n").losses() == Losses{"csv.no_header 1 @1"});
}

TEST_CASE("op_summary: slices are one table, whatever the order of their columns") {
  const std::string a = "op_summary_slice_0_20260823165358.csv", b = "op_summary_slice_1_20260823165358.csv",
                    k = "op_summary_slice_10_20260823165358.csv";
  const FileKind kind = FileKind::op_summary;
  Tables tables = Rank()
                      .file(a, kind,
                            "Device_id,Op Name,Task Start Time(us),Task Duration(us),Task Wait Time(us)\n"
                            "0,first,10,1,5\n0,bad,x,1,5\n0,third,30,1,N/A\n")
                      .file(k, kind, "Op Name,Task Start Time(us),Task Duration(us)\nlast,40,1\n")
                      .file(b, kind, "Task Duration(us),Op Name,Task Start Time(us)\n1,early,20\n1,cut")
                      .ingest();
  REQUIRE(tables.rows(kKernel) == 4);
  std::string all;
  for (uint64_t i = 0; i < 4; ++i) all += tables.row(kKernel, i, {"name", "device", "wait_ns", "src_pos"}) + " ";
  CHECK(all == "first|0|5000|1 early|null|null|4 third|0|null|3 last|null|null|6 ");
  CHECK(tables.losses() == Losses{"file.slices_missing 8", "csv.bad_cell 1 @3", "file.cut 1 @3"});
  CHECK(tables.row(table::diagnostic::kTable, 0, {"file"}) == "op_summary_slice_*_20260823165358.csv");
  const std::string text = tables.row(table::diagnostic::kTable, 0, {"text"});
  CHECK(text.ends_with("Missing: 2, 3, 4, 5, 6, 7, 8, 9."));
}

TEST_CASE("op_summary: a slice that is broken or empty costs its rows only") {
  const std::string a = "op_summary_slice_0_20260823165358.csv", b = "op_summary_slice_1_20260823165358.csv";
  const FileKind kind = FileKind::op_summary;
  const std::string text = "Op Name,Task Start Time(us),Task Duration(us)\nx,10,1\n";
  Tables first = Rank().file(a, kind, "a,b\n1,2\n").file(b, kind, text).ingest();
  CHECK(first.rows(kKernel) == 1);
  CHECK(first.losses() == Losses{"csv.no_header 1 @1"});
  Tables second = Rank().file(a, kind, text).file(b, kind, "").ingest();
  CHECK(second.rows(kKernel) == 1);
  CHECK(second.losses() == Losses{"file.empty 1"});
  Tables unusable = Rank().file(a, kind, "", FileState::empty).file(b, kind, text).ingest();
  CHECK(unusable.rows(kKernel) == 1);
  CHECK(unusable.losses() == Losses{"file.slices_missing 1", "file.empty 1"});
}

TEST_CASE("memory of msprof: process and device are added, whichever file is listed first") {
  const std::string header = "Device_id,Component,Timestamp(us),Total Allocated(KB),Total Reserved(KB),Device\n";
  Tables tables = Rank()
                      .file("npu_mem_20260823165508.csv", FileKind::npu_mem,
                            "Device_id,event,memory(KB),timestamp(us)\n0,APP,3,1700000000000200.000\t\n")
                      .file("memory_record_20260823165508.csv", FileKind::memory_record,
                            header + "0,GE,1700000000000100.000\t,1,2,NPU:0\n0,GE,1700000000000300.000\t,0,2,NPU:0\n")
                      .ingest();
  const table::TableDecl& memory = table::memory::kTable;
  REQUIRE(tables.rows(memory) == 3);
  CHECK(tables.row(memory, 0, {"component", "allocated_bytes", "reserved_bytes", "src_pos"}) == "GE|1024|2048|1");
  CHECK(tables.row(memory, 1, {"component", "allocated_bytes", "reserved_bytes", "src_pos"}) == "APP|null|3072|1");
  CHECK(tables.row(memory, 2, {"component", "allocated_bytes", "reserved_bytes", "src_pos"}) == "GE|0|2048|2");
}

TEST_CASE("op_statistic, api_statistic of msprof") {
  const table::TableDecl &op = table::op_stat::kTable, &api = table::api_stat::kTable;
  Tables tables =
      Rank()
          .file("op_statistic_20260823165508.csv", FileKind::op_statistic,
                "Model Name,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)\n"
                "ctr,GroupedMatmul,MIX_AIC,1,25.061,25.061,25.061,25.061,25\n")
          .file("api_statistic_20260823165335.csv", FileKind::api_statistic,
                "Device_id,Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance\n"
                "host,model,ModelExecute,1643.5,2,821.75,600.5,1043,5\n")
          .ingest();
  CHECK(tables.row(op, 0, {"op_type", "core_type", "count", "total_ns", "total_ratio"}) ==
        "GroupedMatmul|MIX_AIC|1|25061|0.25");
  CHECK(tables.row(api, 0, {"level", "name", "total_ns", "count", "avg_ns", "min_ns", "max_ns"}) ==
        "model|ModelExecute|1643500|2|821750|600500|1043000");
}

TEST_CASE("step_trace: iterations with repeated Reduce columns and short rows") {
  const std::string header =
      "Device_id,Iteration ID,FP Start(us),BP End(us),Iteration End(us),Iteration Time(us),FP to BP Time(us),"
      "Iteration Refresh(us),Data Aug Bound(us),Model ID,Reduce Start(us),Reduce Duration(us),Reduce Start(us),"
      "Reduce Duration(us)\n";
  Tables tables =
      read_text(read_step_trace,
                header +
                    "0,1,1700000000000010.000\t,1700000000000020.000\t,1700000000000030.500\t,25.250,10,5,N/A,1,"
                    "1700000000000015.000\t,18446744073709551.615,N/A,N/A\n"
                    "0,2,1700000000000040.000\t,N/A,1700000000000060.500\t,30.000,10,5,1,1\n"
                    "0,3,N/A,N/A,N/A,7,10,5,1,1,1,2\n"
                    "0,4,N/A,N/A,1700000000000060.500\n"                  // no time
                    "0,5,1,1,1700000000000060.500,x,1,1,1,1\n"            // no number
                    "0,6,1,1,1700000000000060.500,1,1,1,1,1,1,2,3,4,5\n"  // too long
                    "0,7,1,1,1700000000000060.500,1,1,1,1,1");            // the end may be missing
  REQUIRE(tables.rows(kStep) == 3);
  CHECK(tables.row(kStep, 0, {"step", "device", "iteration_ns", "start_ns", "end_ns", "src_pos"}) ==
        "1|0|25250|1700000000000005250|1700000000000030500|1");
  CHECK(tables.row(kStep, 0,
                   {"computing_ns", "communication_ns", "not_overlapped_ns", "overlapped_ns", "free_ns", "stage_ns",
                    "bubble_ns", "not_overlapped_exclude_receive_ns", "preparing_ns"}) ==
        "null|null|null|null|null|null|null|null|null");
  CHECK(tables.row(kStep, 1, {"step", "iteration_ns", "start_ns", "end_ns"}) ==
        "2|30000|1700000000000030500|1700000000000060500");
  CHECK(tables.row(kStep, 2, {"step", "iteration_ns", "start_ns", "end_ns", "src_pos"}) == "3|7000|null|null|3");
  CHECK(tables.losses() == Losses{"file.cut 1 @8", "csv.ragged_record 1 @7", "csv.bad_cell 2 @5"});
  CHECK(read_text(read_step_trace, "Iteration ID,FP Start(us)\n1,2\n").losses() == Losses{"csv.no_header 1 @1"});
}

TEST_CASE("msprof_*.json: slices are one timeline, and its arrows cross them") {
  const std::string a = "msprof_slice_0_20260823165334.json", b = "msprof_slice_1_20260823165334.json";
  const FileKind kind = FileKind::msprof_trace;
  const std::string names = R"({"name":"process_name","pid":1,"tid":0,"ph":"M","args":{"name":"CANN"}},)"
                            R"({"name":"process_name","pid":2,"tid":0,"ph":"M","args":{"name":"Ascend Hardware"}},)";
  const std::string launch =
      R"({"name":"AscendCL@aclnnAdd","pid":1,"tid":7,"ts":"1700000000000010.500","dur":4.0,"ph":"X",)"
      R"("args":{"Thread Id":7,"level":"acl","connection_id":9}},)"
      R"({"name":"HostToDevice9","ph":"s","cat":"HostToDevice","id":"9","pid":1,"tid":7,"ts":"1700000000000010.500"})";
  const std::string kernel =
      R"({"name":"Add","pid":2,"tid":3,"ts":"1700000000000020.500","dur":2.5,"ph":"X","args":{"Task Type":"AI_CORE"}},)"
      R"({"name":"HostToDevice9","ph":"f","bp":"e","cat":"HostToDevice","id":"9","pid":2,"tid":3,)"
      R"("ts":"1700000000000020.500"})";
  const auto read = [&](const std::string& first, const std::string& second) {
    return Rank().file(a, kind, first).file(b, kind, second).ingest(table::Group::trace);
  };
  const std::string first = "[" + names + launch + "]", second = "[" + names + kernel + "]";
  Tables tables = read(first, second);
  CHECK(tables.losses().empty());
  CHECK(tables.row(table::runtime_api::kTable, 0, {"name", "start_ns", "dur_ns", "link_id"}) ==
        "AscendCL@aclnnAdd|1700000000000010500|4000|9");
  CHECK(tables.row(table::device_task::kTable, 0, {"name", "start_ns", "dur_ns", "src_pos"}) ==
        "Add|1700000000000020500|2500|" + std::to_string(first.size() + second.find(R"({"name":"Add")")));
  CHECK(tables.rows(table::flow::kTable) == 1);
  // The same as one file with both, as an object.
  Tables whole =
      Rank()
          .file("msprof_20260823165334.json", kind, "{\"traceEvents\": [" + names + launch + "," + kernel + "]}")
          .ingest(table::Group::trace);
  for (const table::TableDecl* decl :
       {&table::runtime_api::kTable, &table::device_task::kTable, &table::flow::kTable}) {
    CHECK(whole.rows(*decl) == 1);
  }
  CHECK(whole.losses().empty());
  // Damage is told with its place in the whole, a slice that is empty by its own name.
  Tables damaged = read(first, "[" + names + kernel + ",{\"ph\":\"X\"}]");
  CHECK(damaged.losses() == Losses{"event.bad 1 @" + std::to_string(first.size() + second.size())});
  CHECK(damaged.row(table::diagnostic::kTable, 0, {"file"}) == "msprof_slice_*_20260823165334.json");
  Tables half = read("", second);
  CHECK(half.rows(table::device_task::kTable) == 1);
  CHECK(half.row(table::diagnostic::kTable, 0, {"code", "file"}) ==
        "event.unpaired|msprof_slice_*_20260823165334.json");
  CHECK(half.row(table::diagnostic::kTable, 1, {"code", "file"}) == "file.empty|" + a);
}

TEST_CASE("msprof says about host and devices in several files") {
  const table::TableDecl& meta = table::meta::kTable;
  Tables tables = Rank()
                      .file("host_info.json", FileKind::msprof_info, R"({"cpuNums": 192, "DeviceInfo": []})")
                      .file("info.json.0", FileKind::msprof_info,
                            R"({"DeviceInfo": [{"ai_core_num": 24, "id": 0}, {"ai_core_num": 20}], "l": [1, {}]})")
                      .file("sample.json", FileKind::msprof_info, R"({"ai_core_metrics": "PipeUtilization"})")
                      .ingest();
  std::string all;
  for (uint64_t i = 0; i < tables.rows(meta); ++i) all += tables.row(meta, i, {"key", "value", "file"}) + " ";
  CHECK(all ==
        "DeviceInfo|[]|host_info.json cpuNums|192|host_info.json DeviceInfo.0.ai_core_num|24|info.json.0 "
        "DeviceInfo.0.id|0|info.json.0 DeviceInfo.1.ai_core_num|20|info.json.0 l|[1,{}]|info.json.0 "
        "ai_core_metrics|PipeUtilization|sample.json ");
}

}  // namespace stepwise::ingest
