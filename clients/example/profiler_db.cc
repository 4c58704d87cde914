#include "clients/example/profiler_db.h"

#include <array>
#include <optional>

#include "clients/example/pipe_counters.h"

namespace stepwise::example {
namespace {

struct Enumerated {
  int64_t id;
  std::string_view name;
};

constexpr std::array<Enumerated, 9> kApiTypes{{{5'000, "runtime"},
                                               {5'500, "hccl"},
                                               {10'000, "node"},
                                               {15'000, "model"},
                                               {20'000, "acl"},
                                               {50'001, "op"},
                                               {50'002, "queue"},
                                               {50'003, "trace"},
                                               {50'004, "mstx"}}};
constexpr std::array<Enumerated, 15> kDataTypes{{{0, "INT8"},
                                                 {1, "INT16"},
                                                 {2, "INT32"},
                                                 {3, "FP16"},
                                                 {4, "FP32"},
                                                 {5, "INT64"},
                                                 {6, "UINT64"},
                                                 {7, "UINT8"},
                                                 {8, "UINT16"},
                                                 {9, "UINT32"},
                                                 {10, "FP64"},
                                                 {11, "BFP16"},
                                                 {12, "INT128"},
                                                 {kDbNotAvailable, "N/A"},
                                                 {kDbInvalidType, "INVALID_TYPE"}}};
constexpr std::array<Enumerated, 10> kLinkTypes{{{0, "ON_CHIP"},
                                                 {1, "HCCS"},
                                                 {2, "PCIE"},
                                                 {3, "ROCE"},
                                                 {4, "SIO"},
                                                 {5, "HCCS_SW"},
                                                 {6, "STANDARD_ROCE"},
                                                 {7, "RESERVED"},
                                                 {kDbNotAvailable, "N/A"},
                                                 {kDbInvalidType, "INVALID_TYPE"}}};
constexpr std::array<Enumerated, 5> kTransportTypes{
    {{0, "SDMA"}, {1, "RDMA"}, {2, "LOCAL"}, {kDbNotAvailable, "N/A"}, {kDbInvalidType, "INVALID_TYPE"}}};

template <size_t N>
int64_t number_of(const std::array<Enumerated, N>& all, std::string_view name, int64_t otherwise) {
  for (const Enumerated& one : all) {
    if (one.name == name) return one.id;
  }
  return otherwise;
}

template <size_t N>
void insert_enum(SqliteFile& db, const std::string& table, const std::array<Enumerated, N>& all) {
  db.create_table(table, "id INTEGER PRIMARY KEY,name TEXT");
  for (const Enumerated& one : all) db.insert(table, {one.id, one.name});
}

/// Times in ns, without a unit in their names.
template <size_t N>
void insert_half(SqliteFile& db, DbStrings& strings, int64_t task, const std::string& prefix, const HalfCounters& half,
                 const std::array<std::string_view, N>& pipes) {
  auto insert = [&](const std::string& name, double value) {
    db.insert("TASK_PMU_INFO", {task, strings.id(prefix + name), value});
  };
  insert("total_time", static_cast<double>(half.time_ns));
  insert("total_cycles", static_cast<double>(half.cycles));
  for (size_t i = 0; i < N; ++i) {
    insert(std::string(pipes[i]) + "_time", static_cast<double>(half.pipes[i].time_ns));
    insert(std::string(pipes[i]) + "_ratio", static_cast<double>(half.pipes[i].permille) / 1e3);
  }
  insert("icache_miss_rate", static_cast<double>(half.miss_permille) / 1e3);
}

}  // namespace

void create_msprof_tables(SqliteFile& db) {
  db.create_table("STRING_IDS", "id INTEGER PRIMARY KEY,value TEXT");
  db.create_table("TASK",
                  "startNs INTEGER,endNs INTEGER,deviceId INTEGER,connectionId INTEGER,globalTaskId INTEGER,globalPid "
                  "INTEGER,taskType INTEGER,contextId INTEGER,streamId INTEGER,taskId INTEGER,modelId INTEGER");
  db.execute("CREATE INDEX TaskIndex ON TASK (startNs,globalTaskId)");
  db.create_table(
      "COMPUTE_TASK_INFO",
      "name INTEGER,globalTaskId INTEGER PRIMARY KEY,blockNum INTEGER,mixBlockNum INTEGER,taskType "
      "INTEGER,opType INTEGER,inputFormats INTEGER,inputDataTypes INTEGER,inputShapes INTEGER,outputFormats "
      "INTEGER,outputDataTypes INTEGER,outputShapes INTEGER,attrInfo INTEGER,opState INTEGER,hf32Eligible INTEGER");
  db.create_table("TASK_PMU_INFO", "globalTaskId INTEGER,name INTEGER,value NUMERIC");
  db.create_table("CANN_API",
                  "startNs INTEGER,endNs INTEGER,type INTEGER,globalTid INTEGER,connectionId INTEGER PRIMARY KEY,name "
                  "INTEGER");
}

void create_torch_tables(SqliteFile& db) {
  db.create_table("COMMUNICATION_OP",
                  "opName INTEGER,startNs INTEGER,endNs INTEGER,connectionId INTEGER,groupName INTEGER,opId INTEGER "
                  "PRIMARY KEY,relay INTEGER,retry INTEGER,dataType INTEGER,algType INTEGER,count NUMERIC,opType "
                  "INTEGER");
  db.create_table(
      "COMMUNICATION_TASK_INFO",
      "name INTEGER,globalTaskId INTEGER,taskType INTEGER,planeId INTEGER,groupName INTEGER,notifyId "
      "INTEGER,rdmaType INTEGER,srcRank INTEGER,dstRank INTEGER,transportType INTEGER,size INTEGER,dataType "
      "INTEGER,linkType INTEGER,opId INTEGER");
  db.execute("CREATE INDEX CommunicationTaskIndex ON COMMUNICATION_TASK_INFO (globalTaskId)");
  db.create_table("RANK_DEVICE_MAP", "rankId INTEGER, deviceId INTEGER");
  db.create_table("STEP_TIME", "id INTEGER, startNs INTEGER, endNs INTEGER");
  db.create_table("PYTORCH_API",
                  "startNs TEXT, endNs TEXT, globalTid INTEGER, connectionId INTEGER, name INTEGER, sequenceNumber "
                  "INTEGER, fwdThreadId INTEGER, inputDtypes INTEGER, inputShapes INTEGER, callchainId INTEGER, type "
                  "INTEGER");
  db.create_table("CONNECTION_IDS", "id INTEGER, connectionId INTEGER");
  db.create_table("PYTORCH_CALLCHAINS", "id INTEGER, stack INTEGER, stackDepth INTEGER");
}

void insert_enums(SqliteFile& db) {
  insert_enum(db, "ENUM_API_TYPE", kApiTypes);
  insert_enum(db, "ENUM_HCCL_DATA_TYPE", kDataTypes);
  insert_enum(db, "ENUM_HCCL_LINK_TYPE", kLinkTypes);
  insert_enum(db, "ENUM_HCCL_TRANSPORT_TYPE", kTransportTypes);
}

void insert_session(SqliteFile& db, int device, int64_t start_ns, int64_t end_ns) {
  db.create_table("NPU_INFO", "id INTEGER,name TEXT");
  db.insert("NPU_INFO", {int64_t{device}, "Ascend910B"});
  db.create_table("HOST_INFO", "hostUid TEXT,hostName TEXT");
  db.insert("HOST_INFO", {"3538958389648580163", "localhost"});
  db.create_table("SESSION_TIME_INFO", "startTimeNs INTEGER,endTimeNs INTEGER");
  db.insert("SESSION_TIME_INFO", {start_ns, end_ns});
  db.create_table("META_DATA", "name TEXT,value TEXT");
  db.insert("META_DATA", {"SCHEMA_VERSION_MICRO", "0"});
  db.insert("META_DATA", {"SCHEMA_VERSION_MINOR", "2"});
  db.insert("META_DATA", {"SCHEMA_VERSION_MAJOR", "1"});
  db.insert("META_DATA", {"SCHEMA_VERSION", "1.2.0"});
}

int64_t db_api_type(std::string_view level) { return number_of(kApiTypes, level, kDbInvalidType); }
int64_t db_data_type(std::string_view data_type) { return number_of(kDataTypes, data_type, kDbInvalidType); }

std::string_view db_task_type(Core core) {
  switch (core) {
    case Core::ai_core:
      return "KERNEL_AICORE";
    case Core::vector:
      return "KERNEL_AIVEC";
    case Core::mix_aic:
    case Core::mix_aiv:
    case Core::ai_cpu:
      break;
  }
  return csv_core(core);
}

int64_t DbStrings::id(std::string_view text) {
  const auto [found, is_new] = ids_.emplace(text, next_);
  if (is_new) db_.insert("STRING_IDS", {next_++, text});
  return found->second;
}

void insert_compute_task(SqliteFile& db, DbStrings& strings, const KernelSpec& spec, std::string_view op_state,
                         int step, int64_t global_task_id, int64_t start_ns, int64_t dur_ns) {
  // Shapes keep their own quotes.
  auto quoted = [&](const std::string& shapes) { return strings.id("\"" + shapes + "\""); };
  const std::string& shapes = spec.input_shapes[static_cast<size_t>(step) % spec.input_shapes.size()];
  db.insert(
      "COMPUTE_TASK_INFO",
      {strings.id(spec.name), global_task_id, int64_t{spec.block_dim}, int64_t{0}, strings.id(csv_core(spec.core)),
       strings.id(spec.type), strings.id(spec.input_formats), strings.id(spec.input_types), quoted(shapes),
       strings.id(spec.output_formats), strings.id(spec.output_types), quoted(spec.output_shapes), strings.id(""),
       strings.id(op_state), strings.id(spec.hf32 ? "YES" : "NO")});
  const std::optional<PipeCounters> counters = pipe_counters(spec, start_ns, dur_ns);
  if (!counters) return;
  insert_half(db, strings, global_task_id, "aic_", counters->cube, kCubePipes);
  insert_half(db, strings, global_task_id, "aiv_", counters->vector, kVectorPipes);
}

}  // namespace stepwise::example
