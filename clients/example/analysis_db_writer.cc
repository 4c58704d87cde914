#include "clients/example/analysis_db_writer.h"

#include <string>
#include <string_view>

#include "clients/example/communication_figures.h"
#include "clients/example/sqlite_file.h"

namespace stepwise::example {
namespace {

double us(int64_t ns) { return static_cast<double>(ns) / 1e3; }
double ms(int64_t ns) { return static_cast<double>(ns) / 1e6; }
double megabytes(int64_t bytes) { return static_cast<double>(bytes) / 1e6; }
double gigabytes_per_second(int64_t bytes, int64_t ns) { return static_cast<double>(bandwidth_e4(bytes, ns)) / 1e4; }

void create_tables(SqliteFile& db) {
  db.create_table("StepTraceTime",
                  "step TEXT, computing NUMERIC, communication_not_overlapped NUMERIC, overlapped NUMERIC, "
                  "communication NUMERIC, free NUMERIC, stage NUMERIC, bubble NUMERIC, "
                  "communication_not_overlapped_and_exclude_receive NUMERIC, preparing NUMERIC");
  db.create_table(
      "CommAnalyzerBandwidth",
      "hccl_op_name TEXT, group_name TEXT, transport_type TEXT, transit_size NUMERIC, transit_time NUMERIC, "
      "bandwidth NUMERIC, large_packet_ratio NUMERIC, package_size NUMERIC, count NUMERIC, total_duration "
      "NUMERIC, step TEXT, type TEXT");
  db.create_table("CommAnalyzerMatrix",
                  "hccl_op_name TEXT, group_name TEXT, src_rank TEXT, dst_rank TEXT, transport_type TEXT, transit_size "
                  "NUMERIC, transit_time NUMERIC, bandwidth NUMERIC, step TEXT, type TEXT, op_name TEXT");
  db.create_table("CommAnalyzerTime",
                  "hccl_op_name TEXT, group_name TEXT, start_timestamp NUMERIC, elapse_time NUMERIC, transit_time "
                  "NUMERIC, wait_time NUMERIC, synchronization_time NUMERIC, idle_time NUMERIC, step TEXT, type TEXT");
}

void insert_steps(SqliteFile& db, const Tally& tally) {
  for (const StepFigures& step : tally.overlap.steps()) {
    db.insert("StepTraceTime",
              {std::to_string(step.number), us(step.computing_ns), us(step.not_overlapped_ns), us(step.overlapped_ns()),
               us(step.communication_ns), us(step.free_ns), us(step.stage_ns), us(step.bubble_ns),
               us(step.without_receive_ns()), us(step.preparing_ns())});
  }
}

void insert_run(SqliteFile& db, const CollectiveRun& run, const std::string& step, std::string_view type) {
  const std::string name = collective_name(run);
  const std::string_view group = run.communicator->hash;
  const CommunicationTimes times = times_of(run);
  db.insert("CommAnalyzerTime", {name, group, us(run.start_ns), ms(times.elapse_ns), ms(times.transit_ns),
                                 ms(times.wait_ns), ms(times.wait_ns), ms(times.idle_ns), step, type});
  const Traffic traffic = traffic_of(run);
  const double size = megabytes(traffic.bytes), time = ms(traffic.ns);
  const double bandwidth = gigabytes_per_second(traffic.bytes, traffic.ns);
  for (const auto& [bytes, moved] : traffic.packets) {
    db.insert("CommAnalyzerBandwidth", {name, group, "HCCS", size, time, bandwidth, int64_t{0}, megabytes(bytes),
                                        moved.first, ms(moved.second), step, type});
  }
  // SDMA repeats the sum, without packets.
  db.insert("CommAnalyzerBandwidth",
            {name, group, "SDMA", size, time, bandwidth, int64_t{0}, int64_t{0}, int64_t{0}, int64_t{0}, step, type});
}

void insert_digest(SqliteFile& db, const LinkDigest& digest, const std::string& step, std::string_view type) {
  const std::string name = digest.is_sum ? std::string() : collective_name(*digest.run);
  for (const Link& link : digest.links) {
    const std::string source = std::to_string(link.source), destination = std::to_string(link.destination);
    db.insert("CommAnalyzerMatrix",
              {digest.label, digest.run->communicator->hash, source, destination, link.transport, megabytes(link.bytes),
               ms(link.ns), gigabytes_per_second(link.bytes, link.ns), step, type, name});
  }
}

}  // namespace

Result<int64_t> write_analysis_db(const std::filesystem::path& path, const Topology& topology, int rank,
                                  const Tally& tally) {
  SW_ASSIGN_OR_RETURN(SqliteFile db, SqliteFile::create(path));
  create_tables(db);
  insert_steps(db, tally);
  for (const StepCommunication& step : by_step(tally)) {
    const std::string name = "step" + std::to_string(step.number);
    for (const bool p2p : {true, false}) {
      const std::string_view type = p2p ? "p2p" : "collective";
      for (const CollectiveRun* run : step.of(p2p)) insert_run(db, *run, name, type);
      for (const LinkDigest& digest : link_digests(topology, rank, step.of(p2p))) insert_digest(db, digest, name, type);
    }
  }
  return db.close();
}

}  // namespace stepwise::example
