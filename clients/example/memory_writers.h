// A training rank's memory in the exact text of torch_npu's export of January 2025 (memory_record.csv,
// operator_memory.csv, npu_module_mem.csv) and in the tables of its database.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "clients/example/memory_model.h"
#include "clients/example/profiler_db.h"
#include "clients/example/tally.h"
#include "clients/example/text_file.h"

namespace stepwise::example {

/// What was known of a rank's memory before it is written.
struct MemorySums {
  MemoryTotals peak;
  int64_t blocks = 0, changes = 0;
  int64_t samples = 0;  // of the process, and of each module of the driver
};
MemorySums sums_of(const MemoryModel& model, const Tally& tally);
int64_t module_count();

/// The files' headers and the process's samples; then the blocks, by running a rank with it.
class MemoryTextWriter : public MemoryModel {
 public:
  MemoryTextWriter(TextFile& records, TextFile& blocks, int steps, int64_t device, const Tally& tally,
                   const MemorySums& sums);

 private:
  void changed(int64_t ns, const MemoryTotals& after) override;
  void block(const MemoryBlock& block) override;

  TextFile &records_, &blocks_;
  const std::string device_;
};
/// Errors: io `example.write`.
Result<int64_t> write_npu_module_mem(const std::filesystem::path& path, int64_t device, const Tally& tally);

/// The same into MEMORY_RECORD, OP_MEMORY, NPU_MEM and NPU_MODULE_MEM, which it creates.
class MemoryDbWriter : public MemoryModel {
 public:
  MemoryDbWriter(SqliteFile& db, int steps, int64_t device, const Tally& tally, const MemorySums& sums);

 private:
  void changed(int64_t ns, const MemoryTotals& after) override;
  void block(const MemoryBlock& block) override;

  SqliteFile& db_;
  const int64_t device_;
  DbStrings strings_;
};

}  // namespace stepwise::example
