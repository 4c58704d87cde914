// A cache in a directory of its own, for its tests.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <ctime>
#include <memory>
#include <string>

#include "core/store/cache.h"
#include "core/store/test_tables.h"
#include "tests/catch.h"

namespace stepwise::store::test {

namespace fs = std::filesystem;

inline constexpr SegmentKey kKey{1, 2};

inline SegmentName name_of(std::string profile, uint32_t rank = 0) {
  return {std::move(profile), "/data/run", rank, table::Group::files};
}

/// A cache in a directory of its own, and how often a segment was made.
struct Fixture {
  explicit Fixture(uint64_t max_bytes = limits::kCacheBytesDefault, const std::string& root = "cache")
      : path(directory.path() / root) {
    auto opened = Cache::open(path, max_bytes);
    REQUIRE(opened.ok());
    cache = std::move(opened).value();
  }
  Result<CachedSegment> get(const SegmentName& name, const SegmentKey& key = kKey) {
    return cache->get(name, key, cancel, [this](SegmentBuilder& builder) -> Result<void> {
      ++ingests;
      fill_sample(builder, 100);
      return {};
    });
  }
  fs::path file(const std::string& profile, const std::string& name) const { return path / profile / name; }

  TemporaryDirectory directory;
  fs::path path;
  std::unique_ptr<Cache> cache;
  CancelFlag cancel;
  int ingests = 0;
};

inline void set_age(const fs::path& path, int seconds) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  now.tv_sec -= seconds;
  const timespec times[2] = {now, now};
  REQUIRE(::utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
}

}  // namespace stepwise::store::test
