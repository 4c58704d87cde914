#include "core/store/cache_tally.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <string_view>

#include "core/base/small_file.h"
#include "core/store/descriptor.h"

namespace stepwise::store {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMaxBytes = 1 << 20;

/// One write with O_APPEND is not torn apart by another process's. A file that has grown to the limit stays as it is:
/// beyond it counts say "at least".
void append(const fs::path& path, std::string_view text) {
  const Descriptor file(
      ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, S_IRUSR | S_IWUSR));
  struct stat info {};
  if (!file.is_open() || ::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) return;
  if (static_cast<uint64_t>(info.st_size) >= kMaxBytes) return;
  [[maybe_unused]] const ssize_t written = ::write(file.get(), text.data(), text.size());
}

}  // namespace

void CacheTally::count_hit(const fs::path& segment) { append(segment.parent_path() / kUses, "h"); }
void CacheTally::count_made(const fs::path& segment) { append(segment.parent_path() / kUses, "m"); }

UseCounts CacheTally::uses(const fs::path& profile) {
  const std::string text = read_small_file(profile / kUses, 2 * kMaxBytes).value_or("");
  UseCounts counts;
  counts.hits = static_cast<uint64_t>(std::count(text.begin(), text.end(), 'h'));
  counts.made = static_cast<uint64_t>(std::count(text.begin(), text.end(), 'm'));
  return counts;
}

void CacheTally::count_eviction(const fs::path& root, const fs::path& segment, uint64_t bytes) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  append(root / kEvicted, std::to_string(std::chrono::duration_cast<std::chrono::seconds>(now).count()) + " " +
                              segment.parent_path().filename().string() + " " + std::to_string(bytes) + "\n");
}

EvictionCounts CacheTally::evictions(const fs::path& root) {
  std::istringstream file(read_small_file(root / kEvicted, 2 * kMaxBytes).value_or(""));
  EvictionCounts counts;
  std::string when, profile;
  for (uint64_t bytes = 0; file >> when >> profile >> bytes;) {
    ++counts.segments;
    counts.bytes += bytes;
  }
  return counts;
}

}  // namespace stepwise::store
