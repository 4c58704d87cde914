// Which slice lies in which.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ingest/timeline/trace_order.h"

namespace stepwise::ingest {

/// What tells slices apart whose printed times do not. Parallel to the slices, or empty: not known.
struct NestingHints {
  std::span<const int32_t> name;        // codes of a dictionary
  std::span<const int64_t> call_order;  // numbers that collectors give out when a call begins; negative: none
};

/// For slices in start_order; a slice that reaches beyond an open one lies in the next that holds all of it.
///
/// Where all times are whole microseconds, both ends of a slice were rounded down. So one without printed length that
/// begins at another's printed end may be its last inner call or what came after it. It lies inside if slices of the
/// other's name, in the same outer one, have more of its name inside than this one has so far; as counted where the
/// times leave no doubt. Of slices that begin at one time, those without length lie before the longer ones that a
/// later number was given out for: they had ended. Numbers are believed on tracks where they grow with the time.
Nesting nest(const SliceColumns& slices, size_t track_count, const NestingHints& hints = {});

}  // namespace stepwise::ingest
