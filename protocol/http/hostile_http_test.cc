// Peers that want to bring the server down, or through it to somebody else. The others are still served, memory and
// threads stay bounded. No bound here is in seconds: deadlines go by a clock that the test moves.
#include <zlib.h>

#include <csignal>

#include "core/base/limits.h"
#include "protocol/http/http_server.h"
#include "protocol/http/http_test_client.h"
#include "protocol/http/limits.h"

using namespace stepwise;
using namespace stepwise::http;

namespace {

constexpr int64_t kSlackKib = 64 << 10;
// A request that comes before the thread of the one before has left it gets a thread of its own.
constexpr int64_t kSlackThreads = 8;
static_assert(kSlackThreads < kManyPeers);

/// Sends until the server ends the connection; how much went, at most `most_bytes`.
size_t pour(TestClient& client, std::string_view piece, size_t most_bytes) {
  size_t sent = 0;
  while (sent < most_bytes && client.send(piece)) sent += piece.size();
  return sent;
}

/// A server that gives a large answer to a peer that has read no more of it than its head.
struct UnreadAnswer {
  static constexpr size_t kBytes = 32u << 20;
  const std::string large = std::string(kBytes, 'x');
  TestServer server{{{"/large", [this](const auto&, const auto&) { return text_response(large); }}}};
  TestClient client = server.client(4096);

  UnreadAnswer() {
    client.send(get("/large"));
    REQUIRE(client.answer_head().status == 200);
  }
};

}  // namespace

TEST_CASE("peers that drip their heads cost no thread, and end by the clock") {
  TestServer server;
  REQUIRE(server.serves());  // with the thread that it takes
  const int64_t threads = process_figure("Threads");
  auto clients = many(server, "GET /echo HTTP/1.1\r\nHost: localhost\r\nX: ");
  for (int drop = 0; drop < 3; ++drop) {
    for (auto& client : clients) client.send("a");
    CHECK(server.serves());
  }
  CHECK(process_figure("Threads") <= threads + kSlackThreads);
  CHECK(eventually([&] { return server.counters().open_connections >= kManyPeers; }));
  // A drop does not win time: the head's first byte counts.
  CHECK(eventually([&] {
    server.clock.advance(kHeadWithin / 2);
    for (auto& client : clients) client.send("a");
    return server.refused("slow") == kManyPeers;
  }));
  CHECK(clients.front().answer().status == 408);
  CHECK(server.serves());
}

TEST_CASE("peers that say nothing at all end sooner than those that were served") {
  TestServer server;
  TestClient served = server.client();
  CHECK(served.ask(get("/echo")).status == 200);
  const auto silent = many(server, "");
  CHECK(eventually([&] { return server.counters().open_connections == kManyPeers + 1; }));
  server.clock.advance(kHeadWithin + 1ms);
  CHECK(eventually([&] { return server.counters().open_connections == 1; }));
  CHECK(server.refused("slow") == 0);
  CHECK(served.ask(get("/echo")).status == 200);
  CHECK(eventually([&] {
    server.clock.advance(kIdleWithin);
    return server.counters().open_connections == 0;
  }));
}

TEST_CASE("slow bodies cost no thread, and the more has come the longer they may take") {
  TestServer server;
  const int64_t threads = process_figure("Threads");
  const std::string head = "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n";
  const auto clients = many(server, head + "a");
  TestClient steady = server.client();
  steady.send(head + std::string(10 * kBodyBytesASecond / 4, 'a'));  // 2.5 s worth
  CHECK(eventually([&] { return server.counters().buffered_bytes == kManyPeers + 10 * kBodyBytesASecond / 4; }));
  CHECK(process_figure("Threads") <= threads + kSlackThreads);
  CHECK(server.serves());
  server.clock.advance(kBodyWithin + 1s);
  CHECK(eventually([&] { return server.refused("slow") == kManyPeers; }));
  CHECK(steady.ask(std::string(1000000 - 10 * kBodyBytesASecond / 4, 'a')).status == 200);
}

TEST_CASE("a flood of headers is refused at the limit") {
  TestServer server;
  TestClient client = server.client();
  client.send("GET /echo HTTP/1.1\r\nHost: localhost\r\n");
  CHECK(pour(client, "A: b\r\n", 200'000 * 6) == 200'000 * 6);  // what comes after the refusal is thrown away
  CHECK(client.answer().status == 431);
  CHECK(server.refused("headers") == 1);
  CHECK(server.counters().buffered_bytes <= kFreeBufferBytes);
  CHECK(server.serves());
}

TEST_CASE("one header of 20 MB is refused at the limit") {
  TestServer server;
  const int64_t before_kib = process_figure("VmRSS");
  TestClient client = server.client();
  client.send("GET /echo HTTP/1.1\r\nHost: localhost\r\nX: ");
  pour(client, std::string(1u << 16, 'a'), 20u << 20);
  CHECK(eventually([&] { return server.refused("headers") == 1; }));
  CHECK(process_figure("VmRSS") - before_kib < kSlackKib);
  CHECK(server.serves());
}

TEST_CASE("a body of 1 GB is refused by its length before it comes, and by its chunks when they pass the limit") {
  TestServer server;
  const int64_t before_kib = process_figure("VmRSS");
  TestClient declared = server.client();
  const TestAnswer answer =
      declared.ask("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1073741824\r\n\r\n");
  CHECK(answer.status == 413);
  CHECK(answer.headers.at("connection") == "close");

  TestClient chunked = server.client();
  chunked.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
  pour(chunked, "100000\r\n" + std::string(1u << 20, 'x') + "\r\n", 64u << 20);
  CHECK(eventually([&] { return server.refused("body") == 2; }));
  CHECK(process_figure("VmRSS") - before_kib < kSlackKib);
  CHECK(eventually([&] { return server.counters().buffered_bytes <= kFreeBufferBytes; }));
  CHECK(server.serves());
}

TEST_CASE("what a refused peer still sends is thrown away, and not for ever") {
  TestServer server;
  TestClient client = server.client();
  client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1073741824\r\n\r\n");
  CHECK(client.answer().status == 413);
  const std::string piece(1u << 16, 'x');
  CHECK(pour(client, piece, 8u << 20) == 8u << 20);  // read and dropped
  CHECK(server.counters().buffered_bytes == 0);
  CHECK(eventually([&] {
    server.clock.advance(kLingerWithin + 1ms);
    return server.counters().open_connections == 0;
  }));
}

TEST_CASE("many large bodies at once fill the common store, and small requests are still taken") {
  TestServer server;
  std::vector<TestClient> clients;
  const size_t each = limits::kMaxMessageBytes - 1;
  const std::string head =
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(each + 1) + "\r\n\r\n";
  const std::string body(each, 'x');
  const size_t fit = kSharedBufferBytes / each;
  for (size_t i = 0; i < fit + 2; ++i) {
    clients.push_back(server.client());
    clients.back().send(head);
    clients.back().send(body);
  }
  CHECK(eventually([&] { return server.refused("full") >= 1; }));
  CHECK(server.counters().buffered_bytes <= kSharedBufferBytes + kReadBytes);
  CHECK(server.client().ask(post("/echo", std::string(1000, 'x'))).status == 200);
  clients.clear();
  CHECK(eventually([&] { return server.counters().buffered_bytes == 0; }));
  CHECK(server.client().ask(post("/echo", std::string(1u << 20, 'x'))).status == 200);
}

TEST_CASE("a compressed body is refused before it is unpacked or even read") {
  TestServer server;
  const std::string plain(4u << 20, '\0');
  std::string packed(compressBound(plain.size()), '\0');
  uLongf packed_bytes = packed.size();
  REQUIRE(compress(reinterpret_cast<Bytef*>(packed.data()), &packed_bytes, reinterpret_cast<const Bytef*>(plain.data()),
                   plain.size()) == Z_OK);
  packed.resize(packed_bytes);
  CHECK(server.client().ask(post("/echo", packed, "Content-Encoding: deflate\r\n")).status == 415);
  CHECK(server.client().ask(post("/echo", packed, "Content-Encoding: gzip\r\n")).status == 415);
  CHECK(server.refused("encoding") == 2);
  // Whatever the body is, what arrives is what was sent.
  CHECK(server.client().ask(post("/echo", packed)).body == "POST /echo " + packed);
}

TEST_CASE("names that a page could have rebound are refused") {
  TestServer server;
  const std::string port = std::to_string(server.server->port());
  CHECK(server.client().ask("GET /echo HTTP/1.1\r\nHost: evil.example.com:" + port + "\r\n\r\n").status == 403);
  CHECK(server.client()
            .ask("GET /echo HTTP/1.1\r\nHost: evil.example.com\r\nOrigin: http://evil.example.com\r\n\r\n")
            .status == 403);
  CHECK(server.client().ask("GET /echo HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n").status == 200);
  CHECK(server.refused("host") == 2);
}

TEST_CASE("a peer that never reads a large answer loses it, and holds nothing else up") {
  UnreadAnswer unread;
  CHECK(unread.server.serves());
  CHECK(eventually([&] {
    unread.server.clock.advance(kWriteWithin + std::chrono::seconds(UnreadAnswer::kBytes / kWriteBytesASecond));
    return unread.server.refused("stalled") == 1;
  }));
  CHECK(unread.server.serves());
}

TEST_CASE("a stop does not wait for a peer that never reads its answer") {
  UnreadAnswer unread;
  unread.server.server->stop();
  CHECK(unread.server.counters().open_connections == 0);
}

TEST_CASE("a peer that sends its request and closes its half is answered") {
  TestServer server;
  TestClient client = server.client();
  client.send(get("/echo"));
  client.end_output();
  CHECK(client.answer().body == "GET /echo ");
  CHECK(client.rest().empty());
}

TEST_CASE("a peer that ends in the middle of a request leaves nothing behind") {
  TestServer server;
  for (const char* part : {"", "GET", "GET /echo HTTP/1.1\r\nHost: localhost\r\n",
                           "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc",
                           "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"}) {
    TestClient half = server.client(), closes = server.client(), aborts = server.client();
    for (TestClient* client : {&half, &closes, &aborts}) client->send(part);
    half.end_output();
    CHECK(half.rest().empty());
    closes.close();
    aborts.abort();
  }
  CHECK(eventually([&] { return server.counters().open_connections == 0; }));
  CHECK(server.counters().buffered_bytes == 0);
  CHECK(server.counters().requests == 0);
}

TEST_CASE("a peer that aborts while it is answered raises no signal") {
  const std::string large(8u << 20, 'x');
  TestServer server(
      {{"/large", [&](const HttpRequest&, const std::function<bool()>&) { return text_response(large); }}});
  // The library ignores the signal for the whole process; whoever embeds the server may not.
  const auto before = std::signal(SIGPIPE, SIG_DFL);
  for (int i = 0; i < 20; ++i) {
    TestClient client = server.client(4096);
    client.send(get("/large"));
    REQUIRE(client.answer_head().status == 200);
    if (i % 2 == 0) client.end_output();  // then the reset is a broken pipe to the server
    client.abort();
  }
  CHECK(eventually([&] { return server.counters().open_connections == 0; }));
  CHECK(server.serves());
  std::signal(SIGPIPE, before);
}

TEST_CASE("pipelined requests are answered in order, each once") {
  TestServer server;
  TestClient client = server.client();
  std::string all;
  for (int i = 0; i < 100; ++i) all += post("/echo", std::to_string(i));
  client.send(all);
  for (int i = 0; i < 100; ++i) REQUIRE(client.answer().body == "POST /echo " + std::to_string(i));
  CHECK(eventually([&] { return server.counters().requests == 100; }));
}

TEST_CASE("what follows a refused request on its connection is not looked at") {
  TestServer server;
  TestClient client = server.client();
  client.send(
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" +
      get("/echo"));
  CHECK(client.answer().status == 400);
  CHECK(client.rest().empty());
  CHECK(server.counters().requests == 1);
}

TEST_CASE("no header of an answer is made of what a request brought") {
  TestServer server({{"/reflects", [](const HttpRequest& request, const std::function<bool()>&) {
                        HttpResponse response = text_response("");
                        response.headers.emplace_back("X-Reflected", *request.header("x-a"));
                        return response;
                      }}});
  const TestAnswer encoded = server.client().ask(get("/reflects", "X-A: a%0d%0aSet-Cookie: b\r\n"));
  CHECK(encoded.headers.at("x-reflected") == "a%0d%0aSet-Cookie: b");
  CHECK(encoded.headers.count("set-cookie") == 0);
  CHECK(server.client().ask(get("/reflects", "X-A: a\rSet-Cookie: b\r\n")).status == 400);
  CHECK(server.client().ask(get("/reflects", "X-A: a\nSet-Cookie: b\r\n")).status == 400);
  CHECK(server.client().ask(get("/echo%0d%0aSet-Cookie:b")).body.find("Set-Cookie") == std::string::npos);
  CHECK(server.client().ask(get("/echo", "Origin: http://localhost\r\n\tb\r\n")).status == 400);
}

TEST_CASE("a peer cannot pose as another address") {
  TestServer server({{"/names", [](const HttpRequest& request, const std::function<bool()>&) {
                        std::string names;
                        for (const auto& [name, value] : request.headers) names += name + "=" + value + ";";
                        return text_response(names);
                      }}});
  CHECK(server.client().ask(get("/names")).body == "host=localhost;");
  CHECK(server.client().ask(get("/names", "REMOTE_ADDR: 9.9.9.9\r\n")).body == "host=localhost;remote_addr=9.9.9.9;");
}
