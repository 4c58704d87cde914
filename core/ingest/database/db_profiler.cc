// ascend_pytorch_profiler*.db and msprof_*.db: what the profilers' text files hold, in one database. Both have the same
// tables; torch_npu adds the framework's. Where a text file has filled a table already, it stands.
#include "core/ingest/base/readers.h"
#include "core/ingest/database/db_kernels.h"
#include "core/ingest/database/db_memory.h"
#include "core/ingest/database/db_meta.h"
#include "core/ingest/database/db_open.h"
#include "core/ingest/database/db_timeline.h"
#include "core/ingest/timeline/ascend_merge.h"
#include "stepwise/tables.hpp"

namespace stepwise::ingest {

Result<void> read_profiler_db(const std::filesystem::path& file, const std::string& relative_path,
                              IngestContext& context, store::SegmentBuilder& out) {
  std::optional<Database> database = open_database(file, relative_path, context);
  if (!database) return {};
  fill_meta(*database, relative_path, context, out);
  const bool wants_kernels = !out.has(table::kernel::kTable), wants_op_stat = !out.has(table::op_stat::kTable),
             wants_api_stat = !out.has(table::api_stat::kTable);
  const bool wants_steps = !out.has(table::step::kTable);
  const bool wants_memory = !out.has(table::memory::kTable), wants_blocks = !out.has(table::memory_block::kTable);
  const DbStrings strings(*database, relative_path, context);
  if (wants_memory) fill_memory(*database, strings, relative_path, context, out);
  if (wants_blocks) fill_memory_blocks(*database, strings, relative_path, context, out);
  if (!out.has(table::module_memory::kTable)) fill_module_memory(*database, relative_path, context, out);
  if (wants_kernels || wants_steps || wants_op_stat || wants_api_stat) {
    const DbApiTypes types(*database, relative_path, context);
    const DbDevice device(*database, relative_path, context);
    if (wants_kernels || wants_steps) {
      const DbSteps steps(*database, strings, types, device, relative_path, context);
      if (wants_kernels) fill_kernels(*database, strings, types, device, steps, relative_path, context, out);
      if (wants_steps) fill_steps(strings, device, steps, relative_path, out);
    }
    if (wants_op_stat) fill_op_stat(strings, device, relative_path, out);
    if (wants_api_stat) fill_api_stat(*database, strings, types, relative_path, context, out);
  }
  count_unused_tables(*database,
                      {"STRING_IDS",
                       "TASK",
                       "COMPUTE_TASK_INFO",
                       "COMMUNICATION_OP",
                       "COMMUNICATION_TASK_INFO",
                       "CANN_API",
                       "PYTORCH_API",
                       "CONNECTION_IDS",
                       "PYTORCH_CALLCHAINS",
                       "STEP_TIME",
                       "TASK_PMU_INFO",
                       "OVERLAP_ANALYSIS",
                       "ENUM_API_TYPE",
                       "ENUM_MEMORY",
                       "ENUM_MODULE",
                       "MEMORY_RECORD",
                       "OP_MEMORY",
                       "NPU_OP_MEM",
                       "NPU_MEM",
                       "NPU_MODULE_MEM",
                       "META_DATA",
                       "HOST_INFO",
                       "NPU_INFO",
                       "RANK_DEVICE_MAP",
                       "MSTX_EVENTS",
                       "HBM",
                       "LLC",
                       "DDR",
                       "ACC_PMU",
                       "SOC_BANDWIDTH_LEVEL",
                       "AICORE_FREQ"},
                      relative_path, context);
  return close_database(relative_path, context);
}

Result<void> read_profiler_db_timeline(const std::filesystem::path& file, const std::string& relative_path,
                                       IngestContext& context, store::SegmentBuilder& out) {
  if (out.has(table::track::kTable)) {  // two timelines do not make one
    skip_database(file, context);
    return {};
  }
  std::optional<Database> database = open_database(file, relative_path, context);
  if (!database) return {};
  KernelRows own;
  AscendMerger merger(out, context.diagnostics, relative_path, context.kernels == nullptr ? &own : context.kernels);
  DbTimeline timeline(*database, relative_path, context, merger);
  if (context.kernels == nullptr) own = timeline.kernel_rows();
  if (timeline.run()) merger.finish(0, context.options.threads);
  return close_database(relative_path, context);
}

}  // namespace stepwise::ingest
