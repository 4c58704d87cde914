// Which slice of one table was running when a slice of another one began.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ingest/timeline/trace_order.h"

namespace stepwise::ingest {

/// Of two slices that begin at one time.
enum class AtOneStart : uint8_t {
  outer_holds,   // the outer one's table decides: it holds the other, whatever their ends are
  longer_holds,  // the outer one must reach as far, or it holds nothing
};

/// Of each slice the row of the innermost of `outer` on its track that was running when it began, or Nesting::kNone.
/// Both are in start_order. Of slices that overlap without nesting, the one that began last is the innermost.
std::vector<uint32_t> innermost_running(const SliceColumns& slices, const SliceColumns& outer, size_t track_count,
                                        AtOneStart rule);

}  // namespace stepwise::ingest
