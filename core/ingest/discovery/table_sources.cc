#include "core/ingest/discovery/table_sources.h"

#include <algorithm>
#include <iterator>

#include "core/base/text.h"
#include "core/ingest/discovery/layout.h"
#include "stepwise/tables.hpp"

namespace stepwise::ingest {
namespace {

struct DatabaseTable {
  std::string_view name, tables[2];  // "": no more
};
constexpr DatabaseTable kDatabaseTables[] = {
    {"TASK", {"device_task", "kernel"}},
    {"COMPUTE_TASK_INFO", {"kernel", ""}},
    {"COMMUNICATION_OP", {"kernel", "comm_op"}},
    {"COMMUNICATION_TASK_INFO", {"device_task", ""}},
    {"TASK_PMU_INFO", {"kernel", ""}},
    {"PYTORCH_API", {"host_op", "python_call"}},
    {"CANN_API", {"runtime_api", ""}},
    {"STEP_TIME", {"step_range", "step"}},
    {"StepTraceTime", {"step", ""}},
    {"CommAnalyzerTime", {"comm_op", ""}},
    {"CommAnalyzerBandwidth", {"comm_link", "comm_packet"}},
    {"CommAnalyzerMatrix", {"comm_matrix", ""}},
    {"OP_MEMORY", {"memory_block", ""}},
    {"NPU_MEM", {"memory", ""}},
    {"META_DATA", {"meta", ""}},
    {"CONNECTION_IDS", {"kernel_link", "flow"}},
};

}  // namespace

std::vector<std::string> tables_read_from(std::string_view source) {
  std::vector<std::string> tables;
  const auto add = [&](std::string_view table) {
    if (!table.empty() && std::find(tables.begin(), tables.end(), table) == tables.end()) tables.emplace_back(table);
  };
  for (int kind = 0; kind < static_cast<int>(FileKind::not_understood); ++kind) {
    if (!iequals(source, to_string(static_cast<FileKind>(kind)))) continue;
    for (const table::TableDecl* decl : table::kAllTables) {
      for (const ProfileKind profile :
           {ProfileKind::torch_npu, ProfileKind::msprof, ProfileKind::mindspore, ProfileKind::kineto}) {
        if (is_input(profile, decl->name, static_cast<FileKind>(kind))) add(decl->name);
      }
    }
  }
  for (const DatabaseTable& one : kDatabaseTables) {
    if (!iequals(source, one.name)) continue;
    for (const std::string_view table : one.tables) add(table);
  }
  return tables;
}

}  // namespace stepwise::ingest
