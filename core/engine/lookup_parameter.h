// lookup_parameter: what is known about a parameter, with its sources.
#pragma once

#include <memory>

#include "core/advice/knowledge.h"
#include "core/engine/result.h"

namespace stepwise::engine {

Json lookup_parameter_declaration();
/// Errors: usage `args.lookup`.
Result<ToolResult> lookup_parameter(const advice::Knowledge& knowledge, const Json& arguments);

}  // namespace stepwise::engine
