// Where the real profiles lie.
#pragma once

#include <filesystem>

#include "tests/shared_folder.h"

namespace stepwise::ingest {

/// Without them the whole test binary ends as skipped.
inline std::filesystem::path shared_data() { return shared_folder("data"); }

}  // namespace stepwise::ingest
