// What the allocators of a GPU trace held.
#pragma once

#include "core/store/segment.h"

namespace stepwise::ingest {

/// The table memory, out of the samples called `[memory]` in the table counter that have totals: one row an event.
/// Traces before 2022 have none: they tell what was given and taken back only.
void fill_allocator_memory(store::SegmentBuilder& out);

}  // namespace stepwise::ingest
