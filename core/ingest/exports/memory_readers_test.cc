// Text files about memory, the L2 cache, the AI CPU and fused operators: header variants, units, and cells that are
// not what they should be.
#include <string>
#include <vector>

#include "core/ingest/base/readers.h"
#include "core/ingest/exports/tables_test_files.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

using Losses = std::vector<std::string>;

const table::TableDecl &kMemory = table::memory::kTable, &kBlock = table::memory_block::kTable;

const std::string kRecordHeader =
    "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Stream Ptr,Device Type\r\n";
const std::string kBlockHeader =
    "Name,Size(KB),Allocation Time(us),Release Time(us),Active Release Time(us),Duration(us),Active Duration(us),"
    "Allocation Total Allocated(MB),Allocation Total Reserved(MB),Allocation Total Active(MB),Release Total "
    "Allocated(MB),Release Total Reserved(MB),Release Total Active(MB),Stream Ptr,Device Type\r\n";

std::string every_column(Tables& tables, const table::TableDecl& decl, uint64_t row = 0) {
  std::vector<std::string_view> names;
  for (const table::ColumnDecl& column : decl.columns) names.emplace_back(column.name);
  return tables.row(decl, row, names);
}

/// The row whose cell number `cell` is another text; the others are the first record's.
std::string with_cell(const std::string& record, size_t cell, const std::string& text) {
  std::string out;
  size_t at = 0;
  for (size_t from = 0; from <= record.size(); ++at) {
    const size_t end = std::min(record.find(',', from), record.size());
    out += (at == 0 ? "" : ",") + (at == cell ? text : record.substr(from, end - from));
    from = end + 1;
  }
  return out;
}

}  // namespace

TEST_CASE("memory_record: components by time; an empty cell is unknown, not 0") {
  Tables tables = read_text(read_memory_record, kRecordHeader +
                                                    "APP,1700000000000400.100\t,,2109.6015625,,,NPU:1\r\n"
                                                    "PTA,1700000000000123.456\t,0.5,4,0.75,897357296,NPU:1\r\n");
  REQUIRE(tables.rows(kMemory) == 2);
  CHECK(every_column(tables, kMemory, 0) == "PTA|1700000000000123456|524288|4194304|786432|897357296|NPU:1|2");
  CHECK(every_column(tables, kMemory, 1) == "APP|1700000000000400100|null|2212077568|null|null|NPU:1|1");
  CHECK(tables.losses().empty());
}

TEST_CASE("memory_record: of 2023, and of msprof in KB") {
  Tables old = read_text(read_memory_record,
                         "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Device Type\n"
                         "GE,1695115378979271.0,0.25,242.0,NPU:0\n");
  CHECK(every_column(old, kMemory) == "GE|1695115378979271000|262144|253755392|null|null|NPU:0|1");
  Tables msprof = read_text(read_memory_record,
                            "Device_id,Component,Timestamp(us),Total Allocated(KB),Total Reserved(KB),Device\n"
                            "2,GE,1700000000000123.456\t,192,502336.5,NPU:2\n");
  CHECK(every_column(msprof, kMemory) == "GE|1700000000000123456|196608|514392576|null|null|NPU:2|1");
  CHECK(msprof.losses().empty());
}

TEST_CASE("memory_record: timestamps that a spreadsheet destroyed are counted, and nothing is made of them") {
  Tables tables = read_text(read_memory_record,
                            "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Device Type\n"
                            "GE,1.69512E+15,0.25,242,NPU:0\nGE,1695115378979271.0,0.25,242.0,NPU:0\n");
  CHECK(tables.rows(kMemory) == 1);
  CHECK(tables.losses() == Losses{"csv.timestamp_destroyed 1 @2"});
}

TEST_CASE("memory_record: a cell of another kind leaves its row out; what is unknown by a minus is null") {
  const std::string good = "PTA,1700000000000123.456\t,0.5,4,0.75,12,NPU:1";
  for (const auto& [cell, text] : std::vector<std::pair<size_t, std::string>>{
           {1, "now"}, {1, ""}, {2, "much"}, {3, "nan"}, {3, "1e300"}, {3, "953675"}, {4, "0x10"}, {5, "12.5"}}) {
    INFO(cell << ": " << text);
    Tables tables = read_text(read_memory_record, kRecordHeader + good + "\n" + with_cell(good, cell, text) + "\n");
    CHECK(tables.rows(kMemory) == 1);
    CHECK(tables.losses() == Losses{"csv.bad_cell 1 @3"});
  }
  // 953,674 MB are the last whole ones below a trillion bytes.
  Tables most = read_text(read_memory_record, kRecordHeader + with_cell(good, 3, "953674") + "\n");
  CHECK(most.row(kMemory, 0, {"reserved_bytes"}) == "999999668224");
  Tables unknown = read_text(read_memory_record, kRecordHeader + with_cell(good, 3, "-1") + "\n");
  CHECK(unknown.row(kMemory, 0, {"reserved_bytes", "active_bytes"}) == "null|786432");
}

TEST_CASE("npu_mem: process and device, beside what another file told") {
  const std::string text =
      "Device_id,event,ddr(KB),hbm(KB),memory(KB),timestamp(us)\n"
      "0,app,1,2,3,1700000000000200.000\t\n0,Device,0,5,5,1700000000000100.000\t\n0,app,0,0,,1700000000000300.000\t\n";
  Tables alone = read_text(read_npu_mem, text);
  REQUIRE(alone.rows(kMemory) == 2);
  CHECK(every_column(alone, kMemory, 0) == "DEVICE|1700000000000100000|null|5120|null|null|NPU:0|2");
  CHECK(every_column(alone, kMemory, 1) == "APP|1700000000000200000|null|3072|null|null|NPU:0|1");
  CHECK(alone.losses() == Losses{"csv.bad_cell 1 @4"});

  const TemporaryFolder folder;
  Tables both;
  read_into(both, read_memory_record,
            folder.write("memory_record_1.csv", kRecordHeader + "GE,1700000000000150.000\t,0.5,1,,,NPU:0\n"), 7);
  read_into(both, read_npu_mem, folder.write("npu_mem_1.csv", text), 7);
  REQUIRE(both.rows(kMemory) == 3);
  CHECK(both.row(kMemory, 0, {"component"}) == "DEVICE");
  CHECK(both.row(kMemory, 1, {"component", "allocated_bytes"}) == "GE|524288");
  CHECK(both.row(kMemory, 2, {"component", "allocated_bytes"}) == "APP|null");
  CHECK(both.builder().source_file(kMemory) == "memory_record_1.csv, npu_mem_1.csv");
}

TEST_CASE("operator_memory: every column of a block, and one that was never released") {
  Tables tables = read_text(
      read_operator_memory,
      kBlockHeader +
          "aten::_convolution,25009.5,1736405443879844.900\t,1736405443914587.140\t,1736405443914586.740\t,34742.240\t,"
          "34741.840\t,978.7939453125,1452.0,978.5,977.6123046875,1451.0,977.25,1431569360,NPU:0\r\n"
          "aten::empty,0.5,1736405443878302.860\t,,,,,954.37060546875,1452.0,954.37060546875,,,,1431569360,NPU:0\r\n");
  REQUIRE(tables.rows(kBlock) == 2);
  CHECK(every_column(tables, kBlock, 0) ==
        "aten::_convolution|25609728|1736405443879844900|1736405443914587140|1736405443914586740|34742240|34741840|"
        "1026339840|1522532352|1026031616|1025100800|1521483776|1024720896|1431569360|NPU:0|1");
  CHECK(every_column(tables, kBlock, 1) ==
        "aten::empty|512|1736405443878302860|null|null|null|null|1000730112|1522532352|1000730112|null|null|null|"
        "1431569360|NPU:0|2");
  CHECK(tables.losses().empty());
}

TEST_CASE("operator_memory: of msprof, where the release is to be added up and some blocks were only seen released") {
  Tables tables = read_text(
      read_operator_memory,
      "Device_id,Name,Size(KB),Allocation Time(us),Duration(us),Allocation Total Allocated(KB),Allocation Total "
      "Reserved(KB),Release Total Allocated(KB),Release Total Reserved(KB),Device\n"
      "0,Graph_21,192,1700000000016995.950\t,92.6,192,502336,0,502336,NPU:0\n"
      "0,,-64,,,,,128,502336,NPU:0\n"
      "0,Graph_22,64,1700000000016999.000\t,,256,502336,,,NPU:0\n");
  REQUIRE(tables.rows(kBlock) == 3);
  CHECK(
      every_column(tables, kBlock, 0) ==
      "Graph_21|196608|1700000000016995950|1700000000017088550|null|92600|null|196608|514392064|null|0|514392064|null|"
      "null|NPU:0|1");
  CHECK(tables.row(kBlock, 1, {"name", "bytes", "alloc_ns", "release_ns", "release_allocated_bytes"}) ==
        "65536|null|null|131072");
  CHECK(tables.row(kBlock, 2, {"name", "bytes", "alloc_ns", "release_ns"}) ==
        "Graph_22|65536|1700000000016999000|null");
  CHECK(tables.losses().empty());
}

TEST_CASE("operator_memory: the slices of one export; the second in another unit and order") {
  const TemporaryFolder folder;
  CancelFlag cancel;
  ProgressGauge progress;
  Diagnostics diagnostics;
  const std::vector<InputFile> more{
      {folder.write("operator_memory_slice_1_20260101000000.csv", "Release Total Reserved(MB),Size(KB),Name\n1,2,b\n"),
       "operator_memory_slice_1_20260101000000.csv"}};
  IngestContext context{cancel, progress, diagnostics, {}};
  context.more_slices = more;
  Tables tables;
  REQUIRE(read_operator_memory(folder.write("operator_memory_slice_0_20260101000000.csv",
                                            "Name,Size(KB),Release Total Reserved(KB)\na,1,1\n"),
                               "operator_memory_slice_0_20260101000000.csv", context, tables.builder())
              .ok());
  CHECK(tables.row(kBlock, 0, {"name", "bytes", "release_reserved_bytes", "src_pos"}) == "a|1024|1024|1");
  CHECK(tables.row(kBlock, 1, {"name", "bytes", "release_reserved_bytes", "src_pos"}) == "b|2048|1048576|2");
}

TEST_CASE("npu_module_mem: torch_npu's MB, msprof's KB, and -1 for what is unknown") {
  const table::TableDecl& decl = table::module_memory::kTable;
  Tables torch =
      read_text(read_npu_module_mem,
                "Device_id,Component,Timestamp(us),Total Reserved(MB),Device\n"
                "4,SLOG,1764246877085694.700\t,161.33984375,NPU:4\n4,HCCL,1764246877000000.000\t,0.0,NPU:4\n");
  REQUIRE(torch.rows(decl) == 2);
  CHECK(every_column(torch, decl, 0) == "HCCL|1764246877000000000|0|NPU:4|2");
  CHECK(every_column(torch, decl, 1) == "SLOG|1764246877085694700|169177088|NPU:4|1");
  Tables msprof = read_text(read_npu_module_mem,
                            "Device_id,Component,Timestamp(us),Total Reserved(KB),Device\n"
                            "0,HCCL,1700000000000000.000\t,413760,NPU:0\n0,APP,1700000000000001.000\t,-1,NPU:0\n");
  CHECK(every_column(msprof, decl, 0) == "HCCL|1700000000000000000|423690240|NPU:0|1");
  CHECK(every_column(msprof, decl, 1) == "APP|1700000000000001000|null|NPU:0|2");
  CHECK(msprof.losses().empty());
}

TEST_CASE("static_op_mem: nodes that need their memory to the graph's end, and the total") {
  const table::TableDecl& decl = table::static_memory::kTable;
  Tables tables = read_text(read_static_op_mem,
                            "Device_id,Op Name,Model Name,Graph ID,Node Index Start,Node Index End,Size(KB)\n"
                            "host,Add1,ctr,3,1,4294967295,0.5\nhost,TOTAL,0,3,0,4294967295,1024\n"
                            "host,Mul,ctr,3,1,2,\n");
  REQUIRE(tables.rows(decl) == 2);
  CHECK(every_column(tables, decl, 0) == "Add1|ctr|3|1|null|512|1");
  CHECK(every_column(tables, decl, 1) == "TOTAL|0|3|0|null|1048576|2");
  CHECK(tables.losses() == Losses{"csv.bad_cell 1 @4"});
}

TEST_CASE("l2_cache: with and without Device_id; N/A is unknown") {
  const table::TableDecl& decl = table::l2_cache::kTable;
  Tables torch = read_text(read_l2_cache,
                           "Stream Id,Task Id,Hit Rate,Victim Rate,Op Name\n2,11054,N/A,0.066608,trans_TransData_1\n");
  CHECK(every_column(torch, decl) == "trans_TransData_1|2|11054|null|0.066608|1");
  Tables msprof = read_text(read_l2_cache,
                            "Device_id,Stream Id,Task Id,Hit Rate,Victim Rate,Op Name\n"
                            "0,2,7,0.5,0.25,Add\n0,2,8,high,0.25,Add\n0,two,9,0.5,0.25,Add\n");
  CHECK(every_column(msprof, decl) == "Add|2|7|0.5|0.25|1");
  CHECK(msprof.losses() == Losses{"csv.bad_cell 2 @3"});
}

TEST_CASE("data_preprocess: in us, or in ms as older exporters write it") {
  const table::TableDecl& decl = table::aicpu_task::kTable;
  Tables now = read_text(read_data_preprocess,
                         "Timestamp(us),Node,Compute_time(us),Memcpy_time(us),Task_time(us),Dispatch_time(us),"
                         "Total_time(us),Stream ID,Task ID\n"
                         "1700000000000200.000,Unique,1.5,2,3,4,5.25,6,7\n"
                         "1700000000000100.000,GetNext,1,,N/A,4,-5,6,7\n1700000000000100.000,GetNext,1,,N/A,4,5,6,7\n");
  REQUIRE(now.rows(decl) == 2);
  CHECK(every_column(now, decl, 0) == "1700000000000100000|GetNext|1000|null|null|4000|5000|6|7|3");
  CHECK(every_column(now, decl, 1) == "1700000000000200000|Unique|1500|2000|3000|4000|5250|6|7|1");
  CHECK(now.losses() == Losses{"csv.bad_cell 1 @3"});
  Tables old = read_text(read_data_preprocess,
                         "Timestamp(us),Node,Compute_time(ms),Memcpy_time(ms),Task_time(ms),Dispatch_time(us),"
                         "Total_time(ms),Stream ID,Task ID\n1700000000000200.000,Unique,1.5,2,3,4,5.25,6,7\n");
  CHECK(every_column(old, decl) == "1700000000000200000|Unique|1500000|2000000|3000000|4000|5250000|6|7|1");
}

TEST_CASE("fusion_op: what was fused, and what it needs") {
  const table::TableDecl& decl = table::fusion_op::kTable;
  Tables tables = read_text(read_fusion_op,
                            "Device_id,Model Name,Model ID,Fusion Op,Original Ops,Memory Input(KB),Memory Output(KB),"
                            "Memory Weight(KB),Memory Workspace(KB),Memory Total(KB)\n"
                            "host,ctr,1,FusedBatchNormV3_BNInferenceD,a;b,10,20,1.5,0,31.5\n"
                            "host,ctr,1,Relu,a,10,20,1,0,x\n");
  REQUIRE(tables.rows(decl) == 1);
  CHECK(every_column(tables, decl) == "FusedBatchNormV3_BNInferenceD|a;b|ctr|1|10240|20480|1536|0|32256|1");
  CHECK(tables.losses() == Losses{"csv.bad_cell 1 @3"});
}

TEST_CASE("memory files: cells with line breaks, a BOM, bytes that are no UTF-8, many records") {
  Tables odd = read_text(read_operator_memory, "\xEF\xBB\xBFName,Size(KB)\r\n\"a\r\nb\",1\r\n\xFF,2\r\n");
  CHECK(odd.row(kBlock, 0, {"name", "bytes"}) == "a\r\nb|1024");
  CHECK(odd.row(kBlock, 1, {"bytes"}) == "2048");
  CHECK(odd.losses() == Losses{"text.not_utf8 1"});
  std::string many = kRecordHeader;  // over several chunks, latest first
  constexpr int kRows = 9'000;
  for (int i = 0; i < kRows; ++i) {
    many += "PTA,170000000000" + std::to_string(9999 - i) + ".000\t," + std::to_string(i) + ",4,1,12,NPU:1\r\n";
  }
  REQUIRE(many.size() > 2 * limits::kCsvChunkBytes - (1u << 17));
  Tables tables = read_text(read_memory_record, many);
  REQUIRE(tables.rows(kMemory) == kRows);
  CHECK(tables.row(kMemory, 0, {"ts_ns", "allocated_bytes", "src_pos"}) ==
        "1700000000001000000|" + std::to_string(8'999ll << 20) + "|9000");
}

}  // namespace stepwise::ingest
