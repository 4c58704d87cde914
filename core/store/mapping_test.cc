// Files that somebody cuts, or whose bytes cannot be read, while they are mapped.
#include "core/store/mapping.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <numeric>
#include <thread>

#include "core/store/descriptor.h"
#include "core/store/segment.h"
#include "core/store/segment_format.h"
#include "core/store/table_view.h"
#include "core/store/test_tables.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::store;
using namespace stepwise::store::test;

namespace {

constexpr uint64_t kPages = 8;
const auto kPageBytes = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
constexpr SegmentKey kKey{11, 22};

/// A file of ones.
struct File {
  TemporaryDirectory directory;
  std::filesystem::path path = directory.path() / "file";
  Descriptor descriptor;

  File() {
    write_file(path, std::string(kPages * kPageBytes, '\1'));
    descriptor = Descriptor(::open(path.c_str(), O_RDONLY));
  }
  Mapping map() const { return Mapping::of(descriptor.get(), kPages * kPageBytes).value(); }
  void cut(uint64_t bytes) const { REQUIRE(::truncate(path.c_str(), static_cast<off_t>(bytes)) == 0); }
};

uint64_t sum(const Mapping& mapping) {
  return std::accumulate(mapping.data(), mapping.data() + mapping.bytes(), uint64_t{0});
}

/// How a child ended that did this: its signal, or 0.
template <class Work>
int signal_of(Work work) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    work();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/// A segment of many pages, mapped.
struct MappedSegment {
  static constexpr int kRows = 20'000;
  TemporaryDirectory directory;
  std::filesystem::path path = directory.path() / "0-files.seg";
  int told = 0;
  std::shared_ptr<const Segment> segment;

  MappedSegment() {
    SegmentBuilder builder;
    fill_sample(builder, kRows);
    REQUIRE(builder.write(path, kKey).ok());
    segment = Segment::open(path, kKey, [this] { ++told; }).value();
  }
  void cut(uint64_t bytes) const { REQUIRE(::truncate(path.c_str(), static_cast<off_t>(bytes)) == 0); }
};

/// Reads every cell; what of is not the point.
size_t read_all(const sw_table& table) {
  size_t read = 0;
  for (uint64_t row = 0; row < table.rows; ++row) {
    read += get(table, sample::start_ns, row).has_value();
    read += get(table, sample::name, row)->size();
    read += get(table, sample::share, row).has_value();
  }
  return read;
}

}  // namespace

TEST_CASE("a file that is cut turns into zeros, and the mapping says so") {
  const File file;
  const Mapping mapping = file.map();
  CHECK(sum(mapping) == kPages * kPageBytes);
  CHECK_FALSE(mapping.is_broken());
  file.cut(2 * kPageBytes);
  CHECK(mapping.data()[0] == 1);
  CHECK_FALSE(mapping.is_broken());  // nothing was read of what is gone
  CHECK(mapping.data()[5 * kPageBytes] == 0);
  CHECK(mapping.is_broken());
  CHECK(sum(mapping) == 0);  // all of it: half a file is nobody's
}

TEST_CASE("what breaks one mapping breaks no other, and a place is used again") {
  const File file, other;
  const Mapping sound = other.map();
  for (int i = 0; i < 3; ++i) {
    write_file(file.path, std::string(kPages * kPageBytes, '\1'));
    Mapping mapping = file.map();
    CHECK(sum(mapping) == kPages * kPageBytes);
    file.cut(0);
    CHECK(sum(mapping) == 0);
    CHECK(mapping.is_broken());
    const Mapping moved = std::move(mapping);
    CHECK(moved.is_broken());
  }
  CHECK_FALSE(sound.is_broken());
  CHECK(sum(sound) == kPages * kPageBytes);
}

TEST_CASE("many threads may read what is gone at once") {
  const File file;
  const Mapping mapping = file.map();
  file.cut(0);
  std::atomic<uint64_t> sums{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([&] { sums += sum(mapping); });
  for (std::thread& one : threads) one.join();
  CHECK(sums == 0);
  CHECK(mapping.is_broken());
}

TEST_CASE("a bus error of anything else ends the process as ever") {
  const File file;
  const Mapping mapping = file.map();
  CHECK(signal_of([] { ::raise(SIGBUS); }) == SIGBUS);
  CHECK(signal_of([&] {
          void* const own = ::mmap(nullptr, kPageBytes, PROT_READ, MAP_SHARED, file.descriptor.get(), 0);
          if (::truncate(file.path.c_str(), 0) != 0) ::_exit(1);
          static_cast<void>(*static_cast<volatile char*>(own));
        }) == SIGBUS);
}

TEST_CASE("a segment whose file is cut is damaged, whatever was known of it, and tells once") {
  for (const uint64_t kept : {uint64_t{0}, uint64_t{64}, uint64_t{4096}, uint64_t{100'001}}) {
    INFO(kept);
    MappedSegment t;
    REQUIRE(t.segment->bytes() > 200'000);
    const sw_table* table = t.segment->table("sample").value();
    const size_t all = read_all(*table);
    CHECK(read_all(*table) == all);
    CHECK_FALSE(t.segment->is_damaged());
    t.cut(kept);
    CHECK(read_all(*table) <= all);  // whatever it is, it ends
    CHECK(t.segment->is_damaged());
    CHECK(t.segment->table("sample").error().code == "store.damaged");
    CHECK(t.segment->table("other").error().code == "store.damaged");
    CHECK(t.told == 1);
  }
}

TEST_CASE("a cut inside a page, which no read notices, is noticed") {
  MappedSegment t;
  REQUIRE(t.segment->table("sample").ok());
  t.cut(t.segment->bytes() - 1);
  CHECK(t.segment->is_damaged());
  CHECK(t.told == 1);
}

TEST_CASE("a segment that is cut before its tables are checked is damaged, not sound by chance") {
  MappedSegment t;
  t.cut(0);
  CHECK(t.segment->table("sample").error().code == "store.damaged");
  CHECK(t.segment->is_damaged());
  CHECK(t.told == 1);
}

TEST_CASE("a text between whose ends the file was cut is empty, not endless") {
  const uint32_t offsets[] = {500, 0};
  const int32_t code = 0;
  sw_column column{};
  column.data = &code;
  column.dict_offsets = offsets;
  column.dict_bytes = "";
  CHECK(text_at(column, 0).empty());
}
