// The schema (1.0.0, January 2025) that torch_npu's and msprof's databases share, and their table of strings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "clients/example/operators.h"
#include "clients/example/sqlite_file.h"

namespace stepwise::example {

inline constexpr int64_t kDbNone = 4294967295;  // no model, no context
inline constexpr int64_t kDbInvalidType = 65535, kDbNotAvailable = 65534;

/// What msprof writes: tasks of the device, calls of the driver, names.
void create_msprof_tables(SqliteFile& db);
/// What torch_npu adds.
void create_torch_tables(SqliteFile& db);
/// The tables that say what numbers mean, and who recorded.
void insert_enums(SqliteFile& db);
void insert_session(SqliteFile& db, int device, int64_t start_ns, int64_t end_ns);

int64_t db_api_type(std::string_view level);       // acl: 20000
int64_t db_data_type(std::string_view data_type);  // FP32: 4
/// As the device calls a task of that core: KERNEL_AIVEC.
std::string_view db_task_type(Core core);

inline int64_t global_tid(int64_t pid, int64_t tid) { return (pid << 32) | tid; }

/// STRING_IDS: every text once, numbered from `first`.
class DbStrings {
 public:
  DbStrings(SqliteFile& db, int64_t first) : db_(db), next_(first) {}
  int64_t id(std::string_view text);

 private:
  SqliteFile& db_;
  int64_t next_;
  std::unordered_map<std::string, int64_t> ids_;
};
inline constexpr int64_t kFirstTorchString = int64_t{1} << 28;

/// A row of COMPUTE_TASK_INFO and what the hardware counted. op_state: dynamic or static. step: which of the kernel's
/// shapes.
void insert_compute_task(SqliteFile& db, DbStrings& strings, const KernelSpec& spec, std::string_view op_state,
                         int step, int64_t global_task_id, int64_t start_ns, int64_t dur_ns);

}  // namespace stepwise::example
