#include "protocol/http/request_reader.h"

#include <string>

#include "core/base/limits.h"
#include "protocol/http/limits.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::http;

namespace {

using State = RequestReader::State;

RequestReader reader() {
  return RequestReader([](const RequestHead&) { return std::nullopt; });
}
const std::string kChunked = "POST /p HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";

/// The body that these chunks are, or the status that refuses them.
std::string decoded(const std::string& chunks) {
  RequestReader one = reader();
  one.take(kChunked + chunks);
  if (one.state() == State::refused) return std::to_string(one.refusal().status);
  return one.state() == State::done ? one.take_request().body : "not whole";
}

}  // namespace

TEST_CASE("a request is the same in whatever pieces it comes, and what follows is left") {
  const std::string bodies[] = {"GET /p HTTP/1.1\r\nHost: h\r\n\r\n",
                                "POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n12345",
                                kChunked + "3;x=\"y\"\r\n123\r\n2 \r\n45\r\n0\r\nTrailer: a\r\n\r\n"};
  for (const std::string& whole : bodies) {
    const std::string next = "GET /next";
    for (size_t cut = 0; cut <= whole.size(); ++cut) {
      INFO(whole << " cut at " << cut);
      RequestReader one = reader();
      REQUIRE(one.take(whole.substr(0, cut)) == cut);
      const std::string rest = whole.substr(cut) + next;
      const size_t expected = cut == whole.size() ? 0 : rest.size() - next.size();
      REQUIRE(one.take(rest) == expected);
      REQUIRE(one.state() == State::done);
      const HttpRequest request = one.take_request();
      REQUIRE(request.path == "/p");
      REQUIRE(request.body == (whole.starts_with("GET") ? "" : "12345"));
    }
  }
}

TEST_CASE("a request may come byte by byte, and the reader be used again") {
  RequestReader one = reader();
  for (int i = 0; i < 3; ++i) {
    for (const char byte : kChunked + "5\r\n12345\r\n0\r\n\r\n") REQUIRE(one.take({&byte, 1}) == 1);
    REQUIRE(one.state() == State::done);
    CHECK(one.take_request().body == "12345");
    one.reset();
    CHECK(one.state() == State::empty);
    CHECK(one.held_bytes() == 0);
  }
}

TEST_CASE("empty lines before a request are passed over and begin nothing") {
  RequestReader one = reader();
  CHECK(one.take("\r\n\r\n") == 4);
  CHECK(one.state() == State::empty);
  one.take("\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n");
  CHECK(one.state() == State::done);
}

TEST_CASE("a head that does not end is refused at its limit") {
  RequestReader one = reader();
  const std::string piece(1000, 'a');
  size_t sent = 0;
  while (one.state() != State::refused && sent < 10 * kMaxHeadBytes) sent += one.take(piece);
  CHECK(one.state() == State::refused);
  CHECK(one.refusal().status == 431);
  CHECK(sent <= kMaxHeadBytes + 1000);
  CHECK(one.held_bytes() == 0);
}

TEST_CASE("chunks are decoded strictly") {
  CHECK(decoded("5\r\n12345\r\n0\r\n\r\n") == "12345");
  CHECK(decoded("A\r\n1234567890\r\n0\r\n\r\n") == "1234567890");
  CHECK(decoded("0\r\n\r\n").empty());
  for (const char* malformed : {"x\r\n", "\r\n", "-1\r\n", "+1\r\n", "0x1\r\n", "1 1\r\n", "1\n1\r\n",
                                "2\r\n1\r\n1\r\n", "1\r\n12\r\n", "1\r\n1\n", ";a\r\n"}) {
    INFO(malformed);
    CHECK(decoded(malformed) == "400");
  }
  CHECK(decoded("fffffffffffffffff\r\n") == "413");
  CHECK(decoded("ffffffffffffffff\r\n") == "413");
  CHECK(decoded("1;" + std::string(kMaxChunkLineBytes, 'x') + "\r\n") == "400");
  std::string trailer = "0\r\n";
  for (size_t i = 0; i < kMaxTrailerLines; ++i) trailer += "A: b\r\n";
  CHECK(decoded(trailer + "\r\n").empty());
  CHECK(decoded(trailer + "A: b\r\n\r\n") == "431");
}

TEST_CASE("chunks are refused by the byte that passes the limit, before it comes") {
  RequestReader one = reader();
  one.take(kChunked);
  const std::string megabyte = "100000\r\n" + std::string(1u << 20, 'x') + "\r\n";
  for (size_t i = 0; i < limits::kMaxMessageBytes >> 20; ++i) one.take(megabyte);
  CHECK(one.body_bytes() == limits::kMaxMessageBytes);
  CHECK(one.state() == State::body);
  one.take("1\r\n");
  REQUIRE(one.state() == State::refused);
  CHECK(one.refusal().status == 413);
  CHECK(one.held_bytes() == 0);
}

TEST_CASE("a head is looked at before its body is read") {
  RequestReader one([](const RequestHead& head) -> std::optional<Refusal> {
    CHECK(head.request.path == "/p");
    return Refusal{401, "token", "no"};
  });
  const std::string head = "POST /p HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n";
  CHECK(one.take(head + "12345") == head.size());
  CHECK(one.state() == State::refused);
  CHECK_FALSE(one.take_continue());
}

TEST_CASE("a sender that waits is answered once") {
  RequestReader one = reader();
  one.take("POST /p HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
  CHECK(one.take_continue());
  CHECK_FALSE(one.take_continue());
}
