// The result of `tools/call`. What the model can put right is a result that says how, not a protocol error: hosts
// show results to the model, and protocol errors to nobody.
#pragma once

#include "core/base/json.h"
#include "core/engine/engine.h"

namespace stepwise::mcp {

/// Text that stands alone, and the same as a structure; or what the tool gave as content; or the error.
Json tool_result(engine::Answer answer);
/// Text alone: a structure would have to fit the tool's output schema.
Json tool_error(const Error& error);

}  // namespace stepwise::mcp
