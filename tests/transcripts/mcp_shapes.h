// The shapes of MCP 2025-11-25 that Stepwise sends, written down by hand from the specification: what must be there,
// of which type, and (in the envelope) nothing else.
#pragma once

#include <string>
#include <string_view>

#include "core/base/json.h"

namespace stepwise::transcripts {

/// `method` is the request's whose id the message carries; "" where there is none. Empty: the message is right; else
/// what is wrong.
std::string mcp_shape_error(const Json& message, std::string_view method);

}  // namespace stepwise::transcripts
