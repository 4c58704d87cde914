#include "protocol/http/http_server.h"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/resource.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "protocol/http/http_test_client.h"
#include "protocol/http/limits.h"

using namespace stepwise;
using namespace stepwise::http;

namespace {

constexpr const char* kToken = "a-token-of-some-length";

/// Handlers that stay in it until it is opened, or their peer has gone.
class Gate {
 public:
  HttpHandler handler() {
    return [this](const HttpRequest& request, const std::function<bool()>& peer_gone) {
      std::unique_lock lock(mutex_);
      ++inside_;
      while (!open_ && !peer_gone()) changed_.wait_for(lock, std::chrono::milliseconds(10));
      --inside_;
      if (!open_) ++gone_;
      return text_response("through " + request.body);
    };
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  int inside() const {
    const std::lock_guard lock(mutex_);
    return inside_;
  }
  int gone() const {
    const std::lock_guard lock(mutex_);
    return gone_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
  int inside_ = 0, gone_ = 0;
};

}  // namespace

TEST_CASE("requests are answered on one connection, with headers that keep an answer what it is") {
  TestServer server;
  TestClient client = server.client();
  for (int i = 0; i < 3; ++i) {
    const TestAnswer answer = client.ask(post("/echo?x=1", "body"));
    CHECK(answer.status == 200);
    CHECK(answer.body == "POST /echo body");
    CHECK(answer.headers.at("content-type") == "text/plain");
    CHECK(answer.headers.at("cache-control") == "no-store");
    CHECK(answer.headers.at("x-content-type-options") == "nosniff");
    CHECK(answer.headers.count("connection") == 0);
    CHECK(answer.headers.count("keep-alive") == 0);
  }
  const HttpCounters counters = server.counters();
  CHECK(counters.connections == 1);
  CHECK(counters.open_connections == 1);
  CHECK(eventually([&] { return server.counters().answers.at(200) == 3; }));
}

TEST_CASE("chunks are taken, HEAD has no body, and a connection ends when the peer wants that") {
  TestServer server;
  TestClient client = server.client();
  CHECK(client.ask("POST /echo HTTP/1.1\r\nHost: h\r\n\r\n").status == 403);
  TestClient other = server.client();
  const std::string chunked = "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
  CHECK(other.ask(chunked + "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n").body == "POST /echo abc");
  other.send("HEAD /echo HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const TestAnswer head = other.answer(false);
  CHECK(head.status == 200);
  CHECK(head.headers.at("content-length") == "11");  // "HEAD /echo "
  CHECK(head.headers.count("accept-ranges") == 0);
  const TestAnswer last = other.ask(get("/echo", "Connection: close\r\n"));
  CHECK(last.headers.at("connection") == "close");
  CHECK(other.rest().empty());
  TestClient old = server.client();
  CHECK(old.ask("GET /echo HTTP/1.0\r\nHost: localhost\r\n\r\n").body == "GET /echo ");
  CHECK(old.rest().empty());
}

TEST_CASE("an unknown path names those that there are") {
  TestServer server;
  const TestAnswer answer = server.client().ask(get("/nothing"));
  CHECK(answer.status == 404);
  CHECK(answer.body.find("/echo") != std::string::npos);
}

TEST_CASE("an endpoint that throws is an answer 500 that tells nothing") {
  TestServer server({{"/throws", [](const HttpRequest&, const std::function<bool()>&) -> HttpResponse {
                        throw std::runtime_error("a secret");
                      }}});
  TestClient client = server.client();
  const TestAnswer answer = client.ask(get("/throws"));
  CHECK(answer.status == 500);
  CHECK(answer.body.find("secret") == std::string::npos);
  CHECK(client.ask(get("/echo")).status == 200);
}

TEST_CASE("a sender that waits before its body is told to go on, unless it is refused") {
  HttpServerOptions options;
  options.token = kToken;
  TestServer server({}, options);
  const std::string waits = "POST /echo HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 4\r\n";
  TestClient client = server.client();
  client.send(waits + "Authorization: Bearer " + kToken + "\r\n\r\n");
  CHECK(client.answer(false).status == 100);
  CHECK(client.ask("body").body == "POST /echo body");
  TestClient stranger = server.client();
  CHECK(stranger.ask(waits + "\r\n").status == 401);
}

TEST_CASE("who expects what the server does not do is told so before the body is sent, and nothing is called") {
  TestServer server;
  TestClient client = server.client();
  const TestAnswer answer = client.ask(
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue, a-miracle\r\nContent-Length: 4\r\n\r\n");
  CHECK(answer.status == 417);
  CHECK(answer.headers.at("connection") == "close");
  CHECK(client.rest().empty());
  CHECK(server.refused("expect") == 1);
  CHECK(server.client().ask(post("/echo", "body", "Expect: \r\n")).body == "POST /echo body");
}

TEST_CASE("without the token nothing but health is told, and the answer says what is missing") {
  HttpServerOptions options;
  options.token = kToken;
  TestServer server({}, options);
  TestClient client = server.client();
  const TestAnswer answer = client.ask(get("/echo"));
  CHECK(answer.status == 401);
  CHECK(answer.headers.at("www-authenticate") == "Bearer");
  CHECK(answer.body.find(kToken) == std::string::npos);
  CHECK(server.client().ask(get("/healthz")).status == 200);
  CHECK(server.client().ask(get("/echo?token=" + std::string(kToken))).status == 401);
  CHECK(server.client().ask(get("/echo", "Authorization: Bearer " + std::string(kToken) + "\r\n")).status == 200);
  CHECK(server.refused("token") == 2);
}

TEST_CASE("a server that others can reach needs a token; a port that is taken is an error") {
  HttpServerOptions open;
  open.host = "0.0.0.0";
  CHECK(HttpServer::start(open, {}).error().code == "http.token");
  TestServer server;
  HttpServerOptions same;
  same.port = server.server->port();
  const auto second = HttpServer::start(same, {});
  REQUIRE_FALSE(second.ok());
  CHECK(second.error().code == "http.bind");
  HttpServerOptions nowhere;
  nowhere.host = "no.such.host.invalid";
  nowhere.token = kToken;
  CHECK(HttpServer::start(nowhere, {}).error().code == "http.bind");
}

TEST_CASE("pages of allowed origins may ask and read, and a browser's question is answered") {
  TestServer server;
  const TestAnswer preflight = server.client().ask(
      "OPTIONS /echo HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:3000\r\n"
      "Access-Control-Request-Method: POST\r\n\r\n");
  CHECK(preflight.status == 204);
  CHECK(preflight.headers.at("access-control-allow-origin") == "http://localhost:3000");
  CHECK(preflight.headers.at("access-control-allow-headers").find("Authorization") != std::string::npos);
  CHECK(preflight.headers.count("content-length") == 0);
  const TestAnswer answer = server.client().ask(get("/echo", "Origin: http://localhost:3000\r\n"));
  CHECK(answer.headers.at("access-control-allow-origin") == "http://localhost:3000");
  CHECK(answer.headers.at("vary") == "Origin");
  CHECK(server.client().ask(get("/echo")).headers.count("access-control-allow-origin") == 0);
  const TestAnswer refused = server.client().ask(get("/echo", "Origin: http://evil.example.com\r\n"));
  CHECK(refused.status == 403);
  CHECK(refused.headers.count("access-control-allow-origin") == 0);
}

TEST_CASE("what is accepted sends at once, and is not inherited by the children of this process") {
  TestServer server;
  TestClient client = server.client();
  REQUIRE(client.ask(get("/echo")).status == 200);
  int found = 0;
  for (int fd = 0; fd < 1024; ++fd) {
    sockaddr_in peer{};
    socklen_t bytes = sizeof peer;
    const bool is_server_end = ::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &bytes) == 0 &&
                               peer.sin_family == AF_INET && ntohs(peer.sin_port) == client.local_port();
    if (!is_server_end) continue;
    ++found;
    int no_delay = 0;
    bytes = sizeof no_delay;
    CHECK(::getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &no_delay, &bytes) == 0);
    CHECK(no_delay != 0);
    CHECK((::fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
  }
  CHECK(found == 1);
}

TEST_CASE("a server without descriptors takes new peers when there are some again") {
  TestServer server;
  TestClient waits = server.client();
  REQUIRE(waits.ask(get("/echo")).status == 200);
  TestClient late(server.server->port(), 0, TestClient::Connects::later);
  std::vector<int> taken;
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  const rlimit few{std::min<rlim_t>(before.rlim_cur, 256), before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &few);
  for (int fd = ::dup(0); fd >= 0; fd = ::dup(0)) taken.push_back(fd);
  late.connect(server.server->port());
  late.send(get("/echo"));
  CHECK(waits.ask(get("/echo")).status == 200);
  CHECK(server.counters().connections == 1);
  for (const int fd : taken) ::close(fd);
  ::setrlimit(RLIMIT_NOFILE, &before);
  CHECK(late.answer().body == "GET /echo ");
}

TEST_CASE("as many requests are answered at once as there are threads, and others wait their turn") {
  Gate gate;
  HttpServerOptions options;
  options.handler_threads = 2;
  options.max_streams = 0;
  TestServer server({{"/gate", gate.handler()}}, options);
  std::vector<TestClient> clients;
  for (int i = 0; i < 3; ++i) {
    clients.push_back(server.client());
    clients.back().send(post("/gate", std::to_string(i)));
  }
  CHECK(eventually([&] { return gate.inside() == 2; }));
  gate.open();
  for (int i = 0; i < 3; ++i) CHECK(clients[static_cast<size_t>(i)].answer().body == "through " + std::to_string(i));
}

TEST_CASE("whoever watches the server is answered, and others are refused, while every handler is at work") {
  Gate gate;
  HttpServerOptions options;
  options.handler_threads = 1;
  TestServer server({{"/gate", gate.handler()}}, options);
  TestClient works = server.client();
  works.send(post("/gate", "1"));
  REQUIRE(eventually([&] { return gate.inside() == 1; }));
  CHECK(server.client().ask(get("/healthz")).status == 200);
  CHECK(server.client().ask(get("/echo", "Origin: null\r\n")).status == 403);
  CHECK(gate.inside() == 1);
  gate.open();
  CHECK(works.answer().body == "through 1");
}

TEST_CASE("a stop lets requests in flight finish") {
  Gate gate;
  HttpServerOptions options;
  options.finish_within = std::chrono::minutes(1);
  TestServer server({{"/gate", gate.handler()}}, options);
  TestClient client = server.client();
  TestClient idle = server.client();
  CHECK(idle.ask(get("/echo")).status == 200);
  client.send(post("/gate", "1"));
  REQUIRE(eventually([&] { return gate.inside() == 1; }));
  std::thread stopping([&] { server.server->stop(); });
  CHECK(idle.rest().empty());  // a connection without a request ends at once
  gate.open();
  CHECK(client.answer().body == "through 1");
  stopping.join();
  CHECK(client.rest().empty());
  CHECK(server.counters().open_connections == 0);
  CHECK_FALSE(TestClient(server.server->port()).connected());
}

TEST_CASE("a stop cuts off what does not finish") {
  Gate gate;
  TestServer server({{"/gate", gate.handler()}});
  TestClient client = server.client();
  client.send(post("/gate", "1"));
  REQUIRE(eventually([&] { return gate.inside() == 1; }));
  server.server->stop();
  CHECK(gate.gone() == 1);
  CHECK(client.answer().status == 0);
  CHECK(server.counters().open_connections == 0);
  server.server->stop();  // may be called twice
}
