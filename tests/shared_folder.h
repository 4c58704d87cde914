// Where the real profiles and the texts that this follows lie: beside the repository, or where STEPWISE_SHARED says.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace stepwise {

/// The folder of that name there. Without it the whole test binary ends as skipped.
inline std::filesystem::path shared_folder(const char* name) {
  const char* const set = std::getenv("STEPWISE_SHARED");
  const std::filesystem::path folder = std::filesystem::path(set != nullptr ? set : "../shared") / name;
  if (!std::filesystem::exists(folder)) {
    std::printf("skipped: %s is not here (STEPWISE_SHARED)\n", name);
    std::exit(77);
  }
  return folder;
}

}  // namespace stepwise
