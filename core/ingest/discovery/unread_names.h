// Files that a profiler writes and that are known but not read: why not.
#pragma once

#include <string_view>

namespace stepwise::ingest {

/// "no table takes it in this version" where nothing is known of such a name.
const char* why_unread(std::string_view file_name);

}  // namespace stepwise::ingest
