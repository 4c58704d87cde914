// Single allocations and releases of the graph engine, as msprof's database has them (NPU_OP_MEM).
#pragma once

#include <string>
#include <unordered_map>

#include "core/ingest/database/db_strings.h"
#include "core/store/table_builder.h"

namespace stepwise::ingest {

/// What the numbers in columns `type` mean: "allocate", "release", "app", "device". Older exporters have a table for
/// them, ENUM_MEMORY.
class DbMemoryWords {
 public:
  DbMemoryWords(Database& database, const DbStrings& strings, const std::string& file, IngestContext& context);

  /// "": no such word.
  std::string find(std::optional<int64_t> id) const;

 private:
  const DbStrings& strings_;
  std::unordered_map<int64_t, std::string> by_id_;
};

/// Rows of the table memory: the sums after each event.
void fill_from_memory_events(Database& database, const DbStrings& strings, const std::string& file,
                             IngestContext& context, store::TableBuilder& memory);
/// Rows of the table memory_block: released ones in the order of their release, then those that were not.
void pair_memory_events(Database& database, const DbStrings& strings, const std::string& file, IngestContext& context,
                        store::TableBuilder& blocks);

}  // namespace stepwise::ingest
