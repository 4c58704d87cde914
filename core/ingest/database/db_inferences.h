// Which inference a kernel belongs to, where a compiled graph was recorded without a framework: op_summary has it as
// Infer ID, the database has only the calls that execute the graph.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ingest/database/db_device.h"
#include "core/ingest/database/db_steps.h"

namespace stepwise::ingest {

class DbInferences {
 public:
  /// Calls are told from each other only where one waits for its graph's kernels before the next: where calls overlap,
  /// or kernels of a graph run outside of them, no kernel is given to any.
  DbInferences(Database& database, const DbStrings& strings, const DbApiTypes& types, const DbDevice& device,
               const std::string& file, IngestContext& context);

  /// From 1, in the order of the calls; nullopt: of none, or nobody knows.
  std::optional<int64_t> of_kernel(const DbTask& task) const;
  std::optional<int64_t> of_collective(const DbCollective& one) const { return call_at(one.start_ns); }

 private:
  struct Call {
    int64_t start_ns = 0, end_ns = 0;
  };
  std::optional<int64_t> call_at(int64_t time_ns) const;

  std::vector<Call> calls_;  // by start, disjoint
};

}  // namespace stepwise::ingest
