// The segment cache: a directory (0700) of segment files, one lock file each, least recently used go first.
//
//   <root>/<profile id>/<rank>-<group>.seg      a segment; its key (inside) says what it was made from
//   <root>/<profile id>/<rank>-<group>.lock     flock: at most one process makes it
//   <root>/<profile id>/source.json             what the profile is, for `stepwise cache list`
//
// Only create-temporary, rename, unlink: kill -9 at any point leaves whole files and temporary ones (removed later).
// [any thread]
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/task.h"
#include "core/store/segment.h"

namespace stepwise::store {

struct SegmentName {
  std::string profile_id;    // p1a2b3c4d
  std::string profile_path;  // real path, for people
  uint32_t rank = 0;
  table::Group group = table::Group::files;
};
const char* group_name(table::Group group);

struct CachedSegment {
  std::shared_ptr<const Segment> segment;
  bool from_cache = false;
};

struct CacheEntry {
  std::string profile_id, profile_path;
  uint64_t bytes = 0;
  size_t segments = 0;
  int64_t last_used_unix_s = 0;
};

class Cache {
 public:
  /// $XDG_CACHE_HOME/stepwise, else ~/.cache/stepwise, else a directory of this user under the temporary one.
  static std::filesystem::path default_root();
  /// Makes the directory. Errors: io `cache.unwritable`.
  static Result<std::unique_ptr<Cache>> open(std::filesystem::path root,
                                             uint64_t max_bytes = limits::kCacheBytesDefault);

  /// The segment of that name and key: mapped if it is there and whole, else made by `ingest` under the segment's
  /// lock, so that two processes that want it parse once. Polls the flag while it waits for another process.
  using Ingest = std::function<Result<void>(SegmentBuilder&)>;
  Result<CachedSegment> get(const SegmentName& name, const SegmentKey& key, const CancelFlag& cancel,
                            const Ingest& ingest);

  std::vector<CacheEntry> list() const;
  /// Removes every segment; returns bytes freed.
  Result<uint64_t> clear();
  const std::filesystem::path& root() const { return root_; }

 private:
  Cache(std::filesystem::path root, uint64_t max_bytes) : root_(std::move(root)), max_bytes_(max_bytes) {}
  void evict_beyond_limit() const;
  std::filesystem::path root_;
  uint64_t max_bytes_;
};

}  // namespace stepwise::store
