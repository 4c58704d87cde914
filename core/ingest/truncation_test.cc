// A file that ends too early, at each of its bytes: every record is delivered, or counted as lost.
#include <string>
#include <vector>

#include "core/ingest/readers.h"
#include "core/ingest/tables_test_files.h"
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
