// timeline: what ran in a window of a rank's timeline, by track.
#pragma once

#include "core/engine/provider.h"

namespace stepwise::engine {

/// Of manifest.h's shape.
Json timeline_declaration();
/// Errors: usage `timeline.window` (it ends before it starts, or lies beyond what a time can be); `call.again`
/// (CallHost::read); call.cancelled.
Result<ToolResult> timeline(const Json& arguments, CallHost& host);

}  // namespace stepwise::engine
