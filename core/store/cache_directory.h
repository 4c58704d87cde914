// The files of a cache's directory: which are there, and how they are removed while others use them. Touches nothing
// that is not named like a file of the cache. Internal to core/store.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/store/cache.h"

namespace stepwise::store {

struct SegmentFile {
  std::filesystem::path path;
  uint64_t bytes = 0;
  int64_t last_used_ns = 0;  // Unix
};

class CacheDirectory {
 public:
  explicit CacheDirectory(std::filesystem::path root) : root_(std::move(root)) {}

  std::filesystem::path segment(const SegmentName& name) const;
  static std::filesystem::path lock_of(const std::filesystem::path& segment);
  /// What `stepwise cache list` tells of the profile. The segment's lock is held: its name is the temporary's, too.
  static Result<void> write_source(const SegmentName& name, const std::filesystem::path& segment);
  /// Temporary files of this segment; its lock is held, so whoever wrote them is dead.
  static void remove_leftovers(const std::filesystem::path& segment);
  /// Now is when it was last used.
  static void touch(const std::filesystem::path& segment);

  std::vector<CacheEntry> list() const;
  /// The least recently used go until the rest fits; `keep` stays. Leftovers of dead processes go, too.
  void evict(uint64_t max_bytes, const std::filesystem::path& keep) const;
  /// Returns bytes freed. Errors: io `cache.unwritable`.
  Result<uint64_t> clear() const;

 private:
  std::vector<std::filesystem::path> profiles() const;
  std::filesystem::path root_;
};

}  // namespace stepwise::store
