// Gives the calls of a timeline the numbers that an execution trace of the same run has for them, where the timeline
// has none (Kineto before 2024): by the order of the calls on each thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/ingest/base/diagnostics.h"
#include "core/ingest/graph/execution_trace_nodes.h"
#include "core/store/segment.h"

namespace stepwise::ingest {

/// The one place in `all` where `part` stands, whole and in a row; SIZE_MAX: none, or several. Cost is linear.
size_t only_place_of(std::span<const int32_t> part, std::span<const int32_t> all);

/// Fills host_op.external_id of a finished timeline, where it is null. The calls of a thread of the execution trace
/// are those of a thread of the timeline (of the same process, if the execution trace names its own) if the names of
/// one, in order, stand in the other at one place only; of several such threads, if the longest match is one. own_ids:
/// of each row of host_op, what tells apart calls that start at one time, ascending on a thread. Counts the execution
/// trace's calls that were found, and those that were not.
void link_calls_by_order(const TracedNodes& traced, const std::string& trace_file, std::span<const int64_t> own_ids,
                         store::SegmentBuilder& timeline, Diagnostics& diagnostics);

}  // namespace stepwise::ingest
