// The smallest valid file of each format, header variants, and cells that are not what they should be.
#include "core/ingest/base/readers.h"

#include <string>

#include "core/ingest/exports/kernel_class.h"
#include "core/ingest/exports/tables_test_files.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

using Losses = std::vector<std::string>;
using namespace std::string_literals;

const table::TableDecl& kKernel = table::kernel::kTable;

// Variant E; the others leave columns out or call them otherwise.
const std::string kKernelHeader =
    "Step Id,Device_id,Model ID,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,Start Time(us),Duration(us),"
    "Wait Time(us),Block Dim,Mix Block Dim,HF32 Eligible,Input Shapes,Input Data Types,Input Formats,Output Shapes,"
    "Output Data Types,Output Formats,Context ID,aicore_time(us),aic_total_cycles,aic_mac_ratio,aiv_time(us),"
    "aiv_vec_ratio,cube_utilization(%)\n";
const std::string kAdd =
    "7,0,4294967295,101,2,aclnnAdd_AddAiCore_Add,Add,dynamic,AI_VECTOR_CORE,1700000000000123.456\t,4.380,1.250000,40,0,"
    "NO,\"\"\"8,16;16\"\"\",FLOAT;FLOAT,ND;ND,\"\"\"8,16\"\"\",FLOAT,ND,N/A,0.0,0,0.0,4.1,0.052,12.5\n";
const std::string kAllReduce =
    ",0,4294967295,N/A,N/A,hcom_allReduce__586_0_1,hcom_allReduce_,N/A,COMMUNICATION,1700000000000200.5\t,900,0,0,N/A,"
    "N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A\n";

Tables kernels(const std::string& rows) { return read_text(read_kernel_details, kKernelHeader + rows); }

/// kAdd with one cell replaced.
std::string add_with(size_t cell, const std::string& text) {
  std::vector<std::string> cells{""};
  bool quoted = false;
  for (const char c : kAdd.substr(0, kAdd.size() - 1)) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  cells[cell] = text;
  std::string out;
  for (const std::string& one : cells) out += (out.empty() && &one == &cells[0] ? "" : ",") + one;
  return out + "\n";
}

}  // namespace

TEST_CASE("kernel_details: every column of a row") {
  Tables tables = kernels(kAdd + kAllReduce);
  REQUIRE(tables.rows(kKernel) == 2);
  CHECK(tables.row(kKernel, 0,
                   {"step", "device", "model_id", "task_id", "stream", "name", "op_type", "op_state", "core_type",
                    "class", "start_ns", "dur_ns", "wait_ns", "block_dim", "hf32"}) ==
        "7|0|4294967295|101|2|aclnnAdd_AddAiCore_Add|Add|dynamic|AI_VECTOR_CORE|compute|1700000000000123456|4380|1250|"
        "40|NO");
  CHECK(tables.row(kKernel, 0,
                   {"input_shapes", "input_dtypes", "input_formats", "output_shapes", "output_dtypes", "output_formats",
                    "aic_time_ns", "aic_mac_ratio", "aiv_time_ns", "aiv_vec_ratio", "cube_utilization_ratio",
                    "src_pos"}) == "8,16;16|FLOAT;FLOAT|ND;ND|8,16|FLOAT|ND|0|0|4100|0.052|0.125|1");
  CHECK(tables.row(kKernel, 1,
                   {"step", "task_id", "stream", "op_state", "class", "start_ns", "dur_ns", "hf32", "input_shapes",
                    "aic_time_ns", "aic_mac_ratio", "aic_scalar_ratio", "src_pos"}) ==
        "null|null|null|null|communication|1700000000000200500|900000|null|null|null|null|null|2");
  CHECK(tables.losses().empty());
}

TEST_CASE("kernel_details: header variants") {
  // A: Level0 of 2025-01; core and type are N/A, so the name decides the class.
  Tables a = read_text(read_kernel_details,
                       "Step Id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim\r\n"
                       "5,Add_1,N/A,N/A,1700000000000001.000\t,1.5,0,8\r\n"
                       "5,hcom_allReduce__1_0_1,N/A,N/A,1700000000000003.000\t,2,0,0\r\n");
  CHECK(a.row(kKernel, 0, {"step", "op_type", "core_type", "class", "start_ns", "dur_ns", "block_dim", "stream"}) ==
        "5|null|null|compute|1700000000000001000|1500|8|null");
  CHECK(a.row(kKernel, 1, {"class"}) == "communication");
  // B, C (2023): no OP State, no Device_id; timestamps without TAB and with few decimals.
  Tables b =
      read_text(read_kernel_details,
                "Step Id,Model ID,Task ID,Stream ID,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait "
                "Time(us),Block Dim,Mix Block Dim\n"
                "2,4294967295,2451,16,ZerosLike,ZerosLike,AI_CORE,1695115378713661,496.8508,0,48,0\n"
                "2,4294967295,N/A,N/A,hcom_send__1,hcom_send_,HCCL,1695115378715400.2,4975.2664,1242.3992,0,N/A\n");
  CHECK(b.row(kKernel, 0, {"model_id", "start_ns", "dur_ns", "op_state", "device"}) ==
        "4294967295|1695115378713661000|496851|null|null");
  CHECK(b.row(kKernel, 1, {"class", "start_ns", "dur_ns", "wait_ns"}) ==
        "communication|1695115378715400200|4975266|1242399");
  // F, G: Block Num. Without a Step Id column no kernel has a step.
  Tables g = read_text(read_kernel_details,
                       "Device_id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Num\n"
                       "3,Add,Add,AI_CORE,1700000000000001.000\t,1,0,24\n");
  CHECK(g.row(kKernel, 0, {"step", "device", "block_dim"}) == "null|3|24");
  // A chip with one kind of core: no prefixes.
  Tables single =
      read_text(read_kernel_details, "Name,Start Time(us),Duration(us),mac_ratio,vec_ratio\nx,1,1,0.5,0.25\n");
  CHECK(single.row(kKernel, 0, {"aic_mac_ratio", "aiv_vec_ratio"}) == "0.5|0.25");
}

TEST_CASE("kernel_details: rows come out by start, equal ones as in the file") {
  const std::string header = "Name,Start Time(us),Duration(us)\n";
  Tables tables = read_text(read_kernel_details, header + "c,3,1\na,1,1\nd,3,2\nb,2,1\n");
  std::string order;
  for (uint64_t i = 0; i < 4; ++i) order += tables.row(kKernel, i, {"name", "src_pos"}) + " ";
  CHECK(order == "a|2 b|4 c|1 d|3 ");
}

TEST_CASE("kernel_details: a cell of the wrong type costs its row, counted") {
  // Cells that hold numbers: Step Id, Device_id, Model ID, Task ID, Stream ID, start, duration, wait, block, PMU.
  for (const size_t cell : {0, 1, 2, 3, 4, 9, 10, 11, 12, 22, 24, 25, 26, 27}) {
    for (const char* wrong : {"abc", "1.2.3", "nan", "inf", "--1", "0x10", "1e400", "99999999999999999999999999"}) {
      const bool real = cell == 24 || cell == 26 || cell == 27;  // a ratio may be any finite double
      if (real && std::string(wrong) == "99999999999999999999999999") continue;
      Tables tables = kernels(kAdd + add_with(cell, wrong) + kAllReduce);
      CHECK(tables.rows(kKernel) == 2);
      CHECK(tables.losses() == Losses{"csv.bad_cell 1 @3"});
    }
  }
  // No duration is negative or longer than a day, no instant beyond 2116.
  for (const char* wrong : {"-1", "", "86400000000.001"}) {
    CHECK(kernels(kAdd + add_with(10, wrong)).losses() == Losses{"csv.bad_cell 1 @3"});
  }
  CHECK(kernels(kAdd + add_with(10, "86400000000")).losses().empty());
  for (const char* wrong : {"N/A", "4700000000000000.000"}) {
    CHECK(kernels(kAdd + add_with(9, wrong)).losses() == Losses{"csv.bad_cell 1 @3"});
  }
  // Where null is allowed, empty and N/A are null.
  for (const char* null : {"", "N/A"}) {
    Tables tables = kernels(add_with(4, null));
    CHECK(tables.row(kKernel, 0, {"stream"}) == "null");
    CHECK(tables.losses().empty());
  }
}

TEST_CASE("kernel_details: a spreadsheet's timestamps are lost, not wrong") {
  Tables tables = kernels(add_with(9, "1.69512E+15") + add_with(9, "1.69512E+15") + kAdd);
  CHECK(tables.rows(kKernel) == 1);
  CHECK(tables.losses() == Losses{"csv.timestamp_destroyed 2 @2"});
  // The TAB inside quotes is what a spreadsheet leaves that did no harm.
  CHECK(kernels(add_with(9, "\"1736413971558972.912\t\"")).row(kKernel, 0, {"start_ns"}) == "1736413971558972912");
}

/// A column of the diagnostic with that code.
std::string of_diagnostic(Tables& tables, const std::string& code, const char* column) {
  for (uint64_t row = 0; row < tables.rows(table::diagnostic::kTable); ++row) {
    if (tables.row(table::diagnostic::kTable, row, {"code"}) == code) {
      return tables.row(table::diagnostic::kTable, row, {column});
    }
  }
  return "none";
}

TEST_CASE("kernel_details: starts far from the others are kept and warned of") {
  for (const char* const wrong : {"0", "-5"}) {
    Tables tables = kernels(add_with(9, wrong) + kAdd + kAllReduce);
    CHECK(tables.rows(kKernel) == 3);
    CHECK(tables.losses() == Losses{"time.implausible_span 1"});
    CHECK(of_diagnostic(tables, "time.implausible_span", "severity") == "warning");
  }
  Tables last = kernels(kAdd + kAllReduce + add_with(9, "0"));
  CHECK(last.losses() == Losses{"time.implausible_span 1"});
  CHECK(of_diagnostic(last, "time.implausible_span", "text").find("First: row 3, at 0 ns") != std::string::npos);
}

TEST_CASE("kernel_details: a clock that jumps ahead and back is told") {
  const auto with = [](const std::string& stray) {
    std::string rows;
    for (int i = 0; i < 10; ++i) rows += add_with(9, std::to_string(1700000000000000 + 100 * i));
    return kernels(rows + add_with(9, stray) + kAdd);
  };
  CHECK(with("1700000000000900").losses().empty());
  CHECK(with("1700000500000000").losses().empty());
  Tables tables = with("1700007200000000");
  CHECK(tables.rows(kKernel) == 12);
  CHECK(tables.losses() == Losses{"time.clock_jump 1"});
  CHECK(of_diagnostic(tables, "time.clock_jump", "text")
            .ends_with("First: row 11, at 1700007200000000000 ns, 7199 s after nearly all others."));
}

TEST_CASE("step_trace_time: rows that say of a device and step what another row says are told") {
  const std::string header =
      "Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble\n";
  const auto losses_of = [&](const std::vector<std::string>& rows) {
    std::string text = header;
    for (const std::string& row : rows) text += row + ",1,2,3,4,5,6,7\n";
    return read_text(read_step_trace_time, text);
  };
  CHECK(losses_of({"0,1", "0,2", "1,1", "1,2", ",1"}).losses().empty());
  CHECK(losses_of({"0,", "0,", "1,"}).losses().empty());
  Tables twice = losses_of({"0,1", "1,2", "0,2", "1,2", "1,2", "0,1"});
  CHECK(twice.rows(table::step::kTable) == 6);
  CHECK(twice.losses() == Losses{"step.duplicate 3"});
  CHECK(of_diagnostic(twice, "step.duplicate", "text").ends_with("First: row 4, step 2."));
}

TEST_CASE("kernel_details: hostile text") {
  Tables tables = kernels(add_with(5, "nul\0byte"s) + add_with(5, "bad\xFF\xFEutf") + add_with(5, "\"cr\rlf\nin\"") +
                          add_with(15, "\"\"\"\"\"\"") + add_with(15, ""));
  REQUIRE(tables.rows(kKernel) == 5);
  CHECK(tables.row(kKernel, 0, {"name"}) == "nul\0byte"s);
  CHECK(tables.row(kKernel, 1, {"name"}) == "bad\uFFFD\uFFFDutf");
  CHECK(tables.row(kKernel, 2, {"name"}) == "cr\rlf\nin");
  CHECK(tables.row(kKernel, 3, {"input_shapes"}).empty());  // a scalar has a shape, and it is empty
  CHECK(tables.row(kKernel, 4, {"input_shapes"}) == "null");
  CHECK(tables.losses() == Losses{"text.not_utf8 1"});

  CHECK(kernels("1,2,3\n" + kAdd).losses() == Losses{"csv.ragged_record 1 @2"});
  CHECK(read_text(read_kernel_details, "\xEF\xBB\xBF" + kKernelHeader + kAdd).rows(kKernel) == 1);

  const std::string wide(100'000, ',');
  Tables refused = read_text(read_kernel_details, wide + "\n" + wide + "\n");
  CHECK_FALSE(refused.has(kKernel));
  CHECK(refused.losses() == Losses{"csv.no_header 1 @1"});
}

TEST_CASE("kernel_details: without a header or a usable row there is no table, and it is said") {
  Tables none = read_text(read_kernel_details, "a,b\n1,2\n");
  CHECK_FALSE(none.has(kKernel));
  CHECK(none.losses() == Losses{"csv.no_header 1 @1"});
  Tables empty = read_text(read_kernel_details, kKernelHeader);
  CHECK_FALSE(empty.has(kKernel));
  CHECK(empty.losses() == Losses{"csv.no_rows 1"});
  Tables broken = kernels(add_with(10, "abc"));
  CHECK_FALSE(broken.has(kKernel));
  CHECK(broken.losses() == Losses{"csv.no_rows 1", "csv.bad_cell 1 @2"});
  CHECK(read_text(read_kernel_details, "").losses() == Losses{"file.empty 1"});
  CHECK(read_text(read_kernel_details, "\n\n").losses() == Losses{"csv.no_header 1"});
}

TEST_CASE("kernel_details: of two columns with one name nobody knows which is meant") {
  Tables twice = read_text(read_kernel_details, "Name,Start Time(us),Duration(us),Duration(us)\nx,1,2,3\n");
  CHECK_FALSE(twice.has(kKernel));
  CHECK(twice.losses() == Losses{"csv.duplicate_column 1 @1"});
  // Columns that no table holds may repeat: msprof's step_trace has such.
  CHECK(read_text(read_kernel_details, "Name,Start Time(us),Duration(us),x,x\nn,1,2,3,4\n").rows(kKernel) == 1);
}

TEST_CASE("kernel_details: durations finer than a nanosecond are rounded, and it is said") {
  Tables fine = kernels(add_with(10, "1.1997") + add_with(10, "1.4396") + add_with(10, "1.2000"));
  CHECK(fine.row(kKernel, 0, {"dur_ns"}) == "1200");
  CHECK(fine.losses() == Losses{"csv.time_rounded 2"});
}

TEST_CASE("step_trace_time, op_statistic: nothing negative, no count beyond belief") {
  Tables steps = read_text(read_step_trace_time,
                           "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble\n"
                           "1,6,3,1,4,1,10,0\n2,-5,3,1,4,1,10,0\n");
  CHECK(steps.rows(table::step::kTable) == 1);
  CHECK(steps.losses() == Losses{"csv.bad_cell 1 @3"});
  Tables stats = read_text(read_op_statistic,
                           "OP Type,Core Type,Count,Total Time(us)\nA,C,1,1\nB,C,-5,1\nD,C,9223372036854775807,1\n");
  CHECK(stats.rows(table::op_stat::kTable) == 1);
  CHECK(stats.losses() == Losses{"csv.bad_cell 2 @3"});
}

TEST_CASE("readers: a .gz is read as what it holds, and a damaged one up to the damage") {
  const TemporaryFolder folder;
  std::string rows;
  for (int i = 0; i < 2000; ++i) rows += add_with(9, std::to_string(1700000000000000 + i * 7919 % 5000) + ".125\t");
  const std::string text = kKernelHeader + rows, packed = gzip(text);
  Tables plain, zipped, damaged;
  read_into(plain, read_kernel_details, folder.write("file", text), 4096);
  // As the same name, since the diagnostics say it.
  std::filesystem::create_directory(folder.path() / "gz");
  read_into(zipped, read_kernel_details, folder.write("gz/file", packed), 4096);
  CHECK(zipped.dump() == plain.dump());
  read_into(damaged, read_kernel_details, folder.write("gz/cut", packed.substr(0, packed.size() / 2)), 4096);
  CHECK(damaged.rows(kKernel) > 100);
  CHECK(damaged.rows(kKernel) < 2000);
  CHECK(damaged.losses() == Losses{"file.cut 1 @" + std::to_string(damaged.rows(kKernel) + 2), "file.gzip_damaged 1"});
}

TEST_CASE("step_trace_time: three generations") {
  const table::TableDecl& step = table::step::kTable;
  Tables old = read_text(read_step_trace_time,
                         "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
                         "Communication(Not Overlapped and Exclude Receive)\n"
                         "2,75174.57464453117,146614.02034375005,6987.303296874976,153601.32364062502,"
                         "69909.50350390615,291698.0,0,146614.02034375005\n");
  CHECK(old.row(step, 0,
                {"step", "device", "computing_ns", "not_overlapped_ns", "overlapped_ns", "communication_ns", "free_ns",
                 "stage_ns", "bubble_ns", "not_overlapped_exclude_receive_ns", "preparing_ns"}) ==
        "2|null|75174575|146614020|6987303|153601324|69909504|291698000|0|146614020|null");
  Tables now = read_text(read_step_trace_time,
                         "Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,"
                         "Bubble,Communication(Not Overlapped and Exclude Receive),Preparing\n"
                         "-1,,8827.472999999998,1,2,3,4,5,6,7,8.5\n0,13,1,1,1,1,1,1,1,1,\n0,13,x,1,1,1,1,1,1,1,\n");
  REQUIRE(now.rows(step) == 2);
  CHECK(now.row(step, 0, {"step", "device", "computing_ns", "preparing_ns"}) == "null|-1|8827473|8500");
  CHECK(now.row(step, 1, {"step", "preparing_ns", "src_pos"}) == "13|null|2");
  CHECK(now.losses() == Losses{"csv.bad_cell 1 @4"});
}

TEST_CASE("op_statistic, api_statistic: with and without Device_id") {
  const table::TableDecl &op = table::op_stat::kTable, &api = table::api_stat::kTable;
  Tables ops = read_text(read_op_statistic,
                         "Device_id,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),"
                         "Ratio(%)\n0,MatMulV3,AI_CORE,280,48000.78,76.66,171.431,292.52,25\n");
  CHECK(ops.row(op, 0,
                {"op_type", "core_type", "count", "total_ns", "min_ns", "avg_ns", "max_ns", "total_ratio",
                 "src_pos"}) == "MatMulV3|AI_CORE|280|48000780|76660|171431|292520|0.25|1");
  Tables apis = read_text(read_api_statistic,
                          "Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance\r\n"
                          "acl,Add_Tiling,666.3,114,5.845,0.25,29.17,34.995\r\nacl,Bad,1,x,1,1,1,1\r\n");
  REQUIRE(apis.rows(api) == 1);
  CHECK(apis.row(api, 0, {"level", "name", "total_ns", "count", "avg_ns", "min_ns", "max_ns", "variance_us2"}) ==
        "acl|Add_Tiling|666300|114|5845|250|29170|34.995");
  CHECK(apis.losses() == Losses{"csv.bad_cell 1 @3"});
}

TEST_CASE("operator_details: cells that span lines") {
  const table::TableDecl& op = table::op_detail::kTable;
  const std::string header =
      "Name,Input Shapes,Call Stack,Host Self Duration(us),Host Total Duration(us),Device Self Duration(us),Device "
      "Total Duration(us),Device Self Duration With AICore(us),Device Total Duration With AICore(us)";
  for (const char* line_end : {"\n", "\r\n"}) {
    const std::string e = line_end;
    Tables tables = read_text(read_operator_details,
                              header + e + "aten::add,\"8,16;" + e + "16;" + e + "\",\"a.py(1): f;" + e +
                                  "b.py(2): g\",66.25,70.5,0,496.8508203,0,1" + e + "aten::item,,,1,1,0,0,0,0" + e);
    REQUIRE(tables.rows(op) == 2);
    CHECK(tables.row(op, 0,
                     {"name", "shapes", "stack", "host_self_ns", "host_total_ns", "device_self_ns", "device_total_ns",
                      "device_self_aicore_ns", "device_total_aicore_ns", "src_pos"}) ==
          "aten::add|8,16;16;|a.py(1): f;\nb.py(2): g|66250|70500|0|496851|0|1000|1");
    CHECK(tables.row(op, 1, {"name", "shapes", "stack"}) == "aten::item|null|null");
    CHECK(tables.losses().empty());
  }
}

TEST_CASE("metadata: paths of keys, lists as JSON text") {
  const table::TableDecl& meta = table::meta::kTable;
  Tables tables = read_text(read_metadata,
                            R"({"config": {"level": "Level1", "on": true, "export": ["text"], "none": null},
                                "big": 1764246878131995320, "empty": {}, "rank_id": "0"})");
  std::string all;
  for (uint64_t i = 0; i < tables.rows(meta); ++i) all += tables.row(meta, i, {"key", "value"}) + "\n";
  CHECK(all ==
        "big|1764246878131995320\nconfig.export|[\"text\"]\nconfig.level|Level1\nconfig.none|null\nconfig.on|true\n"
        "empty|{}\nrank_id|0\n");
  CHECK(read_text(read_metadata, "{\"a\": ").losses() == Losses{"json.syntax 1 @7"});
  CHECK(read_text(read_metadata, "[1]").losses() == Losses{"json.shape 1 @0"});
}

TEST_CASE("communication class by name") {
  for (const char* name : {"hcom_allReduce__586_0_1", "ncclDevKernel_AllReduce", "myRcclKernel", "HcclAlltoAllV",
                           "c10d.hccl_x", "MoeDistributeDispatch", "aclnnMoeDistributeCombine", "HCOM_SEND_1"}) {
    const bool at_word_start = std::string(name) != "aclnnMoeDistributeCombine";
    CHECK(is_communication_name(name) == at_word_start);
  }
  for (const char* name : {"dispatchCombine", "batchCompute", "Add", "", "xhccl", "telecom_hcomx"}) {
    CHECK_FALSE(is_communication_name(name));
  }
  CHECK(class_of_core("HCCL") == "communication");
  CHECK(class_of_core("COMMUNICATION") == "communication");
  CHECK(class_of_core("SDMA") == "copy");
  CHECK(class_of_core("AI_CPU").empty());
}

TEST_CASE("readers: cancelled between chunks") {
  const TemporaryFolder folder;
  Tables tables;
  CancelFlag cancel;
  cancel.set();
  ProgressGauge progress;
  Diagnostics diagnostics;
  IngestContext context{cancel, progress, diagnostics, {}};
  const auto file = folder.write("file", kKernelHeader + kAdd);
  for (Reader* reader : {read_kernel_details, read_communication, read_metadata}) {
    const auto result = reader(file, "file", context, tables.builder());
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().kind == ErrorKind::cancelled);
  }
}

}  // namespace stepwise::ingest
