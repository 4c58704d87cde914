// Reads a PyTorch profiler's trace of a GPU or CPU run (*.pt.trace.json, plain or .gz), of any age: 2021 to now.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/error.h"
#include "core/ingest/base/context.h"
#include "core/store/segment.h"

namespace stepwise::ingest {

/// As read_trace_view.
Result<void> read_kineto_trace(const std::filesystem::path& file, const std::string& relative_path,
                               IngestContext& context, store::SegmentBuilder& out);

}  // namespace stepwise::ingest
