// The table `diagnostic` as SQL shows it. Each segment of a rank has one of its own, about the files that it was read
// from; a query sees those of all of them, with the segment that each row is about.
#pragma once

#include <memory>

#include "core/engine/provider.h"
#include "core/store/segment.h"

namespace stepwise::engine {

/// Of the rank's segments that are read for the call, in memory: the declared columns, and `segment` (files, trace,
/// graph, cluster) behind them. nullptr: none has one. Errors: those of the store.
Result<std::shared_ptr<const store::Segment>> all_diagnostics(const CallHost& host, uint32_t rank);
/// The table in that segment.
Result<const sw_table*> table_of(const store::Segment& all_diagnostics);

}  // namespace stepwise::engine
