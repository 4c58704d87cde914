// A timeline's file through splitter and parsers into a merger, whatever profiler wrote it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/ingest/base/context.h"
#include "core/ingest/timeline/trace_interpret.h"
#include "core/ingest/timeline/trace_merge.h"

namespace stepwise::ingest {

/// What stood around the events.
struct TraceFrame {
  bool is_trace = false;  // a place for events was found; what was found instead is counted
  std::vector<std::pair<std::string, std::string>> values;  // other keys of an object: raw JSON
  uint64_t values_left_out = 0;                             // too long to be kept
};

/// The merger has got all events of the file and of the context's more_slices; it is not finished. Positions count on
/// from slice to slice; what stood around the events is told of the first. Damage is counted. Errors: cancelled.
Result<TraceFrame> read_trace(const std::filesystem::path& file, const std::string& relative_path,
                              IngestContext& context, MakeInterpreter* make, TraceMerger& merger);

/// Newer exporters write times from an origin of their own, which may stand behind the events.
int64_t base_of(const TraceFrame& frame, Diagnostics& diagnostics, const std::string& file);

}  // namespace stepwise::ingest
