// Who the server is and what it is for, in its own words.
#pragma once

#include <string_view>

#include "core/base/json.h"

namespace stepwise::mcp {

Json server_info();

/// For the model's context: at most 120 words, what the server is for and the usual order of calls. It asks for
/// nothing, because instructions that command steer work that has nothing to do with profiles.
std::string_view instructions();

}  // namespace stepwise::mcp
