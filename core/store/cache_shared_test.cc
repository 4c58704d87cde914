// Threads and processes that share a cache: who makes a segment, who waits, what a killed one leaves.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <future>
#include <new>
#include <thread>

#include "core/store/cache_test_fixture.h"
#include "core/store/file_lock.h"

using namespace stepwise;
using namespace stepwise::store;
using namespace stepwise::store::test;

namespace {

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
