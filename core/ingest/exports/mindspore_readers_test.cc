// Files of MindSpore before 2.4: what comes out of each, and what odd ones lose.
#include <string>
#include <vector>

#include "core/ingest/base/readers.h"
#include "core/ingest/exports/mindspore_legacy.h"
#include "core/ingest/exports/tables_test_files.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

using Losses = std::vector<std::string>;

const table::TableDecl &kTypes = table::op_stat::kTable, &kNames = table::op_name_stat::kTable,
                       &kAicpu = table::aicpu_task::kTable, &kKernel = table::kernel::kTable,
                       &kStep = table::step::kTable, &kMatrix = table::comm_matrix::kTable;

/// Two files of one device, read one after the other.
Tables read_both(Reader* first, std::string_view text, Reader* second, std::string_view other) {
  const TemporaryFolder folder;
  Tables tables;
  read_into(tables, first, folder.write("first", text), limits::kCsvChunkBytes);
  read_into(tables, second, folder.write("second", other), limits::kCsvChunkBytes);
  return tables;
}

}  // namespace

TEST_CASE("MindSpore: operator types, in the spelling of each version") {
  Tables tables = read_text(read_ms_operator_types,
                            "kernel_type,total_time,execution_frequency,percent\n"
                            "AtomicAddrClean,0.007283,6,0.49\nAssignAdd,0.0092200000000000002,6,0.19\n");
  CHECK(tables.row(kTypes, 0, {"op_type", "core_type", "count", "total_ns", "min_ns", "src_pos"}) ==
        "AtomicAddrClean|null|6|7283|null|1");
  CHECK(tables.row(kTypes, 1, {"op_type", "total_ns"}) == "AssignAdd|9220");
  CHECK(tables.losses().empty());
  tables = read_text(read_ms_operator_types, "op_type,execution_time,execution_frequency,percent\nCast,0.14809,28,1\n");
  CHECK(tables.row(kTypes, 0, {"op_type", "count", "total_ns"}) == "Cast|28|148090");
}

TEST_CASE("MindSpore: an operator's total is its mean times its count, to the ns") {
  Tables tables = read_text(read_ms_operator_names,
                            "full_kernel_name,execution_time,execution_frequency\n"
                            "Default/GetNext-op6,5e-05,3\nGradients/a/MatMul-op9,0.0004995,7\nno_number,0.1,0\n");
  CHECK(tables.row(kNames, 0, {"name", "op_type", "count", "total_ns", "avg_ns", "block_dim", "src_pos"}) ==
        "Default/GetNext-op6|GetNext|3|150|50|null|1");
  // 499.5 ns seven times: 3496.5, not 7 times 500.
  CHECK(tables.row(kNames, 1, {"op_type", "count", "total_ns", "avg_ns"}) == "MatMul|7|3497|500");
  CHECK(tables.row(kNames, 2, {"op_type", "count", "total_ns"}) == "null|0|0");
  CHECK(tables.losses().empty());

  tables = read_text(read_ms_operator_names, "full_op_name,execution_time\nDefault/TransData-op118,0.047035\n");
  CHECK(tables.row(kNames, 0, {"count", "total_ns", "avg_ns"}) == "1|47035|47035");
  tables = read_text(read_ms_operator_names, "full_kernel_time,execution_time,execution_frequency\nA-op1,1,2\n");
  CHECK(tables.row(kNames, 0, {"name", "total_ns"}) == "A-op1|2000000");

  tables = read_text(read_ms_operator_names,
                     "full_kernel_name,execution_time,execution_frequency\n"
                     "a,86400000,2\nb,x,1\nc,-1,1\nd,1,\n,1,1\ne,nan,1\nf,1,1e3\ng,0.5,2\n");
  CHECK(tables.rows(kNames) == 3);  // an operator without a frequency ran once, one without a name is kept
  CHECK(tables.row(kNames, 0, {"name", "count", "total_ns"}) == "d|1|1000000");
  CHECK(tables.row(kNames, 1, {"name"}).empty());
  CHECK(tables.losses() == Losses{"csv.bad_cell 5 @2"});
}

TEST_CASE("MindSpore: the type in an operator's name") {
  CHECK(type_in_operator_name("Default/network/Mul-op29") == "Mul");
  CHECK(type_in_operator_name("AllReduce-op4542") == "AllReduce");
  CHECK(type_in_operator_name("a-opera/Re-LU-op1") == "Re-LU");
  for (const char* name : {"", "/", "Mul", "Mul-op", "Mul-opx", "Mul-op1/", "-op1"}) {
    CHECK(type_in_operator_name(name).empty());
  }
}

TEST_CASE("MindSpore: the framework's file completes operators by name") {
  const std::string info =
      R"("{""input_1"": {""format"": ""NCHW"", ""data_type"": ""F32"", ""shape"": ""2,3""}, )"
      R"(""input_0"": {""format"": ""ND"", ""data_type"": ""F16"", ""shape"": """"}, )"
      R"(""input_10"": {""shape"": ""7""}, ""output_0"": {""format"": ""ND"", ""data_type"": ""I8"", ""shape"": ""1""}}")";
  const std::string framework =
      "task_id,stream_id,block_dim,full_kernel_name,op_name,kernel_name,kernel_type,subgraph,op_info\n"
      "4,519,32,Default/Cast-op1,x,x,CastV2,Default," +
      info +
      "\n"
      "4,519,8,Default/Cast-op1,x,x,Other,Default,{}\n"  // of two with one name the first
      "5,519,,Default/Mul-op2,x,x,,Default,\n";
  Tables tables = read_both(read_ms_operator_names,
                            "full_kernel_name,execution_time,execution_frequency\n"
                            "Default/Cast-op1,1,1\nDefault/Mul-op2,1,1\nDefault/Add-op3,1,1\n",
                            read_ms_framework, framework);
  const std::vector<std::string_view> columns = {"op_type",       "block_dim",     "input_shapes",  "input_dtypes",
                                                 "input_formats", "output_shapes", "output_dtypes", "output_formats"};
  CHECK(tables.row(kNames, 0, columns) == "CastV2|32|;2,3;7|F16;F32;|ND;NCHW;|1|I8|ND");
  CHECK(tables.row(kNames, 1, columns) == "Mul|null|null|null|null|null|null|null");
  CHECK(tables.row(kNames, 2, columns) == "Add|null|null|null|null|null|null|null");
  CHECK(tables.losses().empty());

  Tables kernels =
      read_both(read_ms_timeline, "op_name, stream_id, start_time(ms), duration(ms)\nDefault/Cast-op1,519,1.5,0.25\n",
                read_ms_framework, framework);
  CHECK(kernels.row(kKernel, 0, columns) == "CastV2|32|;2,3;7|F16;F32;|ND;NCHW;|1|I8|ND");

  // Alone it fills nothing, and odd cells are counted.
  Tables alone = read_text(read_ms_framework,
                           "full_op_name,op_type,block_dim,op_info\n,a,1,{}\nb,a,x,{}\nc,a,1,[]\nd,a,1,{\n"
                           "e,a,1,\"{\"\"input_x\"\": {}}\"\nf,a,1,\"{\"\"input_0\"\": 1, \"\"attr\"\": 2}\"\n");
  CHECK(alone.losses() == Losses{"csv.bad_cell 6 @2"});
  CHECK(alone.rows(kNames) + alone.rows(kKernel) == 0);
  CHECK(read_text(read_ms_framework, "full_op_name,block_dim\na,1\n").losses() == Losses{"csv.no_header 1 @1"});
}

TEST_CASE("MindSpore: executions, from ms to ns without a double") {
  Tables tables = read_text(read_ms_timeline,
                            "op_name, stream_id, start_time(ms), duration(ms)\r\n"
                            "Default/AssignAdd-op414,519,154907895.95956,0.0031\r\n"
                            "Default/AllReduce-op7,520,154907895.962660,1e-05\r\n");
  CHECK(tables.row(kKernel, 0, {"name", "op_type", "class", "stream", "start_ns", "dur_ns", "step", "src_pos"}) ==
        "Default/AssignAdd-op414|AssignAdd|compute|519|154907895959560|3100|null|1");
  CHECK(tables.row(kKernel, 1, {"op_type", "class", "start_ns", "dur_ns"}) ==
        "AllReduce|communication|154907895962660|10");
  CHECK(tables.losses().empty());
  tables =
      read_text(read_ms_timeline, "op_name,start_time(ms),duration(ms)\na,x,1\nb,1,-1\nc,1e30,1\nd,1,99999999\ne,1,1");
  CHECK(tables.rows(kKernel) == 1);
  CHECK(tables.losses() == Losses{"csv.bad_cell 4 @2", "csv.no_final_newline 1 @6"});
}

TEST_CASE("MindSpore: tasks of the AI CPU") {
  Tables tables = read_text(read_ms_aicpu,
                            "serial_number,kernel_type,total_time,dispatch_time,execution_time,run_start,run_end\n"
                            "2,GetNext,0.888,0.132,0.22,154907895189,154907895707\n"
                            "1,InitData,7.906,0.15,,154901853050,154901853210\n");
  const std::vector<std::string_view> columns = {"start_ns",    "name",     "compute_ns", "memcpy_ns", "task_ns",
                                                 "dispatch_ns", "total_ns", "stream",     "src_pos"};
  CHECK(tables.row(kAicpu, 0, columns) == "154901853050000|InitData|null|null|null|150000|7906000|null|2");
  CHECK(tables.row(kAicpu, 1, columns) == "154907895189000|GetNext|220000|null|null|132000|888000|null|1");
}

TEST_CASE("MindSpore: iterations in ticks of 10 ns, without the row of means") {
  const std::string header = "step_num,start_point,end_point,total,fp_point,stream_48_0_Send-op1\n";
  Tables tables = read_text(read_ms_steps, header +
                                               "1,1162412079349,1162429898009,17818660,1,2\n"
                                               "2,1162429898009,1162447999278,18101269,1,2\n"
                                               "-,1162844535098,1162862565212,18030115,1,2\n");
  REQUIRE(tables.rows(kStep) == 2);
  CHECK(tables.row(kStep, 0, {"step", "iteration_ns", "start_ns", "end_ns", "computing_ns", "src_pos"}) ==
        "1|178186600|11624120793490|11624298980090|null|1");
  CHECK(tables.row(kStep, 1, {"step", "src_pos"}) == "2|2");
  CHECK(tables.losses().empty());
  tables = read_text(read_ms_steps, header + "1,5,15,10,1,2\n0,0,0,0,0,0\n");
  CHECK(tables.rows(kStep) == 1);
  CHECK(tables.losses().empty());
  tables =
      read_text(read_ms_steps, header + "1,5,15,-10,1,2\nx,5,15,10,1,2\n3,,15,10,1,2\n4,5,9e18,10,1,2\n-,1,1,1,1,1\n");
  CHECK(tables.rows(kStep) == 0);
  CHECK(tables.losses() == Losses{"csv.no_rows 1", "csv.bad_cell 4 @2"});
}

TEST_CASE("MindSpore: what operators moved between ranks") {
  const std::string header = "step_num,communication_cost,wait_cost,link_info,communication_operator_cost\n";
  const auto cell = [](const std::string& json) {
    std::string out = "\"";
    for (const char c : json) out += c == '"' ? "\"\"" : std::string(1, c);
    return out + "\"";
  };
  const std::string cost =
      R"({"stream_41_0_AllReduce-op4582": ["1", 0.00322, 0.01035, )"
      R"({"1-0": {"SDMA": [0.00237, 4.096, 1728270.0421940926]}, "0-0": {"SDMA": [0.5, 2, null]}}], )"
      R"("stream_9_0_Send-op1": ["1", 1, 2, {"0-2": {"RDMA": [1, 1000]}}]})";
  Tables tables = read_text(
      read_ms_hccl, header + "7,1,2,{}," + cell(cost) + "\n-,1,2,{}," + cell(cost) + "\n0,1,2,{}," + cell(cost) + "\n");
  const std::vector<std::string_view> columns = {"step",     "name",      "kind",  "group_id",   "src_rank",
                                                 "dst_rank", "transport", "bytes", "transit_ns", "bandwidth_gb_s"};
  REQUIRE(tables.rows(kMatrix) == 3);
  CHECK(tables.row(kMatrix, 0, columns) == "7|stream_41_0_AllReduce-op4582|collective|null|0|0|SDMA|2000|500000|null");
  CHECK(tables.row(kMatrix, 1, columns) ==
        "7|stream_41_0_AllReduce-op4582|collective|null|1|0|SDMA|4096|2370|1.7282700421940926");
  CHECK(tables.row(kMatrix, 2, columns) == "7|stream_9_0_Send-op1|p2p|null|0|2|RDMA|1000000|1000000|null");
  CHECK(tables.losses().empty());

  const auto one = [](const std::string& links) { return R"({"op": ["1", 1, 1, )" + links + "]}"; };
  std::string odd = header;
  for (const std::string& json :
       {std::string("["), std::string("[]"), std::string(R"({"op": 1})"), one("1"), one(R"({"0-1": 1})"),
        one(R"({"01": {"SDMA": [1, 1]}})"), one(R"({"0-x": {"SDMA": [1, 1]}})"), one(R"({"0-1": {"SDMA": [1]}})"),
        one(R"({"0-1": {"SDMA": ["1", 1]}})"), one(R"({"0-1": {"SDMA": [1e300, 1]}})"),
        one(R"({"0--1": {"A": [1, 1]}})")}) {
    odd += "1,1,1,{}," + cell(json) + "\n";
  }
  odd += "x,1,1,{},{}\n1,1,1,{}," + std::string(200, '[') + "\n";
  tables = read_text(read_ms_hccl, odd);
  CHECK(tables.rows(kMatrix) == 0);
  CHECK(tables.losses() == Losses{"csv.bad_cell 13 @2"});
}

TEST_CASE("MindSpore: the picture of a timeline has operators with their tensors, and tasks of the AI CPU") {
  const std::string picture =
      R"([{"name": "GetNext", "ph": "X", "tid": "0", "ts": 7.25, "dur": 0.5180000001, "pid": 9000},
{"name": "Mul-op29", "ph": "X", "tid": 519, "ts": "12.7700000209733844", "dur": 2.15, "pid": 1, "args": {"type": "Mul",
 "fullname": "Default/net/Mul-op29", "input_1": {"format": "NC1HWC0", "data_type": "FLOAT32", "shape": ""},
 "input_0": {"format": "DefaultFormat", "data_type": "FLOAT16", "shape": "2,3"}, "input_x": 1,
 "output_0": {"format": "ND", "data_type": "FLOAT16", "shape": "2,3"}}},
{"name": "AllReduce-op1", "ph": "X", "tid": "520", "ts": 0.0, "dur": 1, "pid": 1, "args": {}},
{"name": "stream_520_parallel_0", "ph": "X", "tid": 520, "ts": 0.0, "dur": 1, "pid": 10000},
{"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "Ascend"}}])";
  Tables tables = read_text(read_ms_display, picture);
  REQUIRE(tables.rows(kKernel) == 2);
  CHECK(tables.row(kKernel, 0, {"name", "op_type", "class", "stream", "start_ns", "dur_ns", "input_shapes"}) ==
        "AllReduce-op1|AllReduce|communication|520|0|1000|null");
  CHECK(tables.row(kKernel, 1, {"name", "op_type", "class", "stream", "start_ns", "dur_ns", "src_pos"}) ==
        "Default/net/Mul-op29|Mul|compute|519|12770|2150|91");
  CHECK(tables.row(kKernel, 1, {"input_shapes", "input_dtypes", "input_formats", "output_shapes", "step", "wait_ns"}) ==
        "2,3;|FLOAT16;FLOAT32|DefaultFormat;NC1HWC0|2,3|null|null");
  REQUIRE(tables.rows(kAicpu) == 1);
  CHECK(tables.row(kAicpu, 0, {"name", "start_ns", "task_ns", "compute_ns"}) == "GetNext|7250|518|null");
  CHECK(tables.losses().empty());

  // Where another file has them, it stands.
  tables = read_both(read_ms_timeline, "op_name, stream_id, start_time(ms), duration(ms)\nAdd-op1,1,5,6\n",
                     read_ms_display, picture);
  CHECK(tables.rows(kKernel) == 1);
  CHECK(tables.rows(kAicpu) == 1);

  // Cut anywhere: what is whole is read.
  for (size_t length = 1; length < picture.size(); ++length) {
    tables = read_text(read_ms_display, picture.substr(0, length));
    CHECK(tables.rows(kKernel) <= 2);
    CHECK(tables.losses().size() == 1);
  }
}

TEST_CASE("MindSpore: pictures that are none") {
  const auto losses = [](const std::string& text) { return read_text(read_ms_display, text).losses(); };
  CHECK(losses("{}") == Losses{"json.shape 1 @0"});
  CHECK(losses("[1, \"x\", [], null]") == Losses{"json.shape 4 @1"});
  const auto slice = [](const std::string& fields) { return R"([{"ph": "X", "tid": 1, "pid": 1, )" + fields + "}]"; };
  for (const char* fields :
       {R"("name": 1, "ts": 1, "dur": 1, "args": {})", R"("name": "a", "ts": -1, "dur": 1, "args": {})",
        R"("name": "a", "ts": 1e300, "dur": 1, "args": {})", R"("name": "a", "ts": 1, "dur": 1e14, "args": {})",
        R"("name": "a", "args": {})"}) {
    INFO(fields);
    CHECK(losses(slice(fields)) == Losses{"json.shape 1 @1"});
  }
  CHECK(losses(slice(R"("name": "a", "ts": 1, "dur": 1, "args": 7)")).size() == 1);
  CHECK(losses(slice(R"("name": "a", "ts": 1, "dur": 1, "args": {"input_0": 7})")).size() == 1);
  CHECK(losses("[{\"name\": \"a\", \"ph\": \"X\", \"ts\": 1, \"dur\": 1, \"args\": " + std::string(5000, '[')).size() <=
        2);
}

TEST_CASE("MindSpore: chunks of any size, and a byte order mark, change nothing") {
  const std::string steps = "\xEF\xBB\xBFstep_num,start_point,end_point,total\n1,5,15,10\n-,1,1,1\n2,15,25,10\n";
  const std::string whole = read_text(read_ms_steps, steps).dump();
  const std::string info = "full_op_name,op_type,op_info\na,b,\"{\"\"input_0\"\": 1}\"\nc,\xFF,\n";
  const std::string counted = read_text(read_ms_framework, info).dump();
  for (size_t chunk = 1; chunk < 32; ++chunk) {
    CHECK(read_text(read_ms_steps, steps, chunk).dump() == whole);
    CHECK(read_text(read_ms_framework, info, chunk).dump() == counted);
  }
}

}  // namespace stepwise::ingest
