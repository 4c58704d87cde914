// Reads one group of one rank into a segment under construction. Which reader reads which file is decided here.
#pragma once

#include "core/base/error.h"
#include "core/base/task.h"
#include "core/ingest/base/context.h"
#include "core/ingest/discovery/layout.h"
#include "core/store/segment.h"

namespace stepwise::ingest {

/// Fills tables and the `diagnostic` table. A file that is absent, cut or broken is a diagnostic, not an error.
/// Errors: cancelled.
Result<void> ingest_group(const ProfileLayout& layout, const RankLayout& rank, table::Group group,
                          const CancelFlag& cancel, ProgressGauge& progress, const IngestOptions& options,
                          store::SegmentBuilder& out);

/// Key of the segment as the sources stand now (stat only).
store::SegmentKey segment_key(const ProfileLayout& layout, const RankLayout& rank, table::Group group);

}  // namespace stepwise::ingest
