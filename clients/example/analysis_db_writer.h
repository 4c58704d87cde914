// analysis.db of one training rank: what step_trace_time.csv, communication.json and communication_matrix.json say.
#pragma once

#include <filesystem>

#include "clients/example/tally.h"
#include "core/base/error.h"

namespace stepwise::example {

/// Its size. Errors: io `example.write`.
Result<int64_t> write_analysis_db(const std::filesystem::path& path, const Topology& topology, int rank,
                                  const Tally& tally);

}  // namespace stepwise::example
