#include "core/store/cache.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <future>
#include <new>
#include <thread>

#include "core/store/file_lock.h"
#include "core/store/test_tables.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::store;
using namespace stepwise::store::test;
namespace fs = std::filesystem;

namespace {

constexpr SegmentKey kKey{1, 2};

SegmentName name_of(std::string profile, uint32_t rank = 0) {
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

void set_age(const fs::path& path, int seconds) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  now.tv_sec -= seconds;
  const timespec times[2] = {now, now};
  REQUIRE(::utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
}

/// An int that forked children count in, too.
class SharedCounter {
 public:
  SharedCounter()
      : count_(new (::mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                           0)) std::atomic<int>(0)) {}
  ~SharedCounter() { ::munmap(count_, sizeof(std::atomic<int>)); }
  std::atomic<int>& operator*() { return *count_; }

 private:
  std::atomic<int>* count_;
};

int exit_status_of(pid_t child) {
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

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
  CHECK(fixture.cache->list().at(0).segments == 1);
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
  CHECK(fixture.cache->list().empty());
  CHECK_FALSE(fixture.get(name_of("p1")).value().from_cache);
}

TEST_CASE("two threads that want a segment ingest once") {
  Fixture fixture;
  std::promise<void> second_started;
  auto started = second_started.get_future();
  std::atomic<int> ingests{0};
  const auto ingest = [&](SegmentBuilder& builder) -> Result<void> {
    ++ingests;
    started.wait();
    fill_sample(builder, 10);
    return {};
  };
  auto first =
      std::async(std::launch::async, [&] { return fixture.cache->get(name_of("p1"), kKey, fixture.cancel, ingest); });
  auto second = std::async(std::launch::async, [&] {
    second_started.set_value();
    return fixture.cache->get(name_of("p1"), kKey, fixture.cancel, ingest);
  });
  const auto a = first.get(), b = second.get();
  REQUIRE(a.ok());
  REQUIRE(b.ok());
  CHECK(a.value().from_cache != b.value().from_cache);
  CHECK(ingests == 1);
}

TEST_CASE("processes that want a segment at once ingest once") {
  Fixture fixture;
  SharedCounter ingests, started;
  constexpr int kProcesses = 3;
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      ++*started;
      const auto got =
          fixture.cache->get(name_of("p1"), kKey, fixture.cancel, [&](SegmentBuilder& builder) -> Result<void> {
            ++*ingests;
            while (*started < kProcesses) ::sched_yield();  // the others are at the door
            fill_sample(builder, 10);
            return {};
          });
      ::_exit(got.ok() && got.value().segment->table("sample").ok() ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) CHECK(exit_status_of(child) == 0);
  CHECK(*ingests == 1);
}

TEST_CASE("who waits for another process can be cancelled") {
  Fixture fixture;
  REQUIRE(fixture.get(name_of("p1")).ok());
  const auto held = FileLock::take(fixture.file("p1", "0-files.lock"), fixture.cancel);
  REQUIRE(held.ok());
  auto waiting = std::async(std::launch::async, [&] { return fixture.get(name_of("p1"), {7, 7}); });
  fixture.cancel.set();
  const auto got = waiting.get();
  REQUIRE_FALSE(got.ok());
  CHECK(got.error().kind == ErrorKind::cancelled);
  CHECK(fixture.ingests == 1);
}

TEST_CASE("a lock whose file was removed is no lock") {
  const TemporaryDirectory directory;
  const fs::path path = directory.path() / "l.lock";
  auto first = FileLock::try_take(path);
  REQUIRE(first.value());
  CHECK_FALSE(FileLock::try_take(path).value());
  REQUIRE(::unlink(path.c_str()) == 0);
  CHECK(FileLock::try_take(path).value());  // a new file of that name: free
}

TEST_CASE("a process killed while it makes a segment leaves nothing in the way") {
  Fixture fixture;
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    (void)fixture.cache->get(name_of("p1"), kKey, fixture.cancel, [](SegmentBuilder&) -> Result<void> {
      ::raise(SIGKILL);
      return {};
    });
    ::_exit(0);
  }
  CHECK(exit_status_of(child) == -1);
  // As if it had died while it wrote: its own segment's leftover, and that of another one.
  write_file(fixture.file("p1", "0-files.seg.tmp.aaaaaa"), "half");
  fs::create_directories(fixture.path / "p2");
  write_file(fixture.file("p2", "3-trace.seg.tmp.bbbbbb"), "half");
  const auto got = fixture.get(name_of("p1"));
  REQUIRE(got.ok());
  CHECK(fixture.ingests == 1);
  CHECK_FALSE(fs::exists(fixture.file("p1", "0-files.seg.tmp.aaaaaa")));
  CHECK_FALSE(fs::exists(fixture.file("p2", "3-trace.seg.tmp.bbbbbb")));
}

TEST_CASE("a temporary file whose writer lives is left alone") {
  Fixture fixture;
  fs::create_directories(fixture.path / "p2");
  const auto writer = FileLock::take(fixture.file("p2", "3-trace.lock"), fixture.cancel);
  REQUIRE(writer.ok());
  write_file(fixture.file("p2", "3-trace.seg.tmp.bbbbbb"), "half");
  REQUIRE(fixture.get(name_of("p1")).ok());
  CHECK(fs::exists(fixture.file("p2", "3-trace.seg.tmp.bbbbbb")));
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
  const auto entries = fixture.cache->list();
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].profile_id == "p1");
  CHECK(entries[1].profile_id == "p2");
  CHECK(entries[1].profile_path == "/data/run");
  CHECK(entries[1].segments == 2);
  CHECK(entries[1].bytes == 2 * one);
  CHECK(entries[1].last_used_unix_s > 1'600'000'000);

  CHECK(fixture.cache->clear().value() == 3 * one);
  CHECK(fixture.cache->list().empty());
  CHECK(fixture.cache->clear().value() == 0);
  CHECK_FALSE(fs::exists(fixture.path / "p1"));
  CHECK(fs::exists(fixture.path / "notes.txt"));
  CHECK_FALSE(fixture.get(name_of("p1")).value().from_cache);
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
  CHECK(cache.list().empty());
  CHECK(cache.clear().value() == first.value().segment->bytes());
  CHECK_FALSE(get({8, 8}).value().from_cache);
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
