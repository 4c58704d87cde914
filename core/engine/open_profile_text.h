// What open_profile tells in words: first what the profile is, then what can be asked of it, files last.
#pragma once

#include <string>

#include "core/base/json.h"

namespace stepwise::engine {

/// body: open_profile's result, with "tables" (rows of each; null: not read yet) and "tables_rank".
std::string open_profile_text(const Json& body);

}  // namespace stepwise::engine
