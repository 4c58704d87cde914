// Where the real profiles lie: beside the repository, or where STEPWISE_SHARED says.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace stepwise::ingest {

/// Without them the whole test binary ends as skipped.
inline std::filesystem::path shared_data() {
  const char* const set = std::getenv("STEPWISE_SHARED");
  const std::filesystem::path data = std::filesystem::path(set != nullptr ? set : "../shared") / "data";
  if (!std::filesystem::exists(data)) {
    std::puts("skipped: the real profiles are not here (STEPWISE_SHARED)");
    std::exit(77);
  }
  return data;
}

}  // namespace stepwise::ingest
