// What a profiler's database says that ran on the device: TASK has every task, COMPUTE_TASK_INFO what the host knows
// of those that are kernels, COMMUNICATION_OP the collectives that several tasks make.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/ingest/database/db_strings.h"

namespace stepwise::ingest {

/// 65535 and the like in place of a number.
inline constexpr int64_t kInvalidId = 4294967295;

struct DbTask {
  int64_t start_ns = 0, dur_ns = 0, row = 0;
  int64_t global_id = 0, pid = 0;
  std::optional<int64_t> device, connection, stream, task_id, model_id, type;  // type: of STRING_IDS
};

/// Ids are of STRING_IDS.
struct DbKernel {
  uint32_t task = 0;
  std::optional<int64_t> name, op_type, core_type, block_dim, op_state, hf32;
  std::optional<int64_t> input_shapes, input_dtypes, input_formats, output_shapes, output_dtypes, output_formats;
};

struct DbCollective {
  int64_t start_ns = 0, dur_ns = 0, row = 0;
  std::optional<int64_t> name, op_type, group, connection, op_id, device;
};

class DbDevice {
 public:
  DbDevice(Database& database, const std::string& file, IngestContext& context);

  std::vector<DbTask> tasks;  // as TASK has them
  std::vector<DbKernel> kernels;
  std::vector<DbCollective> collectives;
  /// Which process of the host recorded; 0: the file does not tell.
  int64_t pid = 0;

  /// Index of the task with that globalTaskId.
  std::optional<uint32_t> find(std::optional<int64_t> global_id) const;

 private:
  void read_tasks(Database& database, const std::string& file, IngestContext& context);
  void read_kernels(Database& database, const std::string& file, IngestContext& context);
  void read_collectives(Database& database, const std::string& file, IngestContext& context);

  std::unordered_map<int64_t, uint32_t> by_global_id_;
};

/// Start and end as a slice; false: they make none (negative, more than a day, beyond any time).
bool to_slice(std::optional<int64_t> start_ns, std::optional<int64_t> end_ns, int64_t& start_out, int64_t& dur_out);

}  // namespace stepwise::ingest
