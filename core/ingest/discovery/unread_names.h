// Files that a profiler writes and that are known but not read: why not.
#pragma once

#include <string>
#include <string_view>

namespace stepwise::ingest {

/// "": nothing is known of such a name.
std::string known_reason(std::string_view file_name);
/// "no table takes it in this version" where nothing is known of such a name.
std::string why_unread(std::string_view file_name);

}  // namespace stepwise::ingest
