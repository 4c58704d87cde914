// Directories and files that the test itself must not read, also if root runs it.
#pragma once

#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "tests/catch.h"

namespace stepwise::ingest {

/// Takes rights from paths; and from the thread root's right to read everything, which nobody (65534) does not have.
class WithoutRights {
 public:
  /// below: the folder that holds all of them, with what leads there.
  explicit WithoutRights(const std::filesystem::path& below) {
    if (geteuid() == 0) setfsuid(0);  // another one may hold it
    using Perms = std::filesystem::perms;
    const Perms all =
        Perms::owner_all | Perms::group_read | Perms::group_exec | Perms::others_read | Perms::others_exec;
    std::filesystem::permissions(below, all);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(below)) {
      std::filesystem::permissions(entry.path(), all);
    }
    if (geteuid() == 0) setfsuid(kNobody);
  }
  ~WithoutRights() {
    if (geteuid() == 0) setfsuid(0);
    // What is in a directory can be reached only when the directory itself can.
    for (auto it = taken_.rbegin(); it != taken_.rend(); ++it) chmod(it->first.c_str(), it->second);
  }
  WithoutRights(const WithoutRights&) = delete;
  WithoutRights& operator=(const WithoutRights&) = delete;

  void set(const std::filesystem::path& path, mode_t mode) {
    if (geteuid() == 0) setfsuid(0);
    struct stat before {};
    REQUIRE(::stat(path.c_str(), &before) == 0);
    REQUIRE(chmod(path.c_str(), mode) == 0);
    taken_.emplace_back(path, before.st_mode & 07777);
    if (geteuid() == 0) setfsuid(kNobody);
  }

 private:
  static constexpr uid_t kNobody = 65534;
  std::vector<std::pair<std::filesystem::path, mode_t>> taken_;
};

}  // namespace stepwise::ingest
