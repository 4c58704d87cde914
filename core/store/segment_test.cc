#include "core/store/segment.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <thread>

#include "core/store/file_writer.h"
#include "core/store/segment_format.h"
#include "core/store/table_view.h"
#include "core/store/test_tables.h"
#include "stepwise/tables.hpp"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::store;
using namespace stepwise::store::test;

namespace {

constexpr SegmentKey kKey{11, 22};

std::string sample_bytes(const std::filesystem::path& path, int rows) {
  SegmentBuilder builder;
  fill_sample(builder, rows);
  REQUIRE(builder.write(path, kKey).ok());
  return read_file(path);
}

std::shared_ptr<const Segment> open_sound(const std::filesystem::path& path) {
  auto opened = Segment::open(path, kKey);
  REQUIRE(opened.ok());
  return opened.value();
}

/// What a reader of the file would be told first; "" when every table is sound.
std::string first_error(const std::filesystem::path& path) {
  auto opened = Segment::open(path, kKey);
  if (!opened.ok()) return opened.error().code;
  for (const std::string& name : opened.value()->table_names()) {
    auto table = opened.value()->table(name);
    if (!table.ok()) return table.error().code;
  }
  return "";
}

}  // namespace

TEST_CASE("columns of nulls alone take no room on the disk, and are read like others") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "0-files.seg";
  constexpr int kRows = 200'000;
  SegmentBuilder builder;
  TableBuilder& table = builder.table(sample::kTable);
  for (int i = 0; i < kRows; ++i) {
    table.append(sample::start_ns, int64_t{i});
    table.null(sample::step);
    table.append(sample::name, "n");
    table.null(sample::shape);
    table.null(sample::share);
    table.null(sample::depth);
    table.end_row();
  }
  REQUIRE(builder.write(path, kKey).ok());
  struct stat status {};
  REQUIRE(stat(path.c_str(), &status) == 0);
  CHECK(status.st_size > kRows * (8 + 8 + 4 + 4 + 8 + 1));
  // Two of the columns hold eight bytes a row each.
  CHECK(status.st_blocks * 512 < status.st_size - kRows * 16);
  const auto segment = open_sound(path);
  const sw_table* rows = segment->table("sample").value();
  REQUIRE(rows->rows == kRows);
  CHECK(get(*rows, sample::start_ns, kRows - 1) == kRows - 1);
  CHECK(get(*rows, sample::step, kRows - 1) == std::nullopt);
  CHECK(get(*rows, sample::share, 0) == std::nullopt);
  CHECK(first_error(path).empty());
}

TEST_CASE("a hole at a file's end is part of it") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "file";
  REQUIRE(replace_file(path, temporary_prefix(path), [](int descriptor) {
            FileWriter file(descriptor);
            file.append("ab", 2);
            file.append_zeros(3);
            file.append("c", 1);
            file.append_zeros(4);
            CHECK(file.offset() == 10);
            return file.finish();
          }).ok());
  CHECK(read_file(path) == std::string("ab\0\0\0c\0\0\0\0", 10));
}

TEST_CASE("a segment gives back what was built") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "0-files.seg";
  const int rows = GENERATE(0, 1, 8, 9, 1000);
  const std::string bytes = sample_bytes(path, rows);
  const auto segment = open_sound(path);
  CHECK(segment->bytes() == bytes.size());
  CHECK(segment->table_names() == std::vector<std::string>{"other", "sample"});
  CHECK(segment->table("absent").value() == nullptr);
  CHECK(segment->table("other").value()->rows == 0);

  const sw_table& table = *segment->table("sample").value();
  REQUIRE(table.rows == static_cast<uint64_t>(rows));
  CHECK(table.column_count == std::size(sample::kColumns));
  CHECK(std::string_view(table.source_file.ptr, table.source_file.len) == "dir/sample.csv");
  for (uint64_t i = 0; i < table.rows; ++i) {
    REQUIRE(get(table, sample::start_ns, i) == static_cast<int64_t>(100 * i));
    REQUIRE(get(table, sample::step, i) == (i % 3 == 0 ? std::nullopt : std::optional<int64_t>(i)));
    REQUIRE(get(table, sample::name, i) == "n" + std::to_string(i % 5));
    REQUIRE_FALSE(get(table, sample::shape, i).has_value());
    REQUIRE(get(table, sample::share, i) == static_cast<double>(i) / 8);
    REQUIRE(is_null(column_at(table, sample::depth.index), i) == (i % 2 == 1));
  }
  for (uint32_t i = 0; i < table.column_count; ++i) {
    const sw_column& column = column_at(table, i);
    CHECK(reinterpret_cast<uintptr_t>(column.data) % kBufferAlignment == 0);
    CHECK(std::string_view(column.name.ptr, column.name.len) == sample::kColumns[i].name);
    CHECK(column.unit == static_cast<uint32_t>(sample::kColumns[i].unit));
  }
  CHECK(column_at(table, sample::start_ns.index).validity == nullptr);
  CHECK(column_at(table, sample::step.index).null_count == (table.rows + 2) / 3);
}

TEST_CASE("the same tables give the same bytes, and other bytes another hash") {
  const TemporaryDirectory directory;
  const auto a = directory.path() / "a", b = directory.path() / "b", c = directory.path() / "c";
  CHECK(sample_bytes(a, 50) == sample_bytes(b, 50));
  sample_bytes(c, 51);
  CHECK(open_sound(a)->hash() == open_sound(b)->hash());
  CHECK(open_sound(a)->hash() != open_sound(c)->hash());
}

TEST_CASE("a code of a segment without strings can be looked up") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "s";
  SegmentBuilder builder;
  TableBuilder& meta = builder.table(table::diagnostic::kTable);
  CHECK(meta.rows() == 0);
  REQUIRE(builder.write(path, kKey).ok());
  const auto segment = open_sound(path);
  const sw_column& code = column_at(*segment->table("diagnostic").value(), table::diagnostic::code.index);
  REQUIRE(code.dict_count == 1);
  CHECK(code.dict_offsets[0] == 0);
  CHECK(code.dict_offsets[1] == 0);
}

TEST_CASE("another key makes a segment stale") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "s";
  sample_bytes(path, 3);
  CHECK(Segment::open(path, {11, 23}).error().code == "store.stale");
  CHECK(Segment::open(path, {12, 22}).error().code == "store.stale");
  CHECK(Segment::open(directory.path() / "absent", kKey).error().code == "store.open");
}

TEST_CASE("a table whose declaration changed makes a segment stale") {
  static constexpr table::ColumnDecl kOldColumns[] = {table::required_i64("step", table::Unit::none, "one")};
  static constexpr table::TableDecl kOldTable{"step_range", "", kOldColumns, "as it once was"};
  const TemporaryDirectory directory;
  const auto path = directory.path() / "s";
  SegmentBuilder builder;
  builder.table(kOldTable);
  REQUIRE(builder.write(path, kKey).ok());
  CHECK(Segment::open(path, kKey).error().code == "store.stale");
}

TEST_CASE("a segment that was cut anywhere is refused") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "s", cut = directory.path() / "cut";
  const std::string bytes = sample_bytes(path, 20);
  for (size_t length = 0; length < bytes.size(); length += 7) {
    write_file(cut, std::string_view(bytes).substr(0, length));
    REQUIRE(first_error(cut) == "store.damaged");
  }
  write_file(cut, bytes + "x");
  CHECK(first_error(cut) == "store.damaged");
  write_file(cut, bytes);
  CHECK(first_error(cut).empty());
}

TEST_CASE("any flipped bit of a segment is found at open or at first use") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "s", flipped = directory.path() / "flipped";
  const std::string bytes = sample_bytes(path, 20);
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ (1 << (at % 8)));
    write_file(flipped, changed);
    const std::string code = first_error(flipped);
    REQUIRE((code == "store.damaged" || code == "store.stale"));
  }
}

TEST_CASE("foreign files are refused") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "s";
  write_file(path, std::string(4096, '\0'));
  CHECK(first_error(path) == "store.damaged");
  write_file(path, std::string(4096, 'S'));
  CHECK(first_error(path) == "store.damaged");
  CHECK(first_error(directory.path()) == "store.damaged");
  const auto fifo = directory.path() / "fifo";
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  CHECK(first_error(fifo) == "store.damaged");
}

TEST_CASE("a directory with right checksum and wrong content is refused") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "s";
  const std::string bytes = sample_bytes(path, 20);
  FileHeader header;
  FileFooter footer;
  std::memcpy(&header, bytes.data(), sizeof header);
  std::memcpy(&footer, bytes.data() + bytes.size() - sizeof footer, sizeof footer);
  const std::string text = bytes.substr(footer.directory_offset, footer.directory_bytes);

  const auto with_directory = [&](const std::string& replaced) {
    FileFooter forged = footer;
    forged.directory_bytes = replaced.size();
    forged.checksum = directory_checksum(header, replaced);
    write_file(path, bytes.substr(0, footer.directory_offset) + replaced +
                         std::string(reinterpret_cast<const char*>(&forged), sizeof forged));
    return first_error(path);
  };
  const auto replace = [&](const std::string& what, const std::string& with) {
    const size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    return text.substr(0, at) + with + text.substr(at + what.size());
  };
  CHECK(with_directory(text).empty());
  CHECK(with_directory("") == "store.damaged");
  CHECK(with_directory("[]") == "store.damaged");
  CHECK(with_directory("{\"dictionary\":1,\"tables\":{}}") == "store.damaged");
  CHECK(with_directory(replace("\"rows\":20", "\"rows\":21")) == "store.damaged");
  CHECK(with_directory(replace("\"rows\":20", "\"rows\":2305843009213693972")) == "store.damaged");
  CHECK(with_directory(replace("\"rows\":20", "\"rows\":-20")) == "store.damaged");
  CHECK(with_directory(replace("\"rows\":20", "\"rows\":20.0")) == "store.damaged");
  CHECK(with_directory(replace("\"offset\":64,", "\"offset\":65,")) == "store.damaged");
  CHECK(with_directory(replace("\"offset\":64,", "\"offset\":0,")) == "store.damaged");
  CHECK(with_directory(replace("\"offset\":64,", "\"offset\":18446744073709551552,")) == "store.damaged");
  CHECK(with_directory(replace("\"type\":\"i64\"", "\"type\":\"i65\"")) == "store.damaged");
  CHECK(with_directory(replace("\"type\":\"i64\"", "\"type\":8")) == "store.damaged");
  CHECK(with_directory(replace("\"name\":\"other\"", "\"name\":\"sample\"")) == "store.damaged");
  CHECK(with_directory(replace("\"count\":5", "\"count\":18446744073709551615")) == "store.damaged");
}

TEST_CASE("damage is told once to who asked for it, and stays an error") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "s";
  std::string bytes = sample_bytes(path, 20);
  bytes[sizeof(FileHeader)] ^= 1;  // the first value of the first buffer
  write_file(path, bytes);
  int told = 0;
  const auto opened = Segment::open(path, kKey, [&] { ++told; });
  REQUIRE(opened.ok());
  CHECK(opened.value()->table("other").ok());
  CHECK(opened.value()->table("sample").error().code == "store.damaged");
  CHECK(opened.value()->table("sample").error().code == "store.damaged");
  CHECK(told == 1);
  CHECK(opened.value()->is_damaged());
}

TEST_CASE("many threads may ask for tables at once") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "s";
  sample_bytes(path, 5000);
  const auto segment = open_sound(path);
  std::vector<std::thread> threads;
  std::atomic<int> sound{0};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      if (segment->table("sample").ok() && segment->table("other").ok()) ++sound;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(sound == 4);
}

TEST_CASE("a code beyond the dictionary is not written") {
  const TemporaryDirectory directory;
  SegmentBuilder builder;
  TableBuilder& table = builder.table(other::kTable);
  const int32_t code = GENERATE(-1, 1);
  builder.dictionary().intern("only one");
  table.append_code(other::name, code);
  table.end_row();
  CHECK(builder.write(directory.path() / "s", kKey).error().code == "store.bad_table");
  CHECK(std::filesystem::is_empty(directory.path()));
}

TEST_CASE("a column that is held once has the same bytes in the file as one whose rows stand by themselves") {
  const TemporaryDirectory directory;
  const auto rows = GENERATE(uint64_t{1}, uint64_t{1000}, uint64_t{100'003});
  const double share = GENERATE(0.0, -0.0, 0.25);
  const int64_t start_ns = GENERATE(int64_t{0}, int64_t{7});
  SegmentBuilder once, spread;
  for (SegmentBuilder* builder : {&once, &spread}) {
    TableBuilder& table = builder->table(sample::kTable);
    for (ColumnBuffer& column : table.held_columns()) {
      column.repeated_rows = rows;
      if (column.decl->type == table::Type::i64) column.i64 = {start_ns};
      if (column.decl->type == table::Type::f64) column.f64 = {share};
      if (column.decl->type == table::Type::u8) column.u8 = {3};
      if (column.decl->type == table::Type::code) column.code = {builder->dictionary().intern(column.decl->name)};
    }
    ColumnBuffer& step = table.held_columns()[sample::step.index];
    step.i64 = {0};
    step.null_count = rows;
    table.end_rows();
  }
  spread.table(sample::kTable).columns();
  REQUIRE(once.write(directory.path() / "once", kKey).ok());
  REQUIRE(spread.write(directory.path() / "spread", kKey).ok());
  CHECK(read_file(directory.path() / "once") == read_file(directory.path() / "spread"));
  const auto opened = Segment::open(directory.path() / "once", kKey);
  REQUIRE(opened.ok());
  const auto table = opened.value()->table("sample");
  REQUIRE(table.ok());
  CHECK(get(*table.value(), sample::start_ns, rows - 1) == start_ns);
  CHECK_FALSE(get(*table.value(), sample::step, rows - 1).has_value());
}

TEST_CASE("a segment that is written and forgotten has the same bytes, and its rows are gone") {
  const TemporaryDirectory directory;
  SegmentBuilder kept, forgotten;
  fill_sample(kept, 100'000);
  fill_sample(forgotten, 100'000);
  REQUIRE(kept.write(directory.path() / "kept", kKey).ok());
  CHECK_FALSE(forgotten.is_spent());
  CHECK_FALSE(forgotten.write_and_forget(directory.path() / "absent" / "s", kKey).ok());
  CHECK_FALSE(forgotten.is_spent());  // there was no file to write to
  REQUIRE(forgotten.write_and_forget(directory.path() / "forgotten", kKey).ok());
  CHECK(forgotten.is_spent());
  CHECK(read_file(directory.path() / "kept") == read_file(directory.path() / "forgotten"));
  for (const ColumnBuffer& column : forgotten.table(sample::kTable).columns()) {
    CHECK(column.i64.capacity() + column.f64.capacity() + column.code.capacity() + column.valid.capacity() == 0);
  }
}

TEST_CASE("a full disk is an error that leaves nothing behind") {
  const TemporaryDirectory directory;
  SegmentBuilder builder;
  fill_sample(builder, 100'000);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    // The limit on a file's size stands in for the disk's.
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto written = builder.write(directory.path() / "s", kKey);
    ::_exit(!written.ok() && written.error().code == "store.write" ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(std::filesystem::is_empty(directory.path()));
  CHECK(builder.write(directory.path() / "absent" / "s", kKey).error().code == "store.write");
}
