// Reads trace_view.json or msprof_*.json (plain or .gz) into the tables of the timeline.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/error.h"
#include "core/ingest/base/context.h"
#include "core/store/segment.h"

namespace stepwise::ingest {

/// relative_path is how diagnostics name the file. Damage is counted in context.diagnostics. Errors: cancelled.
Result<void> read_trace_view(const std::filesystem::path& file, const std::string& relative_path,
                             IngestContext& context, store::SegmentBuilder& out);

}  // namespace stepwise::ingest
