#include "core/engine/profile_changes.h"

#include <filesystem>
#include <system_error>

#include "core/base/hash.h"

namespace stepwise::engine {
namespace {

constexpr size_t kMaxFilesLookedAt = 4096;  // of one profile; thousands of ranks are not looked at each time

uint64_t print_of(const OpenProfile& profile) {
  std::string text;
  size_t left = kMaxFilesLookedAt;
  for (const ingest::RankLayout& rank : profile.layout.ranks) {
    for (const ingest::SourceFile& file : rank.files) {
      if (left-- == 0) return hash64(text);
      const auto path = profile.layout.root / file.path;
      std::error_code ec;
      const auto bytes = std::filesystem::file_size(path, ec);
      const auto written = std::filesystem::last_write_time(path, ec).time_since_epoch().count();
      // A file that is gone is a change too.
      text += ec ? "gone;" : std::to_string(bytes) + "@" + std::to_string(written) + ";";
    }
  }
  return hash64(text);
}

}  // namespace

std::vector<std::string> ProfileChanges::look(const std::vector<OpenProfilePtr>& open) {
  std::vector<std::string> changed;
  const std::lock_guard lock(mutex_);
  for (const OpenProfilePtr& profile : open) {
    const uint64_t now = print_of(*profile);
    const auto [it, is_new] = seen_.try_emplace(profile->id, Seen{now, now});
    Seen& seen = it->second;
    if (!is_new && now == seen.last && now != seen.told) {
      seen.told = now;
      changed.push_back(profile->id);
    }
    seen.last = now;
  }
  return changed;
}

}  // namespace stepwise::engine
