// What a cluster analysis left: its text files and its database, what comes out of each, and what odd ones lose.
#include <string>
#include <vector>

#include "core/ingest/base/rank_set.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/database/db_test_files.h"
#include "core/ingest/exports/tables_test_files.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

using Losses = std::vector<std::string>;
using Columns = std::vector<std::string_view>;

const table::TableDecl &kStep = table::cluster_step::kTable, &kOp = table::cluster_comm_op::kTable,
                       &kLink = table::cluster_comm_link::kTable, &kMatrix = table::cluster_comm_matrix::kTable,
                       &kGroup = table::comm_group::kTable;

const Columns kStepColumns = {"step",
                              "kind",
                              "of_rank",
                              "stage_ranks",
                              "computing_ns",
                              "communication_ns",
                              "not_overlapped_ns",
                              "overlapped_ns",
                              "free_ns",
                              "stage_ns",
                              "bubble_ns",
                              "not_overlapped_exclude_receive_ns",
                              "preparing_ns",
                              "dp_index",
                              "pp_index",
                              "tp_index",
                              "src_pos"};
const Columns kOpColumns = {"step",     "name",      "kind",       "group_id", "group_ranks", "of_rank",
                            "start_ns", "elapse_ns", "transit_ns", "wait_ns",  "sync_ns",     "idle_ns"};
const Columns kMatrixColumns = {"step",     "name",      "kind",  "group_id",   "group_ranks",    "src_rank",
                                "dst_rank", "transport", "bytes", "transit_ns", "bandwidth_gb_s", "op_name"};
const Columns kLinkColumns = {"cluster_comm_op_id", "transport",      "bytes",
                              "transit_ns",         "bandwidth_gb_s", "large_packet_ratio"};
const Columns kGroupColumns = {"kind", "ranks", "group_id", "group_name", "parallel", "src_pos"};

Tables read_sql(const std::string& statements) {
  const TemporaryFolder folder;
  Tables tables;
  read_into(tables, read_cluster_db, make_database(folder, "cluster_analysis.db", statements), 1);
  return tables;
}

std::string times(const std::string& start) {
  return R"_({"Communication Time Info": {)_" + start +
         R"_("Elapse Time(ms)": 0.9, "Transit Time(ms)": 0.8, "Wait Time(ms)": 2e-05, "Idle Time(ms)": 0.1, )_"
         R"_("Synchronization Time(ms)": 1e-05}, "Communication Bandwidth Info": {"RDMA": {"Transit Time(ms)": )_"
         R"_(0.86381540625, "Transit Size(MB)": 20.97152, "Bandwidth(GB/s)": 24.2778, "Large Packet Ratio": 1.0, )_"
         R"_("Size Distribution": {"20.97152": [1, 0.86]}}, "SDMA": {"Transit Size(MB)": 0, "Transit Time(ms)": 0}}})_";
}
const std::string kStart = R"_("Start Timestamp(us)": 1695115378810042.5, )_";

}  // namespace

TEST_CASE("cluster: groups of ranks, as Python and others write them") {
  CHECK(rank_set_of("(11, 3)") == "3,11");
  CHECK(rank_set_of(" (7,) ") == "7");
  CHECK(rank_set_of("[1,2,2]") == "1,2");
  CHECK(rank_set_of("{0}") == "0");
  for (const char* text : {"", "(", "()", "(1", "1)", "(1]", "(a)", "(-1)", "(1;2)", "5", "p2p", "(,1)", "(1,,2)"}) {
    INFO(text);
    CHECK_FALSE(rank_set_of(text).has_value());
  }
}

TEST_CASE("cluster: steps of ranks and of stages") {
  const std::string old =
      "Step,Type,Index,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
      "Communication(Not Overlapped and Exclude Receive)";
  Tables tables = read_text(read_cluster_step_trace, old +
                                                         ",Preparing,DP Index,PP Index,TP Index\r\n"
                                                         "2,rank,15,79831.10000000011,2,3,4,5,6,7,8,-9.5,0,1,2\r\n"
                                                         "2,stage,\"(0, 1, 2)\",1,2,3,4,5,6,0,8,9,NA,NA,NA\r\n");
  CHECK(tables.row(kStep, 0, kStepColumns) ==
        "2|rank|15|null|79831100|4000|2000|3000|5000|6000|7000|8000|-9500|0|1|2|1");
  CHECK(tables.row(kStep, 1, kStepColumns) ==
        "2|stage|null|0,1,2|1000|4000|2000|3000|5000|6000|0|8000|9000|null|null|null|2");
  CHECK(tables.losses().empty());

  tables = read_text(read_cluster_step_trace, old + "\n,rank,0,1,2,3,4,5,6,7,8\n");
  CHECK(tables.row(kStep, 0, {"step", "of_rank", "preparing_ns", "pp_index"}) == "null|0|null|null");
  tables = read_text(read_cluster_step_trace,
                     old +
                         "\n1,rank,x,1,2,3,4,5,6,7,8\n1,rank,-1,1,2,3,4,5,6,7,8\n1,rank,,1,2,3,4,5,6,7,8\n"
                         "1,,1,1,2,3,4,5,6,7,8\n1,stage,(1,1,2,3,4,5,6,7,8\n1,stage,\"(1;2)\",1,2,3,4,5,6,7,8\n"
                         "1,rank,0,1,2,3,N/A,5,6,7,8\n");
  CHECK(tables.rows(kStep) == 1);  // Type is a text, so it may be empty
  CHECK(tables.losses() == Losses{"csv.bad_cell 6 @2"});
}

TEST_CASE("cluster: operations as each rank saw them, without sums of the others") {
  const std::string text = R"_({"p2p": {"step2": {"hcom_send__822_0@133": {"0": )_" + times(kStart) + R"_(, "8": )_" +
                           times("") + R"_(}, "Total Op Info": {"0": )_" + times(kStart) +
                           R"_(}}}, "(11, 3)": {"step": {"hcom_allReduce__1": {"3": )_" + times(kStart) + "}}}}";
  Tables tables = read_text(read_cluster_communication, text);
  REQUIRE(tables.rows(kOp) == 3);
  CHECK(tables.row(kOp, 0, kOpColumns) ==
        "2|hcom_send__822_0|p2p|133|null|0|1695115378810042500|900000|800000|20|10|100000");
  CHECK(tables.row(kOp, 1, {"of_rank", "start_ns", "elapse_ns"}) == "8|null|900000");
  CHECK(tables.row(kOp, 2, kOpColumns) ==
        "null|hcom_allReduce__1|collective|null|3,11|3|1695115378810042500|900000|800000|20|10|100000");
  CHECK(tables.row(kOp, 0, {"src_pos"}) == std::to_string(text.find("\"0\"")));
  REQUIRE(tables.rows(kLink) == 6);
  CHECK(tables.row(kLink, 4, kLinkColumns) == "2|RDMA|20971520|863815|24.2778|1");
  CHECK(tables.row(kLink, 5, {"transport", "bytes", "bandwidth_gb_s"}) == "SDMA|0|null");
  CHECK(tables.losses().empty());

  // No rank twice, an operation without times, one that is a number, no operation, no step, a step and groups that are
  // none.
  const std::string start = R"_({"p2p": {"step1": {"a": {)_";
  tables =
      read_text(read_cluster_communication, start + R"_("x": )_" + times(kStart) + R"_(, "-1": )_" + times(kStart) +
                                                R"_(, "1": {}, "2": 3}, "b": []}, "later": {}, "step3": 1}, )_" +
                                                R"_("(1": {}, "q": {}, "(2)": []})_");
  CHECK(tables.rows(kOp) == 0);
  CHECK(tables.losses() == Losses{"json.shape 10 @" + std::to_string(start.size())});
}

TEST_CASE("cluster: a file of operations that ends early, at every byte") {
  const std::string text = R"_({"p2p": {"step2": {"a@1": {"0": )_" + times(kStart) + R"_(, "8": )_" + times(kStart) +
                           R"_(}}}, "(0, 8)": {"step2": {"b@2": {"0": )_" + times("") + "}}}}";
  std::vector<size_t> ends;  // of the ranks' objects
  for (size_t at = text.find("\"Idle"); at != std::string::npos; at = text.find("\"Idle", at + 1)) {
    ends.push_back(text.find("}}}", at) + 3);
  }
  REQUIRE(ends.size() == 3);
  for (size_t length = 0; length <= text.size(); ++length) {
    INFO(length);
    Tables tables = read_text(read_cluster_communication, text.substr(0, length));
    uint64_t whole = 0;
    for (const size_t end : ends) whole += length >= end;
    CHECK(tables.rows(kOp) == whole);
    CHECK(tables.losses().empty() == (length == text.size()));
  }
}

TEST_CASE("cluster: links between ranks of the whole cluster") {
  const std::string text =
      R"_({"(1, 0)": {"step7": {"allreduce-top1@9": {"0-1": {"Transport Type": "HCCS", "Transit Time(ms)": 0.00162, )_"
      R"_("Transit Size(MB)": 4e-05, "Bandwidth(GB/s)": 0.0247, "Op Name": "hcom_allReduce__9_1"}}, )_"
      R"_("Total Op Info": {"1-1": {"Transport Type": "", "Transit Time(ms)": 1, "Transit Size(MB)": 1}}}}, )_"
      R"_("p2p": {"step": {"hcom_send__1@2": {"0-8": {"Transit Time(ms)": 1, "Transit Size(MB)": 2}, )_"
      R"_("0_8": {}, "8": 1}}}})_";
  Tables tables = read_text(read_cluster_matrix, text);
  REQUIRE(tables.rows(kMatrix) == 3);
  CHECK(tables.row(kMatrix, 0, kMatrixColumns) ==
        "7|allreduce-top1|collective|9|0,1|0|1|HCCS|40|1620|0.0247|hcom_allReduce__9_1");
  CHECK(tables.row(kMatrix, 1, kMatrixColumns) ==
        "7|Total Op Info|collective|null|0,1|1|1|null|1000000|1000000|null|null");
  CHECK(tables.row(kMatrix, 2, kMatrixColumns) ==
        "null|hcom_send__1|p2p|2|null|0|8|null|2000000|1000000|null|hcom_send__1");
  CHECK(tables.losses() == Losses{"json.shape 2 @" + std::to_string(text.find("\"0_8\""))});
}

TEST_CASE("cluster: groups, named or only listed") {
  const std::string text =
      R"_({"collective": [[1, 0], [0, 4], [0, 4], [3]], "p2p": [[0, 1]], "comm_group_parallel_info": )_"
      R"_([{"type": "collective", "rank_set": [0, 1], "group_name": "696", "group_id": "ip%nic_1", "pg_name": "tp"}, )_"
      R"_({"type": "collective", "rank_set": [4, 0], "group_name": "960", "group_id": "", "pg_name": "pp"}]})_";
  Tables tables = read_text(read_cluster_groups, text);
  REQUIRE(tables.rows(kGroup) == 5);
  const auto at = [&text](const char* part) { return std::to_string(text.find(part)); };
  CHECK(tables.row(kGroup, 0, kGroupColumns) == "collective|0,4|null|null|null|" + at("[0, 4], [3]"));
  CHECK(tables.row(kGroup, 1, kGroupColumns) == "collective|3|null|null|null|" + at("[3]"));
  CHECK(tables.row(kGroup, 2, kGroupColumns) == "p2p|0,1|null|null|null|" + at("[0, 1]], \"comm"));
  CHECK(tables.row(kGroup, 3, kGroupColumns) == "collective|0,1|696|ip%nic_1|tp|" + at("{\"type\""));
  CHECK(tables.row(kGroup, 4, {"ranks", "group_id", "group_name", "parallel"}) == "0,4|960|null|pp");
  CHECK(tables.losses().empty());

  tables = read_text(read_cluster_groups,
                     R"_({"collective": [1, [], ["x"], [-1], {}], "p2p": {}, "comm_group_parallel_info": )_"
                     R"_([{}, {"type": "p2p"}, {"rank_set": [1]}, {"type": "p2p", "rank_set": "1"}, 5], "other": 1})_");
  CHECK(tables.rows(kGroup) == 0);
  CHECK(tables.losses() == Losses{"json.shape 11 @16"});
}

namespace {

constexpr const char* kDatabase = R"(
CREATE TABLE ClusterStepTraceTime (step TEXT, type TEXT, "index" TEXT, computing NUMERIC,
  communication_not_overlapped NUMERIC, overlapped NUMERIC, communication NUMERIC, free NUMERIC, stage NUMERIC,
  bubble NUMERIC, communication_not_overlapped_and_exclude_receive NUMERIC, preparing NUMERIC, dp_index INTEGER,
  pp_index INTEGER, tp_index INTEGER);
INSERT INTO ClusterStepTraceTime VALUES ('2','rank','15',79831.10000000011,2,3,4,5,6,7,8,-9.5,0,1,2),
  (NULL,'stage','(0,1,2)',1,2,3,4,5,6,0,8,9,'NA','NA','NA'), ('2','rank','x',1,2,3,4,5,6,7,8,9,0,0,0),
  ('2','rank','1','one',2,3,4,5,6,7,8,9,0,0,0);
CREATE TABLE ClusterCommAnalyzerTime (rank_set TEXT, step TEXT, rank_id INTEGER, hccl_op_name TEXT, group_name TEXT,
  start_timestamp NUMERIC, elapsed_time NUMERIC, transit_time NUMERIC, wait_time NUMERIC, synchronization_time NUMERIC,
  idle_time NUMERIC, synchronization_time_ratio NUMERIC, wait_time_ratio NUMERIC);
INSERT INTO ClusterCommAnalyzerTime VALUES
  ('p2p','step2',0,'hcom_send__822_0','133',1695115378810042.5,0.9,0.8,2e-05,1e-05,0.1,0,0),
  ('(11, 3)','step',3,'hcom_allReduce__1','',1695115378810042.5,0.9,0.8,2e-05,1e-05,0.1,0,0),
  ('p2p','step2',0,'Total Op Info','',0,1,1,1,1,1,0,0), ('(x','step2',0,'a','',0,1,1,1,1,1,0,0),
  ('p2p','step2',NULL,'a','',0,1,1,1,1,1,0,0);
CREATE TABLE ClusterCommAnalyzerBandwidth (rank_set TEXT, step TEXT, rank_id INTEGER, hccl_op_name TEXT,
  group_name TEXT, band_type TEXT, transit_size NUMERIC, transit_time NUMERIC, bandwidth NUMERIC,
  large_packet_ratio NUMERIC, package_size NUMERIC, count NUMERIC, total_duration NUMERIC);
INSERT INTO ClusterCommAnalyzerBandwidth VALUES
  ('p2p','step2',0,'hcom_send__822_0','133','RDMA',20.97152,0.86381540625,24.2778,1,20,1,0.86),
  ('p2p','step2',0,'hcom_send__822_0','133','RDMA',20.97152,0.86381540625,24.2778,1,0.97152,1,0.1),
  ('p2p','step2',8,'hcom_send__822_0','133','RDMA',1,1,1,1,1,1,1);
CREATE TABLE ClusterCommAnalyzerMatrix (rank_set TEXT, step TEXT, hccl_op_name TEXT, group_name TEXT, src_rank TEXT,
  dst_rank TEXT, transit_size NUMERIC, transit_time NUMERIC, bandwidth NUMERIC, transport_type TEXT, op_name TEXT);
INSERT INTO ClusterCommAnalyzerMatrix VALUES
  ('(1, 0)','step7','allreduce-top1','9','0','1',4e-05,0.00162,0.0247,'HCCS','hcom_allReduce__9_1'),
  ('(1, 0)','step7','Total Op Info','9','1','1',1,1,NULL,'',''), ('(1, 0)','step7','a','9','-1','1',1,1,1,'','');
CREATE TABLE CommunicationGroup (type TEXT, rank_set TEXT, group_name TEXT, group_id TEXT, pg_name TEXT);
INSERT INTO CommunicationGroup VALUES ('collective','(1, 0)','696','ip%nic_1','tp'), ('p2p','x','','','');
)";

}  // namespace

TEST_CASE("cluster: the database gives the tables of the text files") {
  Tables tables = read_sql(kDatabase);
  REQUIRE(tables.rows(kStep) == 2);
  CHECK(tables.row(kStep, 0, kStepColumns) ==
        "2|rank|15|null|79831100|4000|2000|3000|5000|6000|7000|8000|-9500|0|1|2|1");
  CHECK(tables.row(kStep, 1, kStepColumns) ==
        "null|stage|null|0,1,2|1000|4000|2000|3000|5000|6000|0|8000|9000|null|null|null|2");
  REQUIRE(tables.rows(kOp) == 2);
  CHECK(tables.row(kOp, 0, kOpColumns) ==
        "2|hcom_send__822_0|p2p|133|null|0|1695115378810042500|900000|800000|20|10|100000");
  CHECK(tables.row(kOp, 1, kOpColumns) ==
        "null|hcom_allReduce__1|collective|null|3,11|3|1695115378810042500|900000|800000|20|10|100000");
  REQUIRE(tables.rows(kLink) == 1);
  CHECK(tables.row(kLink, 0, kLinkColumns) == "0|RDMA|20971520|863815|24.2778|1");
  REQUIRE(tables.rows(kMatrix) == 2);
  CHECK(tables.row(kMatrix, 0, kMatrixColumns) ==
        "7|allreduce-top1|collective|9|0,1|0|1|HCCS|40|1620|0.0247|hcom_allReduce__9_1");
  CHECK(tables.row(kMatrix, 1, {"name", "op_name", "bandwidth_gb_s", "transport"}) == "Total Op Info|null|null|null");
  REQUIRE(tables.rows(kGroup) == 1);
  CHECK(tables.row(kGroup, 0, kGroupColumns) == "collective|0,1|696|ip%nic_1|tp|1");
  CHECK(tables.losses() == Losses{"db.bad_row 7 @2"});
}

TEST_CASE("cluster: the simplified database says a kind by the operation's name, and no parallel strategy by zeros") {
  Tables tables = read_sql(R"(
CREATE TABLE ClusterCommunicationTime (step TEXT, rank_id INTEGER, hccl_op_name TEXT, group_name TEXT,
  start_timestamp NUMERIC, elapsed_time NUMERIC, transit_time NUMERIC, wait_time NUMERIC, synchronization_time NUMERIC,
  idle_time NUMERIC);
INSERT INTO ClusterCommunicationTime VALUES ('step1',0,'hcom_send__1','5',NULL,1,1,0,0,0),
  ('step1',1,'hcom_allReduce__1','6',1,1,1,0,0,0);
CREATE TABLE CommunicationGroupMapping (type TEXT, rank_set TEXT, group_name TEXT, group_id TEXT, pg_name TEXT);
INSERT INTO CommunicationGroupMapping VALUES ('collective','(0,1)','6','','dp');
CREATE TABLE ClusterStepTraceTime (step TEXT, type TEXT, "index" TEXT, computing NUMERIC,
  communication_not_overlapped NUMERIC, overlapped NUMERIC, communication NUMERIC, free NUMERIC, stage NUMERIC,
  bubble NUMERIC, dp_index INTEGER, pp_index INTEGER, tp_index INTEGER);
INSERT INTO ClusterStepTraceTime VALUES ('2','rank','0',1,1,1,1,1,1,1,0,0,0), ('2','rank','1',1,1,1,1,1,1,1,0,0,0);
)");
  CHECK(tables.row(kOp, 0, {"name", "kind", "group_ranks", "start_ns"}) == "hcom_send__1|p2p|null|null");
  CHECK(tables.row(kOp, 1, {"name", "kind", "start_ns"}) == "hcom_allReduce__1|collective|1000");
  CHECK(tables.row(kGroup, 0, {"ranks", "group_id", "group_name", "parallel"}) == "0,1|6|null|dp");
  CHECK(tables.row(kStep, 1, {"of_rank", "dp_index", "pp_index", "tp_index"}) == "1|null|null|null");
  CHECK(tables.losses().empty());
}

}  // namespace stepwise::ingest
