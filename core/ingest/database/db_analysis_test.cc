// analysis.db into the tables of step_trace_time.csv and communication*.json.
#include <string>
#include <vector>

#include "core/ingest/base/readers.h"
#include "core/ingest/database/db_test_files.h"

namespace stepwise::ingest {
namespace {

constexpr const char* kAnalysis = R"(
CREATE TABLE StepTraceTime (deviceId INTEGER, step TEXT, computing NUMERIC, communication_not_overlapped NUMERIC,
  overlapped NUMERIC, communication NUMERIC, free NUMERIC, stage NUMERIC, bubble NUMERIC,
  communication_not_overlapped_and_exclude_receive NUMERIC, preparing NUMERIC);
INSERT INTO StepTraceTime VALUES (4,'13',400448.26,277649.66,0,277649.66,131705.28,809803.2,0,277649.66,189.13),
  (1,NULL,72.7,0,0,0,255711.6,255784.3,0,0,0),(2,'14','seven',0,0,0,0,0,0,0,0);
CREATE TABLE CommAnalyzerTime (hccl_op_name TEXT, group_name TEXT, start_timestamp NUMERIC, elapse_time NUMERIC,
  transit_time NUMERIC, wait_time NUMERIC, synchronization_time NUMERIC, idle_time NUMERIC, step TEXT, type TEXT);
INSERT INTO CommAnalyzerTime VALUES
  ('hcom_allReduce__210_1_1','171',1736410576520400,2.1803235625,1.31642634375,6.000000000000001e-05,0,0.86383721875,
   'step50','collective'),
  ('hcom_send__3_0_1','172',1736410576431645.2,1.5,0,0,0,1.5,'step','p2p'),
  ('Total Op Info','172',0,1.5,0,0,0,1.5,'step','p2p'), ('hcom_send__4_0_1','172',1,1.5,0,0,0,1.5,'later','p2p');
CREATE TABLE CommAnalyzerBandwidth (hccl_op_name TEXT, group_name TEXT, transport_type TEXT, transit_size NUMERIC,
  transit_time NUMERIC, bandwidth NUMERIC, large_packet_ratio NUMERIC, package_size NUMERIC, count NUMERIC,
  total_duration NUMERIC, step TEXT, type TEXT);
INSERT INTO CommAnalyzerBandwidth VALUES
  ('hcom_allReduce__210_1_1','171','HCCS',28.647232000000002,1.82189634375,15.7239,0,2.064384,12,1.58139153125,'step50',
   'collective'),
  ('hcom_allReduce__210_1_1','171','HCCS',28.647232000000002,1.82189634375,15.7239,0,1.937312,2,0.2405048125,'step50',
   'collective'),
  ('hcom_allReduce__210_1_1','171','SDMA',28.647232000000002,1.82189634375,15.7239,0,0,0,0,'step50','collective'),
  ('hcom_nobody','171','SDMA',1,1,1,0,0,0,0,'step50','collective');
CREATE TABLE CommAnalyzerMatrix (hccl_op_name TEXT, group_name TEXT, src_rank TEXT, dst_rank TEXT, transport_type TEXT,
  transit_size NUMERIC, transit_time NUMERIC, bandwidth NUMERIC, step TEXT, type TEXT, op_name TEXT);
INSERT INTO CommAnalyzerMatrix VALUES
  ('allreduce-top1','171','0','1','HCCS',37.781504,2.23410465625,16.9113,'step50','collective','hcom_allReduce__210_2_1'),
  ('allreduce-total','171','0','0','',4.5,0.0083,NULL,'step50','collective',''),
  ('hcom_send__822_0','171','0','8','RDMA',1,1,1,'step','p2p',NULL), ('x','171','-1','0','',1,1,1,'step50','p2p','');
)";

std::vector<std::string> rows_of(Tables& tables, const table::TableDecl& decl,
                                 const std::vector<std::string_view>& columns) {
  std::vector<std::string> out;
  for (uint64_t i = 0; i < tables.rows(decl); ++i) out.push_back(tables.row(decl, i, columns));
  return out;
}
using Rows = std::vector<std::string>;

}  // namespace

TEST_CASE("analysis db: steps, operations, traffic, matrix") {
  const TemporaryFolder folder;
  Tables tables;
  read_into(tables, read_analysis_db, make_database(folder, "analysis.db", kAnalysis), 1);
  CHECK(rows_of(tables, table::step::kTable,
                {"step", "device", "computing_ns", "not_overlapped_ns", "free_ns", "stage_ns", "preparing_ns"}) ==
        Rows{"13|4|400448260|277649660|131705280|809803200|189130", "null|1|72700|0|255711600|255784300|0"});
  // In order of start. 1736410576431645.2 us is a double, and so exact to 0.25 us; its text gives the ns.
  CHECK(rows_of(tables, table::comm_op::kTable,
                {"step", "name", "type", "kind", "group_id", "start_ns", "elapse_ns", "transit_ns", "wait_ns",
                 "sync_ns", "idle_ns"}) ==
        Rows{"null|hcom_send__3_0_1|send|p2p|172|1736410576431645200|1500000|0|0|0|1500000",
             "50|hcom_allReduce__210_1_1|allReduce|collective|171|1736410576520400000|2180324|1316426|60|0|863837"});
  CHECK(rows_of(tables, table::comm_link::kTable,
                {"comm_op_id", "transport", "bytes", "transit_ns", "bandwidth_gb_s", "large_packet_ratio"}) ==
        Rows{"1|HCCS|28647232|1821896|15.7239|0", "1|SDMA|28647232|1821896|15.7239|0"});
  CHECK(rows_of(tables, table::comm_packet::kTable, {"comm_op_id", "transport", "packet_bytes", "count", "total_ns"}) ==
        Rows{"1|HCCS|2064384|12|1581392", "1|HCCS|1937312|2|240505"});
  CHECK(rows_of(tables, table::comm_matrix::kTable,
                {"step", "name", "kind", "src_rank", "dst_rank", "transport", "bytes", "transit_ns", "op_name"}) ==
        Rows{"50|allreduce-top1|collective|0|1|HCCS|37781504|2234105|hcom_allReduce__210_2_1",
             "50|allreduce-total|collective|0|0|null|4500000|8300|null",
             "null|hcom_send__822_0|p2p|0|8|RDMA|1000000|1000000|hcom_send__822_0"});
  CHECK(tables.losses() == Rows{"db.bad_row 4 @3"});
}

TEST_CASE("analysis db: an operation with more transports than there can be keeps the first") {
  const TemporaryFolder folder;
  Tables tables;
  read_into(tables, read_analysis_db, make_database(folder, "analysis.db", std::string(kAnalysis) + R"(
    INSERT INTO CommAnalyzerBandwidth WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70)
      SELECT 'hcom_allReduce__210_1_1','171','T' || i,1,1,1,0,0,0,0,'step50','collective' FROM n;)"),
            1);
  CHECK(tables.rows(table::comm_link::kTable) == 64);
  CHECK(tables.losses() == Rows{"db.bad_row 12 @3"});
}

TEST_CASE("analysis db: what a text file has filled stands") {
  const TemporaryFolder folder;
  Tables tables;
  tables.builder().table(table::step::kTable);
  tables.builder().table(table::comm_op::kTable);
  read_into(tables, read_analysis_db, make_database(folder, "analysis.db", kAnalysis), 1);
  CHECK(tables.rows(table::step::kTable) == 0);
  CHECK(tables.rows(table::comm_op::kTable) == 0);
  CHECK(tables.rows(table::comm_matrix::kTable) == 3);
}

}  // namespace stepwise::ingest
