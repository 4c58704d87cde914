// trace_view.json of one rank: one bare array on one line, in the sections and with the spellings of January 2025.
//   framework calls | queue entries | queue exits | names of the Python process | forward-backward arrows |
//   Python functions | names of the other processes | driver, device, counters by time | launch arrows
#pragma once

#include <cstdint>
#include <filesystem>

#include "clients/example/facts.h"
#include "clients/example/model.h"
#include "clients/example/run.h"
#include "clients/example/tally.h"
#include "core/base/error.h"

namespace stepwise::example {

struct TraceWritten {
  int64_t events = 0, bytes = 0;
};

/// Events of a trace apart from counters, which may be any number.
int64_t trace_events_without_counters(const Facts& facts, const Model& model, const Tally& tally);

/// Simulates the rank once for each section. Errors: io `example.write`.
Result<TraceWritten> write_trace(const std::filesystem::path& path, const Facts& facts, const Model& model,
                                 const CollectiveSchedule& schedule, int rank, const Tally& tally, int64_t counters);

}  // namespace stepwise::example
