// A file that ends too early, at each of its bytes: every record is delivered, or counted as lost.
#include <string>
#include <vector>

#include "core/ingest/base/readers.h"
#include "core/ingest/exports/tables_test_files.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

struct CsvCase {
  const char* what;
  Reader* reader;
  const table::TableDecl* table;
  std::string header;
  std::vector<std::string> records;
};

std::vector<CsvCase> csv_cases() {
  return {
      {"kernel_details",
       read_kernel_details,
       &table::kernel::kTable,
       "Name,Start Time(us),Duration(us),Input Shapes,Block Dim\r\n",
       {"add,1700000000000123.456\t,4.380,\"\"\"8,16;16\"\"\",40\r\n", "mul,1700000000000223.456\t,5.380,N/A,4\r\n"}},
      {"op_summary",
       read_op_summary,
       &table::kernel::kTable,
       "Op Name,Task Start Time(us),Task Duration(us),Input Shapes,Block Num\n",
       {"add,1700000000000123.456\t,4.380,\"\"\"8,16;16\"\"\",40\n", "mul,1700000000000223.456\t,5.380,N/A,4\n"}},
      {"task_time",
       read_task_time,
       &table::kernel::kTable,
       "kernel_name,kernel_type,stream_id,task_start(us),task_id,task_time(us)\n",
       {"Add,AI_CORE,46,1787504100027457.170\t,0,4.540\n", "Mul,AI_CORE,46,1787504100028216.605\t,1,9.040\n"}},
      {"step_trace_time",
       read_step_trace_time,
       &table::step::kTable,
       "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble\n",
       {"1,10.5,20.5,30.5,40.5,50.5,60.5,70.5\n", "2,11.5,21.5,31.5,41.5,51.5,61.5,71.5\n"}},
      {"step_trace",
       read_step_trace,
       &table::step::kTable,
       "Iteration ID,Iteration End(us),Iteration Time(us),Reduce Start(us),Reduce Duration(us),Reduce Start(us)\n",
       {"1,1700000000000123.456\t,10.5,17,3,N/A\n", "2,1700000000000223.456\t,11.5\n"}},
      {"op_statistic",
       read_op_statistic,
       &table::op_stat::kTable,
       "OP Type,Core Type,Count,Total Time(us)\n",
       {"Add,AI_CORE,12,34.5\n", "Mul,AI_CORE,13,35.5\n"}},
      {"aicore_intermediate_type",
       read_ms_operator_types,
       &table::op_stat::kTable,
       "kernel_type,total_time,execution_frequency\n",
       {"Add,34.5,12\n", "Mul,35.5,13\n"}},
      {"aicore_intermediate_detail",
       read_ms_operator_names,
       &table::op_name_stat::kTable,
       "full_kernel_name,execution_time,execution_frequency\n",
       {"a/Add-op1,34.5,12\n", "Mul-op2,35.5,13\n"}},
      {"aicpu_intermediate",
       read_ms_aicpu,
       &table::aicpu_task::kTable,
       "serial_number,kernel_type,total_time,dispatch_time,execution_time,run_start,run_end\n",
       {"1,GetNext,1.5,0.5,1,1500,1600\n", "2,GetNext,2.5,0.5,2,1700,1800\n"}},
      {"output_timeline_data",
       read_ms_timeline,
       &table::kernel::kTable,
       "op_name, stream_id, start_time(ms), duration(ms)\n",
       {"a/Add-op1,519,1.25,0.5\n", "Mul-op2,519,2.25,0.5\n"}},
      {"step_trace_raw",
       read_ms_steps,
       &table::step::kTable,
       "step_num,start_point,end_point,total\n",
       {"1,5,15,10\n", "2,15,26,11\n"}},
      {"api_statistic",
       read_api_statistic,
       &table::api_stat::kTable,
       "Level,API Name,Time(us),Count\n",
       {"acl,launch,34.5,12\n", "node,launch,35.5,13\n"}},
      {"operator_details",
       read_operator_details,
       &table::op_detail::kTable,
       "Name,Input Shapes,Call Stack,Host Self Duration(us)\r\n",
       {"aten::add,\"8,16;\r\n16;\r\n\",\"a(1);\r\nb(2)\",66.25\r\n", "aten::mul,,,67.25\r\n"}},
      {"memory_record",
       read_memory_record,
       &table::memory::kTable,
       "Component,Timestamp(us),Total Reserved(MB),Total Active(MB)\r\n",
       {"APP,1700000000000123.456\t,2109.5,\r\n", "PTA,1700000000000223.456\t,8,4.25\r\n"}},
      {"npu_mem",
       read_npu_mem,
       &table::memory::kTable,
       "event,timestamp(us),memory(KB)\n",
       {"app,1700000000000123.456\t,25\n", "device,1700000000000223.456\t,26\n"}},
      {"operator_memory",
       read_operator_memory,
       &table::memory_block::kTable,
       "Name,Allocation Time(us),Duration(us),Size(KB)\r\n",
       {"aten::add,1700000000000123.456\t,1.5\t,25\r\n", "aten::mul,1700000000000223.456\t,,26\r\n"}},
      {"npu_module_mem",
       read_npu_module_mem,
       &table::module_memory::kTable,
       "Component,Timestamp(us),Total Reserved(MB)\n",
       {"SLOG,1700000000000123.456\t,2.5\n", "HCCL,1700000000000223.456\t,3.5\n"}},
      {"static_op_mem",
       read_static_op_mem,
       &table::static_memory::kTable,
       "Op Name,Graph ID,Size(KB)\n",
       {"Add,3,25\n", "Mul,3,26\n"}},
      {"l2_cache",
       read_l2_cache,
       &table::l2_cache::kTable,
       "Stream Id,Task Id,Hit Rate,Victim Rate,Op Name\n",
       {"2,7,N/A,0.5,Add\n", "2,8,0.5,0.25,Mul\n"}},
      {"data_preprocess",
       read_data_preprocess,
       &table::aicpu_task::kTable,
       "Node,Compute_time(us),Timestamp(us)\n",
       {"Unique,1.5,1700000000000123.456\n", "GetNext,2.5,1700000000000223.456\n"}},
      {"fusion_op",
       read_fusion_op,
       &table::fusion_op::kTable,
       "Fusion Op,Original Ops,Memory Total(KB)\n",
       {"AddRelu,Add;Relu,25\n", "MulRelu,Mul;Relu,26\n"}},
  };
}

/// Of records that were lost: the others speak of the file as a whole.
uint64_t sum_of_counts(const std::vector<std::string>& losses) {
  uint64_t sum = 0;
  for (const std::string& one : losses) {
    if (!one.starts_with("csv.no_final_newline") && !one.starts_with("csv.no_rows"))
      sum += std::stoull(one.substr(one.find(' ') + 1));
  }
  return sum;
}

}  // namespace

TEST_CASE("truncated CSV: rows and losses are conserved at every byte") {
  for (const CsvCase& one : csv_cases()) {
    INFO(one.what);
    std::string text = one.header;
    std::vector<size_t> ends;  // of the records, line breaks included
    for (const std::string& record : one.records) ends.push_back((text += record).size());
    const std::string whole = read_text(one.reader, text).row(*one.table, 0, {"src_pos"});
    CHECK(whole == "1");
    for (size_t length = 0; length <= text.size(); ++length) {
      INFO(length);
      Tables tables = read_text(one.reader, text.substr(0, length));
      const auto losses = tables.losses();
      const bool in_header = length < one.header.size();
      uint64_t whole_records = 0, begun = 0;
      for (size_t i = 0; i < ends.size(); ++i) {
        const size_t begin = i == 0 ? one.header.size() : ends[i - 1];
        whole_records += length >= ends[i];
        begun += length > begin;
      }
      if (in_header) {
        CHECK(tables.rows(*one.table) == 0);
        CHECK_FALSE(losses.empty());  // empty, cut, or no header
      } else {
        CHECK(tables.rows(*one.table) + sum_of_counts(losses) == begun);
        CHECK(tables.rows(*one.table) >= whole_records);
        // A row that may be too short in its last cell never comes without a word.
        if (begun > whole_records) CHECK_FALSE(losses.empty());
        if (begun == whole_records) CHECK(losses.empty() == (begun != 0));
      }
    }
  }
}

TEST_CASE("CSV: chunks of any size give the same tables") {
  for (const CsvCase& one : csv_cases()) {
    std::string text = one.header;
    for (const std::string& record : one.records) text += record;
    text += "ragged\n" + one.records[0] + "cut,\"";
    const std::string whole = read_text(one.reader, text).dump();
    for (size_t chunk = 1; chunk <= text.size() + 1; ++chunk) CHECK(read_text(one.reader, text, chunk).dump() == whole);
  }
}

TEST_CASE("truncated JSON: whole operations stay, the cut is counted, at every byte") {
  const std::string time =
      R"_({"Communication Time Info": {"Start Timestamp(us)": 1764246877076689.8, "Elapse Time(ms)": 1, )_"
      R"_("Transit Time(ms)": 1, "Wait Time(ms)": 0, "Synchronization Time(ms)": 0, "Idle Time(ms)": 0}})_";
  const std::string text = R"_({"step7": {"p2p": {"hcom_send__1@5": )_" + time + R"_(, "hcom_receive__1@5": )_" + time +
                           R"_(}, "collective": {"hcom_allReduce__2@5": )_" + time + "}}}";
  std::vector<size_t> ends;  // of the operations
  for (size_t at = text.find("\"hcom_"); at != std::string::npos; at = text.find("\"hcom_", at + 1)) {
    ends.push_back(text.find("}}", at) + 2);
  }
  REQUIRE(ends.size() == 3);
  for (size_t length = 0; length <= text.size(); ++length) {
    INFO(length);
    Tables tables = read_text(read_communication, text.substr(0, length));
    uint64_t whole = 0;
    for (const size_t end : ends) whole += length >= end;
    CHECK(tables.rows(table::comm_op::kTable) == whole);
    CHECK(tables.losses().empty() == (length == text.size()));
    CHECK(tables.losses().size() <= 1);
  }

  const std::string info = R"_({"config": {"level": "Level1", "list": [1, 2]}, "rank_id": "0"})_";
  for (size_t length = 0; length <= info.size(); ++length) {
    Tables tables = read_text(read_metadata, info.substr(0, length));
    CHECK(tables.losses().size() == (length == info.size() ? 0 : 1));
    CHECK(tables.rows(table::meta::kTable) == (length == info.size() ? 3 : 0));
  }
}

}  // namespace stepwise::ingest
