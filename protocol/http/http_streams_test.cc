// Event streams as they come out of a socket; the rules of one stream are event_pump_test's.
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>

#include "protocol/http/http_server.h"
#include "protocol/http/http_test_client.h"
#include "protocol/http/limits.h"

using namespace stepwise;
using namespace stepwise::http;

namespace {

/// All streams of one server: what each says, and how they ended.
struct Streams {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::string> events;  // taken by whoever pulls first
  std::string flood;               // not empty: said again and again
  bool ended = false;
  int closed_gone = 0, closed_ended = 0;

  struct Source final : EventSource {
    explicit Source(Streams& streams) : all(streams) {}
    State next(std::string& out, std::chrono::milliseconds within) override {
      std::unique_lock lock(all.mutex);
      all.changed.wait_for(lock, within, [this] { return !all.events.empty() || all.ended || !all.flood.empty(); });
      out += all.flood;
      if (!all.events.empty()) {
        out += all.events.front();
        all.events.pop_front();
        return State::open;
      }
      return all.ended ? State::ended : State::open;
    }
    void stopping() override {
      const std::lock_guard lock(all.mutex);
      all.events.emplace_back("data: bye\n\n");
      all.ended = true;
    }
    void closed(bool peer_gone) override {
      const std::lock_guard lock(all.mutex);
      ++(peer_gone ? all.closed_gone : all.closed_ended);
    }
    Streams& all;
  };

  HttpHandler handler() {
    return [this](const HttpRequest&, const std::function<bool()>&) {
      HttpResponse response;
      response.events = std::make_shared<Source>(*this);
      return response;
    };
  }
  void say(std::string event) {
    const std::lock_guard lock(mutex);
    events.push_back(std::move(event));
    changed.notify_all();
  }
  void end() {
    const std::lock_guard lock(mutex);
    ended = true;
    changed.notify_all();
  }
  int gone() {
    const std::lock_guard lock(mutex);
    return closed_gone;
  }
  int done() {
    const std::lock_guard lock(mutex);
    return closed_ended;
  }
};

/// A stream without end to a peer that reads nothing of it.
struct UnreadStream {
  Streams streams;
  TestServer server{{{"/events", streams.handler()}}};
  TestClient client = server.client(4096);

  UnreadStream() {
    streams.flood = "data: " + std::string(1u << 20, 'x') + "\n\n";
    client.send(get("/events"));
    REQUIRE(eventually([&] { return server.counters().open_streams == 1; }));
  }
};

}  // namespace

TEST_CASE("events come one by one, unbuffered, and the connection is used again after the last") {
  Streams streams;
  TestServer server({{"/events", streams.handler()}});
  TestClient client = server.client();
  client.send(get("/events"));
  streams.say("data: 1\n\n");
  const TestAnswer head = client.answer_head();
  CHECK(head.status == 200);
  CHECK(head.headers.at("content-type") == "text/event-stream");
  CHECK(head.headers.at("cache-control") == "no-cache");
  CHECK(head.headers.at("x-accel-buffering") == "no");
  CHECK(client.next_chunk() == "data: 1\n\n");
  streams.say("data: 2\n\n");
  CHECK(client.next_chunk() == "data: 2\n\n");
  CHECK(server.counters().open_streams == 1);
  streams.end();
  CHECK_FALSE(client.next_chunk());
  CHECK_FALSE(client.was_cut());
  CHECK(client.ask(get("/echo")).body == "GET /echo ");
  CHECK(streams.done() == 1);
  CHECK(server.counters().open_streams == 0);
}

TEST_CASE("a peer of HTTP/1.0 gets events without chunks, until the connection ends") {
  Streams streams;
  TestServer server({{"/events", streams.handler()}});
  TestClient client = server.client();
  client.send("GET /events HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n");
  streams.say("data: 1\n\n");
  const TestAnswer head = client.answer_head();
  CHECK(head.headers.count("transfer-encoding") == 0);
  CHECK(head.headers.at("connection") == "close");
  streams.end();
  CHECK(client.rest() == "data: 1\n\n");
}

TEST_CASE("a silent stream says that it lives") {
  Streams streams;
  TestServer server({{"/events", streams.handler()}});
  TestClient client = server.client();
  client.send(get("/events"));
  REQUIRE(client.answer_head().status == 200);
  server.clock.advance(kKeepAliveEvery);
  CHECK(client.next_chunk() == ": keep-alive\n\n");
}

TEST_CASE("streams past the most are told to come again, and their source that it has no peer") {
  Streams streams;
  HttpServerOptions options;
  options.max_streams = 2;
  TestServer server({{"/events", streams.handler()}}, options);
  std::vector<TestClient> clients;
  for (int i = 0; i < 2; ++i) {
    clients.push_back(server.client());
    clients.back().send(get("/events"));
    REQUIRE(clients.back().answer_head().status == 200);
  }
  TestClient third = server.client();
  const TestAnswer refused = third.ask(get("/events"));
  CHECK(refused.status == 503);
  CHECK(refused.headers.at("retry-after") == "5");
  CHECK(streams.gone() == 1);
  CHECK(server.refused("full") == 1);
  clients.pop_back();
  CHECK(eventually([&] { return server.counters().open_streams == 1; }));
  third.send(get("/events"));
  CHECK(third.answer_head().status == 200);
}

TEST_CASE("a peer that goes away is noticed without a word from the source, however it goes") {
  Streams streams;
  TestServer server({{"/events", streams.handler()}});
  TestClient closes = server.client(), aborts = server.client();
  for (TestClient* client : {&closes, &aborts}) {
    client->send(get("/events"));
    REQUIRE(client->answer_head().status == 200);
  }
  closes.close();
  aborts.abort();
  CHECK(eventually([&] { return streams.gone() == 2; }));
  CHECK(eventually([&] { return server.counters().open_connections == 0; }));
}

TEST_CASE("a stream whose peer never reads ends, and holds nothing up") {
  UnreadStream unread;
  CHECK(unread.server.serves());
  CHECK(eventually([&] {
    unread.server.clock.advance(kWriteWithin);  // however much went before
    return unread.streams.gone() == 1;
  }));
  CHECK(eventually([&] { return unread.server.refused("stalled") == 1; }));
}

TEST_CASE("before a stop streams get their last words and a proper end") {
  Streams streams;
  HttpServerOptions options;
  options.finish_within = std::chrono::minutes(1);
  TestServer server({{"/events", streams.handler()}}, options);
  TestClient client = server.client();
  client.send(get("/events"));
  REQUIRE(client.answer_head().status == 200);
  server.server->stop();
  CHECK(client.next_chunk() == "data: bye\n\n");
  CHECK_FALSE(client.next_chunk());
  CHECK_FALSE(client.was_cut());
  CHECK(streams.done() == 1);
  CHECK(server.counters().open_connections == 0);
}

TEST_CASE("a stop does not wait for a peer that never reads") {
  UnreadStream unread;
  unread.server.server->stop();                               // the clock stands still: nothing but the stop can end it
  CHECK(unread.streams.gone() + unread.streams.done() == 1);  // cut, or ended before the peer's buffers were full
  CHECK(unread.server.counters().open_connections == 0);
}
