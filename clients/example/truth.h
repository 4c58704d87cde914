// truth.json: what the tools must answer about an example, computed from the simulation and keyed by tool and key.
#pragma once

#include <vector>

#include "clients/example/facts.h"
#include "clients/example/memory_writers.h"
#include "clients/example/tally.h"
#include "core/base/json.h"

namespace stepwise::example {

/// What only the writers of text know about one rank.
struct WrittenCounts {
  int64_t trace_events = 0, counters = 0, operator_details_rows = 0;
};

/// One tally, one count and one sum of memory for each rank, in order; no counts if there are no text files.
Json build_truth(const ExampleOptions& options, const Facts& facts, const std::vector<Tally>& tallies,
                 const std::vector<WrittenCounts>& written, const std::vector<MemorySums>& memory);

}  // namespace stepwise::example
