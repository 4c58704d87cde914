#include "protocol/http/request_head.h"

#include <string>

#include "core/base/limits.h"
#include "protocol/http/limits.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::http;

namespace {

RequestHead parsed(const std::string& head) {
  auto outcome = parse_request_head(head);
  if (const auto* refused = std::get_if<Refusal>(&outcome)) FAIL(refused->says);
  return std::get<RequestHead>(std::move(outcome));
}
int status(const std::string& head) {
  const auto outcome = parse_request_head(head);
  const auto* refused = std::get_if<Refusal>(&outcome);
  return refused == nullptr ? 200 : refused->status;
}
int status_with(const std::string& headers) { return status("POST /rpc HTTP/1.1\r\nHost: h\r\n" + headers); }

}  // namespace

TEST_CASE("a head gives method, path without query, and headers by lower-case names") {
  const auto head =
      parsed("POST /rpc?token=1 HTTP/1.1\r\nHOST:  localhost \r\nX-A: 1\r\nx-a:2\r\nContent-Length: 12\r\n");
  CHECK(head.request.method == "POST");
  CHECK(head.request.path == "/rpc");
  CHECK(*head.request.header("host") == "localhost");
  CHECK(*head.request.header("x-a") == "1, 2");
  CHECK(head.request.header("x-b") == nullptr);
  CHECK(head.content_length == 12);
  CHECK(head.keep_alive);
  CHECK_FALSE(head.is_chunked);
}

TEST_CASE("nothing is added to the headers that were sent, and nothing in them is decoded") {
  const auto head = parsed("GET /a%0d%0ab HTTP/1.1\r\nHost: h\r\nX: a%0d%0aSet-Cookie: b\r\nREMOTE_ADDR: 9.9.9.9\r\n");
  CHECK(head.request.path == "/a%0d%0ab");
  CHECK(*head.request.header("x") == "a%0d%0aSet-Cookie: b");
  CHECK(head.request.headers.size() == 3);
}

TEST_CASE("a connection is kept as the version and Connection say") {
  const std::string one_one = "GET / HTTP/1.1\r\nHost: h\r\n", one_nought = "GET / HTTP/1.0\r\nHost: h\r\n";
  CHECK(parsed(one_one).keep_alive);
  CHECK_FALSE(parsed(one_one + "Connection: Close\r\n").keep_alive);
  CHECK_FALSE(parsed(one_one + "Connection: te, close\r\n").keep_alive);
  CHECK_FALSE(parsed(one_nought).keep_alive);
  CHECK(parsed(one_nought + "Connection: Keep-Alive\r\n").keep_alive);
}

TEST_CASE("a request line that two programs could read in two ways is refused") {
  for (const char* line :
       {"", "GET", "GET /", "GET  HTTP/1.1", "GET / HTTP/2.0", "GET / http/1.1", "GET / HTTP/1.1 ", "G T / HTTP/1.1",
        "GET /a b HTTP/1.1", "GET /a\tb HTTP/1.1", "GET http://h/ HTTP/1.1", "GET a HTTP/1.1", "GET * HTTP/1.1",
        "GET /\x80 HTTP/1.1", "GET /\x7f HTTP/1.1", " GET / HTTP/1.1", "G\nT / HTTP/1.1", "GET /\r HTTP/1.1"}) {
    INFO(line);
    CHECK(status(std::string(line) + "\r\nHost: h\r\n") == 400);
  }
  CHECK(status("OPTIONS * HTTP/1.1\r\nHost: h\r\n") == 200);
  CHECK(status("TRACE / HTTP/1.1\r\nHost: h\r\n") == 501);
  CHECK(status("CONNECT / HTTP/1.1\r\nHost: h\r\n") == 501);
  CHECK(status("get / HTTP/1.1\r\nHost: h\r\n") == 501);
}

TEST_CASE("a header that two programs could read in two ways is refused") {
  for (const char* line : {"X", ": a", "X : a", " X: a", "X: a\r\n b", "X: a\nY: b", "X: a\rY: b", "X\n: a", "X: \x01",
                           "X\x80: a", "(X): a", "Host: h"}) {
    INFO(line);
    CHECK(status_with(std::string(line) + "\r\n") == 400);
  }
  CHECK(status_with(std::string("X: a\0b\r\n", 8)) == 400);
  CHECK(status_with("X: \xc3\xa9\tb\r\n") == 200);
  CHECK(status("GET / HTTP/1.1\r\nX: a\r\n") == 400);
  CHECK(status("GET / HTTP/1.0\r\n") == 400);
}

TEST_CASE("a body's length is told once, and in one way") {
  for (const char* lines :
       {"Content-Length: 1\r\nContent-Length: 2\r\n", "Content-Length: 1\r\nContent-Length: 1\r\n",
        "Content-Length: 1, 2\r\n", "Content-Length: +1\r\n", "Content-Length: -1\r\n", "Content-Length: 0x1\r\n",
        "Content-Length: 1 1\r\n", "Content-Length:\r\n", "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n"}) {
    INFO(lines);
    CHECK(status_with(lines) == 400);
  }
  CHECK(status_with("Transfer-Encoding: gzip, chunked\r\n") == 501);
  CHECK(status_with("Transfer-Encoding: chunked, chunked\r\n") == 501);
  CHECK(status_with("Transfer-Encoding: \x0b"
                    "chunked\r\n") == 400);
  CHECK(parsed("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n").is_chunked);
  CHECK(status("POST / HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n") == 400);
}

TEST_CASE("bodies over the limit are refused by their length, whatever its number of digits") {
  const auto length = [](const std::string& digits) { return status_with("Content-Length: " + digits + "\r\n"); };
  CHECK(length(std::to_string(limits::kMaxMessageBytes)) == 200);
  CHECK(length(std::to_string(limits::kMaxMessageBytes + 1)) == 413);
  CHECK(length("99999999999999999999999") == 413);
  CHECK(length("18446744073709551617") == 413);  // 2^64 + 1
  CHECK(length("00000000000000000000000000000001") == 200);
  CHECK(parsed("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 000\r\n").content_length == 0);
}

TEST_CASE("an encoded body is refused, whatever the encoding") {
  CHECK(status_with("Content-Encoding: gzip\r\n") == 415);
  CHECK(status_with("Content-Encoding: br, identity\r\n") == 415);
  CHECK(status_with("Content-Encoding: identity\r\nContent-Encoding: gzip\r\n") == 415);
  CHECK(status_with("Content-Encoding: identity\r\n") == 200);
}

TEST_CASE("there are limits on headers and on the target") {
  std::string lines;
  for (size_t i = 1; i < kMaxHeaderLines; ++i) lines += "A: b\r\n";
  CHECK(status_with(lines) == 200);
  CHECK(status_with(lines + "A: b\r\n") == 431);
  const auto target = [](size_t bytes) {
    return status("GET /" + std::string(bytes - 1, 'a') + " HTTP/1.1\r\nHost: h\r\n");
  };
  CHECK(target(kMaxTargetBytes) == 200);
  CHECK(target(kMaxTargetBytes + 1) == 414);
}

TEST_CASE("a sender that waits before its body is told apart") {
  CHECK(parsed("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\n").expects_continue);
  CHECK_FALSE(parsed("POST / HTTP/1.0\r\nHost: h\r\nExpect: 100-continue\r\n").expects_continue);
  CHECK(parsed("POST / HTTP/1.1\r\nHost: h\r\nExpect: , 100-continue,\r\n").expects_continue);
  CHECK_FALSE(parsed("POST / HTTP/1.1\r\nHost: h\r\nExpect:\r\n").expects_continue);
  CHECK_FALSE(parsed("POST / HTTP/1.0\r\nHost: h\r\nExpect: a-miracle\r\n").expects_continue);
  for (const char* expected : {"a-miracle", "100-continue, a-miracle", "100-continue=1", "100"}) {
    INFO(expected);
    CHECK(status("POST / HTTP/1.1\r\nHost: h\r\nExpect: " + std::string(expected) + "\r\n") == 417);
  }
}
