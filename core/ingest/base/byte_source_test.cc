#include "core/ingest/base/byte_source.h"

#include <zlib.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/ingest/timeline/trace_test_files.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

struct Delivered {
  std::string bytes;
  std::string error_code;
};

Delivered deliver(const std::filesystem::path& path, size_t chunk) {
  auto source = open_source(path);
  REQUIRE(source.ok());
  Delivered delivered;
  std::vector<char> buffer(chunk);
  for (;;) {
    const Result<size_t> got = source.value()->read(buffer);
    if (!got.ok()) {
      delivered.error_code = got.error().code;
      return delivered;
    }
    if (got.value() == 0) break;
    delivered.bytes.append(buffer.data(), got.value());
  }
  CHECK(source.value()->consumed_bytes() == source.value()->file_bytes());
  return delivered;
}

std::string sample_text() {
  std::string text;
  for (int i = 0; i < 4000; ++i) text += std::to_string(i * 7919) + (i % 2 == 0 ? "," : "\n");
  return text;
}

TEST_CASE("delivers a plain file in chunks of any size") {
  const TemporaryFolder folder;
  const std::string text = sample_text();
  const auto path = folder.write("plain", text);
  for (const size_t chunk : {1, 2, 3, 1000, 1 << 20}) CHECK(deliver(path, chunk).bytes == text);
}

TEST_CASE("inflates a gzip file whatever its name, in chunks of any size") {
  const TemporaryFolder folder;
  const std::string text = sample_text();
  const auto path = folder.write("trace_view.json", gzip(text));
  for (const size_t chunk : {1, 7, 1000, 1 << 20}) CHECK(deliver(path, chunk).bytes == text);
}

TEST_CASE("inflates what grows a thousandfold, in chunks of any size") {
  const TemporaryFolder folder;
  // All of the input is taken long before the last of the output is out.
  const std::string text(200'000, 'a');
  const auto path = folder.write("long.gz", gzip(text));
  for (const size_t chunk : {1, 300, 70'000, 1 << 20}) CHECK(deliver(path, chunk).bytes == text);
}

TEST_CASE("passes over a gzip header's name and comment, and refuses a header of another method") {
  const TemporaryFolder folder;
  std::string named = gzip("named");
  named[3] = 0x18;  // flags: name, comment
  named.insert(10, std::string("trace_view.json\0what it is\0", 27));
  for (const size_t chunk : {1, 4096}) CHECK(deliver(folder.write("named.gz", named), chunk).bytes == "named");
  CHECK(deliver(folder.write("cut_header.gz", named.substr(0, 20)), 4096).error_code == "ingest.gzip");

  std::string other = gzip("other");
  other[2] = 7;
  CHECK(deliver(folder.write("other.gz", other), 4096).error_code == "ingest.gzip");
}

TEST_CASE("inflates members one after the other, and ignores zeros after the last") {
  const TemporaryFolder folder;
  const auto path = folder.write("members.gz", gzip("one,") + gzip("") + gzip("two") + std::string(700, '\0'));
  CHECK(deliver(path, 3).bytes == "one,two");
  CHECK(deliver(path, 3).error_code.empty());
}

TEST_CASE("delivers what a cut gzip file holds, then the error") {
  const TemporaryFolder folder;
  const std::string text = sample_text(), whole = gzip(text);
  for (const size_t kept : {size_t{3}, size_t{20}, whole.size() / 2, whole.size() - 1}) {
    const Delivered delivered = deliver(folder.write("cut.gz", whole.substr(0, kept)), 4096);
    CHECK(delivered.error_code == "ingest.gzip");
    CHECK(text.compare(0, delivered.bytes.size(), delivered.bytes) == 0);
    if (kept > whole.size() / 3) CHECK(delivered.bytes.size() > text.size() / 4);
  }
}

TEST_CASE("reports a gzip file with a flipped byte, and one that something else follows") {
  const TemporaryFolder folder;
  std::string damaged = gzip(sample_text());
  damaged[damaged.size() - 6] = static_cast<char>(damaged[damaged.size() - 6] ^ 0x40);  // in the checksum
  CHECK(deliver(folder.write("flipped.gz", damaged), 4096).error_code == "ingest.gzip");

  const Delivered followed = deliver(folder.write("followed.gz", gzip("abc") + "xyz"), 4096);
  CHECK(followed.bytes == "abc");
  CHECK(followed.error_code == "ingest.gzip");
}

TEST_CASE("an empty file ends at once; one byte of gzip's magic is plain text") {
  const TemporaryFolder folder;
  CHECK(deliver(folder.write("empty", ""), 10).bytes.empty());
  CHECK(deliver(folder.write("short", "\x1f"), 10).bytes == "\x1f");
}

TEST_CASE("says what cannot be opened") {
  const TemporaryFolder folder;
  const auto missing = open_source(folder.path() / "absent.json");
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().code == "ingest.open");
  CHECK(missing.error().kind == ErrorKind::io);
  CHECK_FALSE(open_source(folder.path()).ok());
}

}  // namespace
}  // namespace stepwise::ingest
