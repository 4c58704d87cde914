// Runs one planned call on the current thread: checks needs, calls the provider or the plugin, checks the result
// against its declared schema, adds what is missing. No waiting, no threads: execution.h decides when.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
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

using WantedSegments = std::set<std::pair<uint32_t, table::Group>>;

/// Errors: what the tool fails with; cancelled; plugin `plugin.result`, `plugin.schema`; `call.again`: a tool that
/// reads on demand asked for the `wanted` segments, and is to be performed again with them.
/// `log` takes what the tool logs, on the current thread.
Result<ResultPtr> perform(const CallPlan& plan, const LoadedSegments& segments, Performer& performer,
                          const CancelFlag& cancel, ProgressGauge& progress, WantedSegments& wanted,
                          const std::function<void(LogMessage)>& log);

}  // namespace stepwise::engine
