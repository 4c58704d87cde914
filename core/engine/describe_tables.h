// The tables of one rank: what they are, how many rows, and with `table` each column with its unit. Reads every group,
// so its answer also tells what reading lost anywhere in the profile.
#pragma once

#include "core/engine/provider.h"

namespace stepwise::engine {

/// Of manifest.h's shape.
Json describe_tables_declaration();
/// Errors: not_found `table.unknown`.
Result<ToolResult> describe_tables(const Json& arguments, CallHost& host);

}  // namespace stepwise::engine
