// What a profiler says about a run, as JSON, into the table `meta`.
#pragma once

#include <string>

#include "core/base/json.h"
#include "core/store/table_builder.h"

namespace stepwise::ingest {

/// Objects, and lists of them, become paths of keys joined by '.': DeviceInfo.0.ai_core_num. Another list is one value,
/// as JSON text: global_ranks is "[0,2]".
void flatten_metadata(const std::string& path, const Json& value, const std::string& file, store::TableBuilder& rows);

}  // namespace stepwise::ingest
