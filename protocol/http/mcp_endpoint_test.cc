#include "protocol/http/mcp_endpoint.h"

#include <thread>
#include <utility>

#include "protocol/mcp/fake_engine.h"
#include "protocol/mcp/modern.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::http;
using namespace std::chrono_literals;

namespace {

struct Fixture {
  mcp::FakeEngine engine;
  std::shared_ptr<McpEndpoint> endpoint = made({.max_sessions = 3, .answer_at_once = 0ms});
  bool gone = false;

  std::shared_ptr<McpEndpoint> made(const McpEndpointOptions& options) {
    return McpEndpoint::make(std::make_shared<const mcp::Server>(mcp::Server{engine}), options);
  }
  HttpResponse send(const std::string& method, std::map<std::string, std::string> headers,
                    const std::string& body = "") const {
    HttpRequest request{method, "/mcp", std::move(headers), body};
    return endpoint->handle(request, [this] { return gone; });
  }
  static std::string text(const std::string& method, Json params) {
    return dump_json({{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", std::move(params)}});
  }

  static std::map<std::string, std::string> plain() { return {{"content-type", "application/json"}}; }
  static std::map<std::string, std::string> modern_headers(const std::string& method, const std::string& name = "") {
    auto headers = plain();
    headers["mcp-protocol-version"] = "2026-07-28";
    headers["mcp-method"] = method;
    if (!name.empty()) headers["mcp-name"] = name;
    return headers;
  }
  static Json modern_params(Json params = Json::object()) {
    params["_meta"] = {{mcp::modern::meta_key("protocolVersion"), "2026-07-28"},
                       {mcp::modern::meta_key("clientCapabilities"), Json::object()}};
    return params;
  }
  HttpResponse modern(const std::string& method) const {
    return send("POST", modern_headers(method), text(method, modern_params()));
  }
  HttpResponse modern_call() const {
    return send("POST", modern_headers("tools/call", "echo"), text("tools/call", modern_params({{"name", "echo"}})));
  }

  std::string open_session() const {
    const auto response = send(
        "POST", plain(), text("initialize", {{"protocolVersion", "2025-11-25"}, {"capabilities", Json::object()}}));
    REQUIRE(response.status == 200);
    REQUIRE(response.headers.size() == 1);
    CHECK(response.headers[0].first == "Mcp-Session-Id");
    return response.headers[0].second;
  }
  static std::map<std::string, std::string> in(const std::string& session, const char* version = "2025-11-25") {
    auto headers = plain();
    headers["mcp-session-id"] = session;
    headers["mcp-protocol-version"] = version;
    return headers;
  }
};

std::string read(EventSource& events) {
  std::string out;
  while (events.next(out, 0ms) == EventSource::State::open && out.empty()) continue;
  return out;
}

}  // namespace

TEST_CASE_METHOD(Fixture, "a modern request stands alone; the status fits its error") {
  CHECK(modern("tools/list").status == 200);
  CHECK(modern("server/discover").status == 200);
  CHECK(modern("ping").status == 404);
  CHECK(send("POST", modern_headers("tools/list"), text("tools/list", Json::object())).status == 400);
  CHECK(send("POST", modern_headers("tools/call"), text("tools/list", modern_params())).status == 400);
  auto other = modern_headers("tools/list");
  other["mcp-session-id"] = "ignored";
  CHECK(send("POST", other, text("tools/list", modern_params())).status == 200);
}

TEST_CASE_METHOD(Fixture, "a modern version that differs in header and body is a mismatch before it is unsupported") {
  Json params = modern_params();
  const auto key = mcp::modern::meta_key("protocolVersion");
  const auto code = [](const HttpResponse& response) { return parse_json(response.body).value()["error"]["code"]; };
  params["_meta"][key] = "v999.0.0";
  CHECK(code(send("POST", modern_headers("tools/list"), text("tools/list", params))) == -32020);
  auto agreeing = modern_headers("tools/list");
  agreeing["mcp-protocol-version"] = "v999.0.0";
  const auto response = send("POST", agreeing, text("tools/list", params));
  CHECK(code(response) == -32022);
  CHECK(response.status == 400);
}

TEST_CASE_METHOD(Fixture, "a call that is answered soon is one body, a longer one a stream; its loss is a cancel") {
  const auto impatient = std::exchange(endpoint, made({.answer_at_once = 10min}));
  std::thread answering([&] {
    while (engine.last_waiter() == 0) std::this_thread::yield();
    engine.answer(1, "done");
  });
  const auto soon = modern_call();
  answering.join();
  endpoint = impatient;
  CHECK(soon.events == nullptr);
  CHECK(parse_json(soon.body).value()["result"]["content"][0]["text"] == "done");

  const auto later = modern_call();
  REQUIRE(later.events != nullptr);
  engine.answer(2, "late");
  CHECK(read(*later.events).find("late") != std::string::npos);
  later.events->closed(false);
  CHECK(engine.cancelled().empty());

  const auto lost = modern_call();
  REQUIRE(lost.events != nullptr);
  lost.events->closed(true);
  CHECK(engine.cancelled() == std::vector<engine::WaiterId>{3});
}

TEST_CASE_METHOD(Fixture, "a client that takes no events waits for the body; gone, its modern call is cancelled") {
  auto headers = modern_headers("tools/call", "echo");
  headers["accept"] = "application/json";
  gone = true;
  send("POST", headers, text("tools/call", modern_params({{"name", "echo"}})));
  CHECK(engine.cancelled() == std::vector<engine::WaiterId>{1});
}

TEST_CASE_METHOD(Fixture, "a session is opened, named, ended") {
  const std::string session = open_session();
  CHECK(session.size() == 32);
  CHECK(session != open_session());
  const std::string list = text("tools/list", Json::object());
  CHECK(send("POST", in(session), list).status == 200);
  CHECK(send("POST", plain(), list).status == 400);
  const auto unknown = send("POST", in("unknown"), list);
  CHECK(unknown.status == 404);
  CHECK(parse_json(unknown.body).value()["id"] == 1);
  CHECK(send("POST", in(session, "1999-01-01"), list).status == 400);
  auto unversioned = in(session);
  unversioned.erase("mcp-protocol-version");
  CHECK(send("POST", unversioned, list).status == 200);
  const auto told = send("POST", in(session), R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  CHECK(told.status == 202);
  CHECK(told.body.empty());
  CHECK(send("DELETE", in(session)).status == 204);
  CHECK(send("POST", in(session), list).status == 404);
  CHECK(send("DELETE", in(session)).status == 404);
}

TEST_CASE_METHOD(Fixture, "past the most sessions the one unused for longest is ended") {
  const std::string first = open_session(), second = open_session();
  open_session();
  CHECK(send("POST", in(first), text("ping", Json::object())).status == 200);
  open_session();
  CHECK(endpoint->sessions() == 3);
  CHECK(send("POST", in(first), text("ping", Json::object())).status == 200);
  CHECK(send("POST", in(second), text("ping", Json::object())).status == 404);
}

TEST_CASE_METHOD(Fixture, "a session that somebody waits for is never the one that goes") {
  const std::string reading = open_session(), calling = open_session();
  const auto stream = send("GET", in(reading));
  REQUIRE(stream.events != nullptr);
  CHECK(stream.is_idle);
  const auto call = send("POST", in(calling), text("tools/call", {{"name", "echo"}}));
  const std::string idle = open_session();
  open_session();
  CHECK(send("POST", in(reading), text("ping", Json::object())).status == 200);
  CHECK(send("POST", in(calling), text("ping", Json::object())).status == 200);
  CHECK(send("POST", in(idle), text("ping", Json::object())).status == 404);
}

TEST_CASE_METHOD(Fixture, "when every session is in use there is no other") {
  std::vector<HttpResponse> streams;
  for (int i = 0; i < 3; ++i) streams.push_back(send("GET", in(open_session())));
  const auto refused =
      send("POST", plain(), text("initialize", {{"protocolVersion", "2025-11-25"}, {"capabilities", Json::object()}}));
  CHECK(refused.status == 503);
  streams[0].events->closed(true);
  open_session();
}

TEST_CASE_METHOD(Fixture, "who takes no events can neither listen nor be asked, and holds no thread for it") {
  auto headers = modern_headers("subscriptions/listen");
  headers["accept"] = "application/json";
  CHECK(
      send("POST", headers, text("subscriptions/listen", modern_params({{"notifications", Json::object()}}))).status ==
      406);
  const auto opened = send(
      "POST", plain(),
      text("initialize", {{"protocolVersion", "2025-11-25"}, {"capabilities", {{"elicitation", Json::object()}}}}));
  auto session = in(opened.headers[0].second);
  session["accept"] = "application/json";
  std::thread asking([&] {
    while (engine.last_waiter() == 0) std::this_thread::yield();
    engine::Answer answer;
    answer.ask.requests = {{"name", {{"method", "elicitation/create"}, {"params", Json::object()}}}};
    engine.submitted(1).sink->done(std::move(answer));
  });
  const auto response = send("POST", session, text("tools/call", {{"name", "echo"}}));
  asking.join();
  CHECK(response.body.find("client.no_stream") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "a legacy stream that is lost cancels nothing and is taken up again") {
  const std::string session = open_session();
  const auto first = send("POST", in(session), text("tools/call", {{"name", "echo"}}));
  REQUIRE(first.events != nullptr);
  const std::string primed = read(*first.events);
  REQUIRE(primed.rfind("id: ", 0) == 0);
  first.events->closed(true);
  CHECK(engine.cancelled().empty());
  engine.answer(1, "done");
  auto resume = in(session);
  resume["last-event-id"] = primed.substr(4, primed.find('\n') - 4);
  resume["accept"] = "text/event-stream";
  const auto again = send("GET", resume);
  REQUIRE(again.events != nullptr);
  CHECK(read(*again.events).find("done") != std::string::npos);
  for (const char* bad : {"", "x", "99-1", "1", "-1--1", "0-1", "0-9223372036854775807", "2-99"}) {
    resume["last-event-id"] = bad;
    CHECK(send("GET", resume).status == 404);
  }
}

TEST_CASE_METHOD(Fixture, "before 2025-11-25 there is no event that only names a place") {
  const std::string session = open_session();
  const auto response = send("POST", in(session, "2025-03-26"), text("tools/call", {{"name", "echo"}}));
  REQUIRE(response.events != nullptr);
  engine.answer(1, "done");
  CHECK(read(*response.events).find("retry") == std::string::npos);
}

TEST_CASE_METHOD(Fixture, "what is no request of MCP is refused with the right status") {
  CHECK(send("PUT", plain()).status == 405);
  CHECK(send("GET", {{"mcp-protocol-version", "2026-07-28"}}).status == 405);
  CHECK(send("GET", {{"accept", "application/json"}}).status == 406);
  CHECK(send("POST", {}, "{}").status == 415);
  CHECK(send("POST", {{"content-type", "text/plain"}}, "{}").status == 415);
  CHECK(send("POST", {{"content-type", "application/jsonx"}}, "{}").status == 415);
  CHECK(send("POST", {{"content-type", "Application/JSON ; charset=utf-8"}}, text("ping", Json::object())).status ==
        400);
  CHECK(send("POST", plain(), "{").status == 400);
  CHECK(send("POST", plain(), "[]").status == 400);
  auto picky = plain();
  picky["accept"] = "text/html";
  CHECK(send("POST", picky, text("ping", Json::object())).status == 406);
}

TEST_CASE_METHOD(Fixture, "at the end everything in flight is answered") {
  const auto alone = modern_call();
  const std::string session = open_session();
  const auto in_session = send("POST", in(session), text("tools/call", {{"name", "echo"}}));
  endpoint->stop(0ms);
  CHECK(read(*alone.events).find("server.stopping") != std::string::npos);
  std::string rest = read(*in_session.events);
  rest += read(*in_session.events);
  CHECK(rest.find("server.stopping") != std::string::npos);
  CHECK(engine.cancelled().size() == 2);
  CHECK(modern_call().status == 503);
}

TEST_CASE_METHOD(Fixture, "at the end all calls in flight have the time of one together") {
  constexpr int kCalls = 600;
  constexpr auto kWithin = 100ms;
  std::vector<HttpResponse> calls;
  for (int i = 0; i < kCalls; ++i) calls.push_back(modern_call());
  const auto began = std::chrono::steady_clock::now();
  endpoint->stop(kWithin);
  // One after the other they would take twice as long as this; together a three-hundredth of it.
  CHECK(std::chrono::steady_clock::now() - began < kCalls * kWithin / 2);
  CHECK(engine.cancelled().size() == kCalls);
}
