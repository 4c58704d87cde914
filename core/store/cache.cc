#include "core/store/cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "core/base/log.h"
#include "core/base/text.h"
#include "core/store/cache_directory.h"
#include "core/store/cache_tally.h"
#include "core/store/file_lock.h"
#include "core/store/file_writer.h"

namespace stepwise::store {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> directory_from_environment(const char* variable) {
  const char* value = std::getenv(variable);
  // The XDG specification: a relative path is to be ignored.
  if (value == nullptr || value[0] != '/') return std::nullopt;
  return fs::path(value);
}

Error unwritable(const fs::path& root, const char* why) {
  return {ErrorKind::io, "cache.unwritable", "The cache directory " + root.string() + " cannot be used: " + why + ".",
          "Name another directory in XDG_CACHE_HOME."};
}

/// A directory of ours that nobody else can write: what lies in it is mapped and believed.
Result<void> make_private_directory(const fs::path& root) {
  std::error_code failed;
  fs::create_directories(root.parent_path(), failed);
  if (::mkdir(root.c_str(), S_IRWXU) != 0 && errno != EEXIST) return unwritable(root, std::strerror(errno));
  struct stat info {};
  if (::stat(root.c_str(), &info) != 0) return unwritable(root, std::strerror(errno));
  if (!S_ISDIR(info.st_mode)) return unwritable(root, "it is no directory");
  if (info.st_uid != ::geteuid()) return unwritable(root, "it belongs to another user");
  if ((info.st_mode & (S_IRWXG | S_IRWXO)) != 0 && ::chmod(root.c_str(), S_IRWXU) != 0) {
    return unwritable(root, std::strerror(errno));
  }
  return {};
}

bool is_file_name(const std::string& name) {
  return !name.empty() && name[0] != '.' && name.find('/') == std::string::npos && name.find('\0') == std::string::npos;
}

}  // namespace

/// One maker of a segment at a time in this process, also where files cannot be locked.
class Cache::Turn {
 public:
  static Result<Turn> take(Cache& cache, const fs::path& segment, const CancelFlag& cancel) {
    std::unique_lock lock(cache.mutex_);
    while (!cache.in_making_.insert(segment).second) {
      if (cancel.is_set()) {
        return Error{ErrorKind::cancelled, "call.cancelled", "Waiting for another reader of the profile was cancelled.",
                     ""};
      }
      cache.turn_ended_.wait_for(lock, limits::kCacheLockPoll);
    }
    return Turn(cache, segment);
  }
  Turn(Turn&& other) noexcept : cache_(std::exchange(other.cache_, nullptr)), segment_(std::move(other.segment_)) {}
  Turn& operator=(Turn&&) = delete;
  ~Turn() {
    if (cache_ == nullptr) return;
    {
      const std::lock_guard lock(cache_->mutex_);
      cache_->in_making_.erase(segment_);
    }
    cache_->turn_ended_.notify_all();
  }

 private:
  Turn(Cache& cache, fs::path segment) : cache_(&cache), segment_(std::move(segment)) {}
  Cache* cache_;
  fs::path segment_;
};

Cache::Cache(fs::path root, uint64_t max_bytes)
    : root_(std::move(root)), max_bytes_(max_bytes), directory_(std::make_unique<CacheDirectory>(root_)) {}
Cache::~Cache() = default;

fs::path Cache::default_root() {
  if (const auto xdg = directory_from_environment("XDG_CACHE_HOME")) return *xdg / "stepwise";
  if (const auto home = directory_from_environment("HOME")) return *home / ".cache" / "stepwise";
  std::error_code failed;
  fs::path temporary = fs::temp_directory_path(failed);
  if (failed) temporary = "/tmp";
  return temporary / ("stepwise-" + std::to_string(::geteuid()));
}

uint64_t Cache::default_max_bytes() {
  const char* value = std::getenv("STEPWISE_CACHE_BYTES");
  if (value == nullptr) return limits::kCacheBytesDefault;
  const auto bytes = to_integer(value);
  if (bytes && *bytes >= 0) return static_cast<uint64_t>(*bytes);
  log::warn("STEPWISE_CACHE_BYTES is no whole number of bytes (\"" + to_valid_utf8(value) + "\"); the limit is " +
            human_bytes(limits::kCacheBytesDefault) + ".");
  return limits::kCacheBytesDefault;
}

Result<std::unique_ptr<Cache>> Cache::open(fs::path root, uint64_t max_bytes) {
  std::unique_ptr<Cache> cache(new Cache(std::move(root), max_bytes));
  const Result<void> made = make_private_directory(cache->root_);
  std::error_code failed;
  if (!made.ok() && fs::exists(cache->root_, failed) && !fs::is_directory(cache->root_, failed)) return made.error();
  if (!made.ok()) cache->warn_once(made.error());
  cache->is_usable_ = made.ok();
  return cache;
}

Result<CachedSegment> Cache::get(const SegmentName& name, const SegmentKey& key, const CancelFlag& cancel,
                                 const Ingest& ingest) {
  if (!is_file_name(name.profile_id)) {
    return Error{ErrorKind::bug, "cache.bad_name", "A profile id that is no file name: \"" + name.profile_id + "\".",
                 "This is a fault of Stepwise; please report it."};
  }
  const fs::path path = directory_->segment(name);
  if (auto found = find(path, key)) return CachedSegment{std::move(found), true};

  SW_ASSIGN_OR_RETURN(const Turn turn, Turn::take(*this, path, cancel));
  std::optional<FileLock> lock;
  if (is_usable_) {
    auto taken = FileLock::take(CacheDirectory::lock_of(path), cancel);
    if (!taken.ok() && taken.error().kind == ErrorKind::cancelled) return taken.take_error();
    if (taken.ok()) {
      lock = std::move(taken).value();
    } else {
      warn_once(taken.error());
    }
  }
  // Whoever had the turn before us has most likely made it.
  if (auto found = find(path, key)) return CachedSegment{std::move(found), true};

  auto builder = std::make_unique<SegmentBuilder>();
  SW_RETURN_IF_ERROR(ingest(*builder));
  if (lock) {
    auto stored = store(name, path, key, *builder);
    if (stored.ok() || stored.error().kind != ErrorKind::io) return stored;
    warn_once(stored.error());
    if (builder->is_spent()) {  // the disk became full on the way, which is rare: read once more
      builder = std::make_unique<SegmentBuilder>();
      SW_RETURN_IF_ERROR(ingest(*builder));
    }
  }
  return keep_unnamed(path, key, *builder);
}

std::shared_ptr<const Segment> Cache::find(const fs::path& path, const SegmentKey& key) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = unnamed_.find(path);
    if (found != unnamed_.end() && found->second.key == key && !found->second.segment->is_damaged()) {
      found->second.last_use = ++uses_;
      return found->second.segment;
    }
  }
  if (!is_usable_) return nullptr;
  // Whatever is wrong with the file (absent, stale, damaged, unreadable), the answer is to make it anew.
  auto opened = Segment::open(path, key, [path] { ::unlink(path.c_str()); });
  if (!opened.ok()) return nullptr;
  CacheDirectory::touch(path);
  CacheTally::count_hit(path);
  return std::move(opened).value();
}

Result<CachedSegment> Cache::store(const SegmentName& name, const fs::path& path, const SegmentKey& key,
                                   SegmentBuilder& builder) {
  CacheDirectory::remove_leftovers(path);
  // The segment last: whoever dies before it is there leaves temporary files that the next maker of it removes.
  if (const auto written = CacheDirectory::write_source(name, path); !written.ok()) warn_once(written.error());
  SW_RETURN_IF_ERROR(builder.write_and_forget(path, key));
  SW_ASSIGN_OR_RETURN(auto segment, Segment::open(path, key, [path] { ::unlink(path.c_str()); }));
  CacheTally::count_made(path);
  directory_->evict(max_bytes_, path);
  return CachedSegment{std::move(segment), false};
}

Result<CachedSegment> Cache::keep_unnamed(const fs::path& path, const SegmentKey& key, const SegmentBuilder& builder) {
  SW_ASSIGN_OR_RETURN(Descriptor file, make_unnamed_file([&](int fd) { return builder.write_to(fd, key); }));
  SW_ASSIGN_OR_RETURN(auto segment, Segment::open_descriptor(file.release(), key));
  const std::lock_guard lock(mutex_);
  unnamed_[path] = {key, segment, ++uses_};
  uint64_t bytes = 0;
  for (const auto& [where, unnamed] : unnamed_) bytes += unnamed.segment->bytes();
  while (bytes > max_bytes_ && unnamed_.size() > 1) {
    const auto oldest = std::min_element(unnamed_.begin(), unnamed_.end(), [](const auto& a, const auto& b) {
      return a.second.last_use < b.second.last_use;
    });
    bytes -= oldest->second.segment->bytes();
    unnamed_.erase(oldest);
  }
  return CachedSegment{std::move(segment), false};
}

CacheSummary Cache::list() const {
  if (!is_usable_) return {{}, max_bytes_, 0, 0};
  const EvictionCounts evicted = CacheTally::evictions(root_);
  return {directory_->list(), max_bytes_, evicted.segments, evicted.bytes};
}

Result<uint64_t> Cache::clear() {
  uint64_t freed = 0;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [path, unnamed] : unnamed_) freed += unnamed.segment->bytes();
    unnamed_.clear();
  }
  if (!is_usable_) return freed;
  SW_ASSIGN_OR_RETURN(const uint64_t on_disk, directory_->clear());
  return freed + on_disk;
}

void Cache::warn_once(const Error& why) {
  if (warned_.exchange(true)) return;
  log::warn(to_text(why) + " What is read from profiles is kept until the program ends.");
}

}  // namespace stepwise::store
