// A full table of connections: which one gives way to a new one, and when none does. Time goes by a clock that the test
// moves.
#include <atomic>

#include "protocol/http/http_server.h"
#include "protocol/http/http_test_client.h"
#include "protocol/http/limits.h"

using namespace stepwise;
using namespace stepwise::http;

TEST_CASE("a new connection takes the place of the one that has let the server wait longest") {
  HttpServerOptions options;
  options.max_connections = 3;
  TestServer server({}, options);
  const auto joined = [&](std::string_view sends) {
    const uint64_t before = server.counters().connections;
    TestClient client = server.client();
    client.send(sends);
    REQUIRE(eventually([&] { return server.counters().connections == before + 1; }));
    server.clock.advance(1ms);
    return client;
  };
  TestClient silent = joined("");
  TestClient drips = joined("GET /echo HTTP/1.1\r\nHost: localhost\r\nX: ");
  TestClient served = joined("");
  REQUIRE(served.ask(get("/echo")).status == 200);
  server.clock.advance(1ms);
  CHECK(server.refused("crowded") == 0);

  CHECK(server.serves());
  CHECK(server.refused("crowded") == 1);
  CHECK(silent.rest().empty());
  CHECK(eventually([&] { return server.counters().open_connections == 2; }));
  drips.send("a");  // wins no time: the head's first byte counts
  TestClient next = joined("");
  CHECK(server.serves());
  CHECK(server.refused("crowded") == 2);
  CHECK(drips.rest().empty());
  CHECK(served.ask(get("/echo")).status == 200);
  CHECK(next.ask(get("/echo")).status == 200);
  CHECK(server.refused("full") == 0);
}

TEST_CASE("as many peers as there may be connections, which drip for ever, keep nobody out") {
  HttpServerOptions options;
  options.max_connections = kManyPeers;
  TestServer server({}, options);
  auto clients = many(server, "GET /echo HTTP/1.1\r\nHost: localhost\r\nX: ");
  REQUIRE(eventually([&] { return server.counters().open_connections == kManyPeers; }));
  for (int i = 1; i <= 100; ++i) {
    for (auto& client : clients) client.send("a");
    server.clock.advance(1ms);  // none of them is late
    REQUIRE(server.serves());
  }
  CHECK(server.refused("slow") == 0);
  CHECK(server.refused("full") == 0);
  CHECK(server.refused("crowded") >= 1);
  CHECK(server.counters().open_connections <= kManyPeers);
}

TEST_CASE("a body that comes fast enough gives way to no drip") {
  HttpServerOptions options;
  options.max_connections = 2;
  TestServer server({}, options);
  const std::string head = "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n";
  TestClient steady = server.client();
  steady.send(head + std::string(2 * kBodyBytesASecond, 'a'));
  REQUIRE(eventually([&] { return server.counters().buffered_bytes == 2 * kBodyBytesASecond; }));
  server.clock.advance(1s);
  TestClient drips = server.client();
  drips.send("GET");
  REQUIRE(eventually([&] { return server.counters().buffered_bytes == 2 * kBodyBytesASecond + 3; }));
  server.clock.advance(500ms);
  CHECK(server.serves());
  CHECK(drips.rest().empty());
  CHECK(steady.ask(std::string(1000000 - 2 * kBodyBytesASecond, 'a')).status == 200);
}

TEST_CASE("connections past the most are closed while all others are being answered") {
  HttpServerOptions options;
  options.max_connections = 3;
  std::atomic<bool> goes_on{false};
  std::atomic<int> answered{0};
  TestServer server({{"/waits",
                      [&](const HttpRequest&, const std::function<bool()>&) {
                        ++answered;
                        eventually([&] { return goes_on.load(); });
                        return text_response("done");
                      }}},
                    options);
  std::vector<TestClient> clients;
  for (int i = 0; i < 3; ++i) {
    clients.push_back(server.client());
    clients.back().send(get("/waits"));
  }
  REQUIRE(eventually([&] { return answered == 3; }));
  CHECK(server.client().ask(get("/echo")).status == 0);
  CHECK(server.refused("full") == 1);
  CHECK(server.refused("crowded") == 0);
  goes_on = true;
  for (TestClient& client : clients) CHECK(client.answer().body == "done");
  // An answered connection can give way as soon as its handler has left it, which is a moment after the answer.
  CHECK(eventually([&] { return server.serves(); }));
}
