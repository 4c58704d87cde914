#include "core/store/cache.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "core/store/cache_test_fixture.h"

using namespace stepwise;
using namespace stepwise::store;
using namespace stepwise::store::test;

TEST_CASE("the second get of a segment does not ingest") {
  Fixture fixture;
  const auto first = fixture.get(name_of("p1"));
  REQUIRE(first.ok());
  CHECK_FALSE(first.value().from_cache);
  const auto second = fixture.get(name_of("p1"));
  REQUIRE(second.ok());
  CHECK(second.value().from_cache);
  CHECK(fixture.ingests == 1);
  CHECK(first.value().segment->hash() == second.value().segment->hash());
  CHECK(second.value().segment->table("sample").value()->rows == 100);
  CHECK(fs::exists(fixture.file("p1", "0-files.seg")));
  CHECK(fs::exists(fixture.file("p1", "0-files.lock")));

  CHECK(fixture.get(name_of("p1", 1)).ok());
  CHECK(fixture.get(name_of("p2")).ok());
  CHECK(fixture.ingests == 3);
}

TEST_CASE("another key makes the segment anew, in the same file") {
  Fixture fixture;
  REQUIRE(fixture.get(name_of("p1")).ok());
  const auto changed = fixture.get(name_of("p1"), {1, 3});
  REQUIRE(changed.ok());
  CHECK_FALSE(changed.value().from_cache);
  CHECK(fixture.get(name_of("p1"), {1, 3}).value().from_cache);
  CHECK_FALSE(fixture.get(name_of("p1"), {9, 3}).value().from_cache);
  CHECK(fixture.ingests == 3);
  CHECK(fixture.cache->list().profiles.at(0).segments == 1);
}

TEST_CASE("a mapped segment outlives its replacement and its removal") {
  Fixture fixture;
  const auto old = fixture.get(name_of("p1")).value().segment;
  REQUIRE(fixture.get(name_of("p1"), {5, 5}).ok());
  REQUIRE(fixture.cache->clear().ok());
  CHECK(old->table("sample").value()->rows == 100);
}

TEST_CASE("a segment cut or damaged at its end is made anew at once") {
  Fixture fixture;
  REQUIRE(fixture.get(name_of("p1")).ok());
  const fs::path path = fixture.file("p1", "0-files.seg");
  const std::string bytes = read_file(path);
  write_file(path, GENERATE_COPY(std::string(), bytes.substr(0, bytes.size() / 2), std::string("no segment")));
  const auto again = fixture.get(name_of("p1"));
  REQUIRE(again.ok());
  CHECK_FALSE(again.value().from_cache);
  CHECK(fixture.ingests == 2);
  CHECK(read_file(path) == bytes);
}

TEST_CASE("a damaged column fails its first reader, and the next get makes the segment anew") {
  Fixture fixture;
  REQUIRE(fixture.get(name_of("p1")).ok());
  const fs::path path = fixture.file("p1", "0-files.seg");
  std::string bytes = read_file(path);
  bytes[64] ^= 1;
  write_file(path, bytes);
  const auto damaged = fixture.get(name_of("p1"));
  REQUIRE(damaged.ok());
  CHECK(damaged.value().from_cache);
  CHECK(damaged.value().segment->table("sample").error().code == "store.damaged");
  const auto again = fixture.get(name_of("p1"));
  REQUIRE(again.ok());
  CHECK_FALSE(again.value().from_cache);
  CHECK(again.value().segment->table("sample").ok());
}

TEST_CASE("a failed ingest leaves nothing and is tried again") {
  Fixture fixture;
  const auto failed = fixture.cache->get(name_of("p1"), kKey, fixture.cancel, [](SegmentBuilder&) -> Result<void> {
    return Error{ErrorKind::io, "ingest.read", "No.", ""};
  });
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.error().code == "ingest.read");
  CHECK(fixture.cache->list().profiles.empty());
  CHECK_FALSE(fixture.get(name_of("p1")).value().from_cache);
}

TEST_CASE("beyond the limit the least recently used go, never what was just made") {
  Fixture measure;
  const uint64_t one = measure.get(name_of("p1")).value().segment->bytes();

  Fixture fixture(2 * one);
  REQUIRE(fixture.get(name_of("p1")).ok());
  REQUIRE(fixture.get(name_of("p2")).ok());
  set_age(fixture.file("p1", "0-files.seg"), 100);
  set_age(fixture.file("p2", "0-files.seg"), 50);
  CHECK(fixture.get(name_of("p1")).value().from_cache);  // now p2 is the one that was not used for longest
  REQUIRE(fixture.get(name_of("p3")).ok());
  CHECK(fs::exists(fixture.file("p1", "0-files.seg")));
  CHECK_FALSE(fs::exists(fixture.path / "p2"));
  CHECK(fs::exists(fixture.file("p3", "0-files.seg")));

  Fixture tiny(1);
  REQUIRE(tiny.get(name_of("p1")).ok());
  REQUIRE(tiny.get(name_of("p2")).ok());
  CHECK_FALSE(fs::exists(tiny.file("p1", "0-files.seg")));
  CHECK(fs::exists(tiny.file("p2", "0-files.seg")));
}

TEST_CASE("list tells what is there; clear removes it and counts bytes") {
  Fixture fixture;
  const uint64_t one = fixture.get(name_of("p2", 0)).value().segment->bytes();
  REQUIRE(fixture.get(name_of("p2", 1)).ok());
  REQUIRE(fixture.get(name_of("p1")).ok());
  write_file(fixture.path / "notes.txt", "not ours");
  const auto entries = fixture.cache->list().profiles;
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].profile_id == "p1");
  CHECK(entries[1].profile_id == "p2");
  CHECK(entries[1].profile_path == "/data/run");
  CHECK(entries[1].segments == 2);
  CHECK(entries[1].bytes == 2 * one);
  CHECK(entries[1].last_used_unix_s > 1'600'000'000);

  CHECK(fixture.cache->clear().value() == 3 * one);
  CHECK(fixture.cache->list().profiles.empty());
  CHECK(fixture.cache->clear().value() == 0);
  CHECK_FALSE(fs::exists(fixture.path / "p1"));
  CHECK(fs::exists(fixture.path / "notes.txt"));
  CHECK_FALSE(fixture.get(name_of("p1")).value().from_cache);
}

TEST_CASE("hits, makings and evictions are counted, whoever made them") {
  Fixture measure;
  const uint64_t one = measure.get(name_of("p1")).value().segment->bytes();

  Fixture fixture(2 * one);
  REQUIRE(fixture.get(name_of("p1")).ok());
  REQUIRE(fixture.get(name_of("p1")).ok());
  REQUIRE(fixture.get(name_of("p1"), SegmentKey{3, 4}).ok());
  const auto other = Cache::open(fixture.path, 2 * one);
  REQUIRE(other.value()
              ->get(name_of("p1"), SegmentKey{3, 4}, fixture.cancel,
                    [](SegmentBuilder&) -> Result<void> {
                      return Error{ErrorKind::bug, "made again", "", ""};
                    })
              .ok());
  auto listed = fixture.cache->list();
  REQUIRE(listed.profiles.size() == 1);
  CHECK(listed.profiles[0].made == 2);
  CHECK(listed.profiles[0].hits == 2);
  CHECK(listed.max_bytes == 2 * one);
  CHECK(listed.evicted_segments == 0);

  set_age(fixture.file("p1", "0-files.seg"), 100);
  REQUIRE(fixture.get(name_of("p2")).ok());
  REQUIRE(fixture.get(name_of("p3")).ok());
  listed = fixture.cache->list();
  CHECK(listed.evicted_segments == 1);
  CHECK(listed.evicted_bytes == one);
  REQUIRE(listed.profiles.size() == 2);
  CHECK(listed.profiles[0].profile_id == "p2");
  CHECK_FALSE(fs::exists(fixture.path / "p1"));

  REQUIRE(fixture.cache->clear().ok());
  CHECK(fixture.cache->list().evicted_segments == 0);
  CHECK_FALSE(fs::exists(fixture.path / "p2"));
}

TEST_CASE("the limit is what the environment says, if it is a number") {
  const auto limit_of = [](const char* value) {
    ::setenv("STEPWISE_CACHE_BYTES", value, 1);
    const uint64_t limit = Cache::default_max_bytes();
    ::unsetenv("STEPWISE_CACHE_BYTES");
    return limit;
  };
  CHECK(Cache::default_max_bytes() == limits::kCacheBytesDefault);
  CHECK(limit_of("1048576") == 1048576);
  CHECK(limit_of("0") == 0);
  for (const char* wrong : {"", "1G", "-5", "1e9"}) CHECK(limit_of(wrong) == limits::kCacheBytesDefault);
}

TEST_CASE("the directory is for its owner alone") {
  const TemporaryDirectory directory;
  const fs::path root = directory.path() / "a" / "b";
  REQUIRE(Cache::open(root).ok());
  struct stat info {};
  REQUIRE(::stat(root.c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0700);
  REQUIRE(::chmod(root.c_str(), 0755) == 0);
  REQUIRE(Cache::open(root).ok());
  REQUIRE(::stat(root.c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0700);

  write_file(directory.path() / "file", "");
  const auto at_file = Cache::open(directory.path() / "file");
  REQUIRE_FALSE(at_file.ok());
  CHECK(at_file.error().code == "cache.unwritable");
}

TEST_CASE("without a directory that can be written the answer comes all the same") {
  const TemporaryDirectory directory;
  write_file(directory.path() / "file", "");
  auto opened = Cache::open(directory.path() / "file" / "cache");
  REQUIRE(opened.ok());
  Cache& cache = *opened.value();
  const CancelFlag cancel;
  int ingests = 0;
  const auto get = [&](const SegmentKey& key) {
    return cache.get(name_of("p1"), key, cancel, [&](SegmentBuilder& builder) -> Result<void> {
      ++ingests;
      fill_sample(builder, 100);
      return {};
    });
  };
  const auto first = get(kKey);
  REQUIRE(first.ok());
  CHECK(first.value().segment->table("sample").value()->rows == 100);
  CHECK((::fcntl(first.value().segment->descriptor(), F_GETFL) & O_ACCMODE) == O_RDONLY);
  CHECK(get(kKey).value().from_cache);
  CHECK_FALSE(get({8, 8}).value().from_cache);
  CHECK(ingests == 2);
  CHECK(cache.list().profiles.empty());
  CHECK(cache.clear().value() == first.value().segment->bytes());
  CHECK_FALSE(get({8, 8}).value().from_cache);
}

TEST_CASE("a disk that becomes full while a segment is written costs a second reading, not the answer") {
  Fixture fixture;
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    // The limit on a file's size stands in for the disk's; the second reading finds room again.
    ::signal(SIGXFSZ, SIG_IGN);
    int ingests = 0;
    const auto got =
        fixture.cache->get(name_of("p1"), kKey, fixture.cancel, [&](SegmentBuilder& builder) -> Result<void> {
          rlimit limit{};
          ::getrlimit(RLIMIT_FSIZE, &limit);
          limit.rlim_cur = ++ingests == 1 ? 4096 : limit.rlim_max;
          ::setrlimit(RLIMIT_FSIZE, &limit);
          fill_sample(builder, 100'000);
          return {};
        });
    const bool is_whole = got.ok() && !got.value().segment->table_names().empty() &&
                          got.value().segment->table(got.value().segment->table_names()[0]).ok();
    ::_exit(is_whole && ingests == 2 ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK_FALSE(fs::exists(fixture.file("p1", "0-files.seg")));
}

TEST_CASE("a profile whose directory cannot be made is read all the same") {
  Fixture fixture;
  write_file(fixture.path / "p1", "in the way");
  CHECK_FALSE(fixture.get(name_of("p1")).value().from_cache);
  CHECK(fixture.get(name_of("p1")).value().from_cache);
  CHECK(fixture.ingests == 1);
}

TEST_CASE("a profile id that is no file name is refused") {
  Fixture fixture;
  CHECK(fixture.get(name_of("../p1")).error().code == "cache.bad_name");
  CHECK(fixture.get(name_of("")).error().code == "cache.bad_name");
  CHECK(fixture.get(name_of("..")).error().code == "cache.bad_name");
  CHECK(fixture.ingests == 0);
}

TEST_CASE("the cache lies where XDG says") {
  const auto with = [](const char* xdg, const char* home) {
    const auto set = [](const char* name, const char* value) {
      value != nullptr ? ::setenv(name, value, 1) : ::unsetenv(name);
    };
    const auto keep = [](const char* name) {
      const char* value = std::getenv(name);
      return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
    };
    const auto old_xdg = keep("XDG_CACHE_HOME"), old_home = keep("HOME");
    set("XDG_CACHE_HOME", xdg);
    set("HOME", home);
    const fs::path root = Cache::default_root();
    set("XDG_CACHE_HOME", old_xdg ? old_xdg->c_str() : nullptr);
    set("HOME", old_home ? old_home->c_str() : nullptr);
    return root;
  };
  CHECK(with("/x", "/h") == fs::path("/x/stepwise"));
  CHECK(with(nullptr, "/h") == fs::path("/h/.cache/stepwise"));
  CHECK(with("relative", "/h") == fs::path("/h/.cache/stepwise"));
  CHECK(with("", "") == fs::temp_directory_path() / ("stepwise-" + std::to_string(::geteuid())));
}
