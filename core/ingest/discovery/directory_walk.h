// Looking through a profile's directories: bounded, in a fixed order, and never out of the root.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/limits.h"

namespace stepwise::ingest {

struct DirectoryEntry {
  std::string name;
  bool is_directory = false;
  std::string why_not;        // why it must not be looked into; empty: it may
  bool is_forbidden = false;  // its directory lets nobody look at what is in it
};

/// One walk; not more than so many names in all.
class DirectoryWalk {
 public:
  /// root: a real path.
  explicit DirectoryWalk(std::filesystem::path root, size_t most_names = limits::kMaxProfileEntries)
      : root_(std::move(root)), most_names_(most_names) {}

  /// Sorted by name. Hidden ones are left out. Links to files are taken if they end inside the root, links to
  /// directories never (what lies inside is reached anyway). Errors: io `profile.unreadable`.
  Result<std::vector<DirectoryEntry>> list(const std::filesystem::path& directory);

  const std::filesystem::path& root() const { return root_; }
  size_t entries_seen() const { return entries_seen_; }
  /// There were more names than the bound: the rest of that directory was not looked at, nor is any other.
  bool is_cut() const { return is_cut_; }

 private:
  DirectoryEntry look_at(const std::filesystem::directory_entry& entry) const;
  bool lies_inside(const std::filesystem::path& real_path) const;

  std::filesystem::path root_;
  size_t most_names_, entries_seen_ = 0;
  bool is_cut_ = false;
};

}  // namespace stepwise::ingest
