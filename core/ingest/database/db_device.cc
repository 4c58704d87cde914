#include "core/ingest/database/db_device.h"

#include "core/base/limits.h"
#include "core/ingest/timeline/trace_event.h"

namespace stepwise::ingest {

bool to_slice(std::optional<int64_t> start_ns, std::optional<int64_t> end_ns, int64_t& start_out, int64_t& dur_out) {
  if (!start_ns || !end_ns || *start_ns < 0 || *start_ns > kMaxTraceNs || *end_ns < *start_ns) return false;
  start_out = *start_ns;
  dur_out = *end_ns - *start_ns;
  return dur_out <= limits::kMaxDurationNs;
}

DbDevice::DbDevice(Database& database, const std::string& file, IngestContext& context) {
  read_tasks(database, file, context);
  read_kernels(database, file, context);
  read_collectives(database, file, context);
}

std::optional<uint32_t> DbDevice::find(std::optional<int64_t> global_id) const {
  if (!global_id) return std::nullopt;
  const auto it = by_global_id_.find(*global_id);
  return it == by_global_id_.end() ? std::nullopt : std::optional(it->second);
}

void DbDevice::read_tasks(Database& database, const std::string& file, IngestContext& context) {
  DbRows rows(database, "TASK",
              {required("startNs"),
               required("endNs"),
               {"globalTaskId"},
               {"deviceId"},
               {"connectionId"},
               {"globalPid"},
               {"taskType"},
               {"streamId"},
               {"taskId"},
               {"modelId"}},
              file, context);
  while (rows.next()) {
    DbTask task;
    if (!to_slice(rows.integer(0), rows.integer(1), task.start_ns, task.dur_ns)) {
      rows.leave_out("has no start and end that make sense");
      continue;
    }
    task.row = rows.number();
    task.device = rows.integer(3);
    task.connection = rows.integer(4);
    if (task.connection == kInvalidId) task.connection.reset();
    task.pid = rows.integer(5).value_or(0);
    task.type = rows.integer(6);
    task.stream = rows.integer(7);
    task.task_id = rows.integer(8);
    task.model_id = rows.integer(9);
    if (pid == 0) pid = task.pid;
    if (const auto id = rows.integer(2)) {
      task.global_id = *id;
      by_global_id_.emplace(*id, static_cast<uint32_t>(tasks.size()));
    }
    tasks.push_back(task);
  }
}

void DbDevice::read_kernels(Database& database, const std::string& file, IngestContext& context) {
  // blockDim means threads of a block where blockNum is there.
  DbRows rows(database, "COMPUTE_TASK_INFO",
              {required("globalTaskId"),
               required("name"),
               {"opType"},
               {"taskType"},
               {"blockNum", "blockDim"},
               {"opState"},
               {"hf32Eligible"},
               {"inputShapes"},
               {"inputDataTypes"},
               {"inputFormats"},
               {"outputShapes"},
               {"outputDataTypes"},
               {"outputFormats"}},
              file, context);
  while (rows.next()) {
    const auto task = find(rows.integer(0));
    if (!task) {
      rows.leave_out("belongs to no row of TASK");
      continue;
    }
    DbKernel kernel;
    kernel.task = *task;
    size_t column = 1;
    for (auto* const value : {&kernel.name, &kernel.op_type, &kernel.core_type, &kernel.block_dim, &kernel.op_state,
                              &kernel.hf32, &kernel.input_shapes, &kernel.input_dtypes, &kernel.input_formats,
                              &kernel.output_shapes, &kernel.output_dtypes, &kernel.output_formats}) {
      *value = rows.integer(column++);
    }
    kernels.push_back(kernel);
  }
}

void DbDevice::read_collectives(Database& database, const std::string& file, IngestContext& context) {
  DbRows rows(database, "COMMUNICATION_OP",
              {required("opName"),
               required("startNs"),
               required("endNs"),
               {"opType"},
               {"groupName"},
               {"connectionId"},
               {"opId"},
               {"deviceId"}},
              file, context);
  while (rows.next()) {
    DbCollective one;
    if (!to_slice(rows.integer(1), rows.integer(2), one.start_ns, one.dur_ns)) {
      rows.leave_out("has no start and end that make sense");
      continue;
    }
    one.row = rows.number();
    one.name = rows.integer(0);
    one.op_type = rows.integer(3);
    one.group = rows.integer(4);
    one.connection = rows.integer(5);
    if (one.connection == kInvalidId) one.connection.reset();
    one.op_id = rows.integer(6);
    one.device = rows.integer(7);
    collectives.push_back(one);
  }
}

}  // namespace stepwise::ingest
