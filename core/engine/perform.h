// Runs one planned call on the current thread: checks needs, calls the provider or the plugin, checks the result
// against its declared schema, adds what is missing. No waiting, no threads: execution.h decides when.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "core/base/task.h"
#include "core/engine/plan.h"
#include "core/engine/provider.h"
#include "core/engine/result_cache.h"
#include "core/engine/segment_service.h"

namespace stepwise::engine {

using LoadedSegments = std::map<std::pair<uint32_t, table::Group>, LoadedSegment>;

struct Performer {
  PluginRunner& runner;
  ResultCache& results;
};

/// Errors: what the tool fails with; cancelled; plugin `plugin.result`, `plugin.schema`.
Result<ResultPtr> perform(const CallPlan& plan, const LoadedSegments& segments, Performer& performer,
                          const CancelFlag& cancel, ProgressGauge& progress);

}  // namespace stepwise::engine
