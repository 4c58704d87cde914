// How often the cache answered, made and evicted: files that only grow, so that processes count together without locks
// and kill -9 loses at most its own event. Internal to core/store.
//
//   <root>/<profile id>/uses    one byte an event: h, a segment was found; m, it was made
//   <root>/evicted              one line a segment that made room for others: Unix seconds, profile id, bytes
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace stepwise::store {

struct UseCounts {
  uint64_t hits = 0, made = 0;
};

struct EvictionCounts {
  uint64_t segments = 0, bytes = 0;
};

/// Nothing here fails: a count that cannot be written is a count too low.
class CacheTally {
 public:
  static constexpr const char *kUses = "uses", *kEvicted = "evicted";

  static void count_hit(const std::filesystem::path& segment);
  static void count_made(const std::filesystem::path& segment);
  static UseCounts uses(const std::filesystem::path& profile);

  static void count_eviction(const std::filesystem::path& root, const std::filesystem::path& segment, uint64_t bytes);
  static EvictionCounts evictions(const std::filesystem::path& root);
};

}  // namespace stepwise::store
