// The segment cache: a directory (0700) of segment files, one lock file each, least recently used go first.
//
//   <root>/<profile id>/<rank>-<group>.seg      a segment; its key (inside) says what it was made from
//   <root>/<profile id>/<rank>-<group>.lock     flock: at most one process makes it
//   <root>/<profile id>/source.json             what the profile is, for `stepwise cache list`
//   <root>/<profile id>/uses, <root>/evicted    counts of hits, segments made, segments evicted: they only grow
//
// Only create-temporary, rename, unlink: kill -9 at any point leaves whole files and temporary ones (removed later).
// A root that cannot be written, or a full disk, costs speed, not answers: the segment then lives in a file without a
// name, for the life of the Cache. That is logged once.
// [any thread]
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/limits.h"
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
  uint64_t hits = 0, made = 0;  // since the profile's first segment
};

/// The cache as `stepwise cache list` tells it.
struct CacheSummary {
  std::vector<CacheEntry> profiles;
  uint64_t max_bytes = 0;
  uint64_t evicted_segments = 0, evicted_bytes = 0;  // since the cache was last cleared
};

class CacheDirectory;

class Cache {
 public:
  ~Cache();
  /// $XDG_CACHE_HOME/stepwise, else ~/.cache/stepwise, else a directory of this user under the temporary one.
  static std::filesystem::path default_root();
  /// STEPWISE_CACHE_BYTES (a whole number), else limits::kCacheBytesDefault.
  static uint64_t default_max_bytes();
  /// Makes the directory. Errors: io `cache.unwritable` when something that is no directory stands there.
  static Result<std::unique_ptr<Cache>> open(std::filesystem::path root, uint64_t max_bytes = default_max_bytes());

  /// The segment of that name and key: mapped if it is there and whole, else made by `ingest` under the segment's
  /// lock, so that two threads or processes that want it parse once; `ingest` runs a second time only if
  /// the disk becomes full while the segment is written. Polls the flag while it waits for another one.
  /// A buffer that proves damaged later removes its file, so that the next call makes it anew.
  /// Errors: those of ingest; `cancelled`; io `store.write` when there is no room anywhere.
  using Ingest = std::function<Result<void>(SegmentBuilder&)>;
  Result<CachedSegment> get(const SegmentName& name, const SegmentKey& key, const CancelFlag& cancel,
                            const Ingest& ingest);

  CacheSummary list() const;
  /// Removes every segment and every count; returns bytes freed. Who has one mapped keeps it.
  Result<uint64_t> clear();
  const std::filesystem::path& root() const { return root_; }

 private:
  class Turn;
  struct Unnamed {
    SegmentKey key;
    std::shared_ptr<const Segment> segment;
    uint64_t last_use = 0;
  };
  Cache(std::filesystem::path root, uint64_t max_bytes);
  std::shared_ptr<const Segment> find(const std::filesystem::path& path, const SegmentKey& key);
  Result<CachedSegment> store(const SegmentName& name, const std::filesystem::path& path, const SegmentKey& key,
                              SegmentBuilder& builder);
  Result<CachedSegment> keep_unnamed(const std::filesystem::path& path, const SegmentKey& key,
                                     const SegmentBuilder& builder);
  void warn_once(const Error& why);

  const std::filesystem::path root_;
  const uint64_t max_bytes_;
  const std::unique_ptr<CacheDirectory> directory_;
  bool is_usable_ = false;  // set by open, before the object is shared
  std::atomic<bool> warned_{false};

  mutable std::mutex mutex_;
  std::condition_variable turn_ended_;
  std::set<std::filesystem::path> in_making_;
  std::map<std::filesystem::path, Unnamed> unnamed_;  // by the path where it could not be stored
  uint64_t uses_ = 0;
};

}  // namespace stepwise::store
