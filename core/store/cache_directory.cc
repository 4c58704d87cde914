#include "core/store/cache_directory.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/json.h"
#include "core/base/small_file.h"
#include "core/store/cache_tally.h"
#include "core/store/file_lock.h"
#include "core/store/file_writer.h"

namespace stepwise::store {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSource = "source.json";
constexpr size_t kMaxSourceBytes = 64u << 10;
constexpr int64_t kNsPerSecond = 1'000'000'000;

/// Sorted, so that what is done in turn is done in the same turn each time. Another process may remove files meanwhile.
std::vector<fs::path> children(const fs::path& directory) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::directory_iterator at(directory, failed), end; !failed && at != end; at.increment(failed)) {
    found.push_back(at->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool is_segment(const fs::path& path) { return path.extension() == ".seg"; }

std::vector<SegmentFile> segments_in(const fs::path& profile) {
  std::vector<SegmentFile> files;
  for (const fs::path& path : children(profile)) {
    struct stat info {};
    if (!is_segment(path) || ::lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    files.push_back(
        {path, static_cast<uint64_t>(info.st_size), info.st_mtim.tv_sec * kNsPerSecond + info.st_mtim.tv_nsec});
  }
  return files;
}

/// "0-trace.seg" of "0-trace.seg.tmp.Xk3p9A"; empty: no temporary file.
fs::path segment_of_temporary(const fs::path& path) {
  const std::string name = path.filename().string();
  const size_t at = name.find(".seg.tmp.");
  return at == std::string::npos ? fs::path() : path.parent_path() / name.substr(0, at + std::strlen(".seg"));
}

/// Lock file and temporary files, unless somebody makes the segment just now. Removing the lock under the lock is
/// safe: who waits for it sees that its name is gone, and starts over.
void remove_traces(const fs::path& segment) {
  auto lock = FileLock::try_take(CacheDirectory::lock_of(segment));
  if (!lock.ok() || !lock.value()) return;
  CacheDirectory::remove_leftovers(segment);
  std::error_code ignored;
  if (!fs::exists(segment, ignored)) ::unlink(CacheDirectory::lock_of(segment).c_str());
}

/// Whether the segment is gone afterwards.
bool remove_segment(const fs::path& segment) {
  if (::unlink(segment.c_str()) != 0 && errno != ENOENT) return false;
  remove_traces(segment);
  return true;
}

void remove_profile_if_empty(const fs::path& profile) {
  for (const fs::path& path : children(profile)) {
    if (path.filename() != kSource && path.filename() != CacheTally::kUses) return;
  }
  ::unlink((profile / kSource).c_str());
  ::unlink((profile / CacheTally::kUses).c_str());
  ::rmdir(profile.c_str());
}

std::string source_path(const fs::path& profile) {
  const auto json = parse_json(read_small_file(profile / kSource, kMaxSourceBytes).value_or(""));
  if (!json.ok() || !json.value().is_object()) return "";
  const auto path = json.value().find("path");
  return path != json.value().end() && path->is_string() ? path->get<std::string>() : "";
}

}  // namespace

const char* group_name(table::Group group) {
  switch (group) {
    case table::Group::files:
      return "files";
    case table::Group::trace:
      return "trace";
    case table::Group::graph:
      return "graph";
    case table::Group::cluster:
      return "cluster";
  }
  return "unknown";
}

fs::path CacheDirectory::segment(const SegmentName& name) const {
  return root_ / name.profile_id / (std::to_string(name.rank) + "-" + group_name(name.group) + ".seg");
}

fs::path CacheDirectory::lock_of(const fs::path& segment) { return fs::path(segment).replace_extension(".lock"); }

Result<void> CacheDirectory::write_source(const SegmentName& name, const fs::path& segment) {
  const std::string text = dump_json_pretty({{"path", name.profile_path}, {"profile", name.profile_id}});
  return replace_file(segment.parent_path() / kSource, temporary_prefix(segment), [&](int descriptor) {
    FileWriter writer(descriptor);
    writer.append(text.data(), text.size());
    return writer.finish();
  });
}

void CacheDirectory::remove_leftovers(const fs::path& segment) {
  for (const fs::path& path : children(segment.parent_path())) {
    if (segment_of_temporary(path) == segment) ::unlink(path.c_str());
  }
}

void CacheDirectory::touch(const fs::path& segment) { ::utimensat(AT_FDCWD, segment.c_str(), nullptr, 0); }

std::vector<fs::path> CacheDirectory::profiles() const {
  std::vector<fs::path> found = children(root_);
  std::erase_if(found, [](const fs::path& path) {
    std::error_code failed;
    return !fs::is_directory(fs::symlink_status(path, failed));
  });
  return found;
}

std::vector<CacheEntry> CacheDirectory::list() const {
  std::vector<CacheEntry> entries;
  for (const fs::path& profile : profiles()) {
    const UseCounts uses = CacheTally::uses(profile);
    CacheEntry entry{profile.filename().string(), source_path(profile), 0, 0, 0, uses.hits, uses.made};
    for (const SegmentFile& file : segments_in(profile)) {
      entry.bytes += file.bytes;
      ++entry.segments;
      entry.last_used_unix_s = std::max(entry.last_used_unix_s, file.last_used_ns / kNsPerSecond);
    }
    if (entry.segments > 0) entries.push_back(std::move(entry));
  }
  return entries;
}

void CacheDirectory::evict(uint64_t max_bytes, const fs::path& keep) const {
  std::vector<SegmentFile> files;
  uint64_t total = 0;
  for (const fs::path& profile : profiles()) {
    for (const fs::path& path : children(profile)) {
      if (const fs::path segment = segment_of_temporary(path); !segment.empty() && segment != keep) {
        remove_traces(segment);
      }
    }
    for (SegmentFile& file : segments_in(profile)) {
      total += file.bytes;
      if (file.path != keep) files.push_back(std::move(file));
    }
  }
  std::stable_sort(files.begin(), files.end(),
                   [](const SegmentFile& a, const SegmentFile& b) { return a.last_used_ns < b.last_used_ns; });
  for (const SegmentFile& file : files) {
    if (total <= max_bytes) return;
    if (!remove_segment(file.path)) continue;
    CacheTally::count_eviction(root_, file.path, file.bytes);
    total -= file.bytes;
    remove_profile_if_empty(file.path.parent_path());
  }
}

Result<uint64_t> CacheDirectory::clear() const {
  uint64_t freed = 0;
  for (const fs::path& profile : profiles()) {
    for (const SegmentFile& file : segments_in(profile)) {
      if (!remove_segment(file.path)) {
        return Error{ErrorKind::io, "cache.unwritable",
                     "A cached segment cannot be removed: " + std::string(std::strerror(errno)) + ".", "",
                     file.path.string()};
      }
      freed += file.bytes;
    }
    for (const fs::path& path : children(profile)) {
      if (path.extension() == ".lock") remove_traces(fs::path(path).replace_extension(".seg"));
    }
    remove_profile_if_empty(profile);
  }
  ::unlink((root_ / CacheTally::kEvicted).c_str());
  return freed;
}

}  // namespace stepwise::store
