#include "protocol/mcp/session.h"

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "protocol/mcp/fake_engine.h"
#include "protocol/mcp/identity.h"
#include "protocol/transport/memory.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::mcp;
using namespace std::chrono_literals;

namespace {

struct Fixture {
  FakeEngine engine;
  transport::Memory wire;
  Session session{std::make_shared<const Server>(Server{engine}), wire};

  void send(const Json& message) { session.message(dump_json(message)); }
  void request(const Json& id, const std::string& method, Json params = Json::object()) {
    send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
  }
  void initialize(const std::string& version = "2025-11-25") {
    request("init", "initialize", {{"protocolVersion", version}, {"capabilities", Json::object()}});
  }
  void call(const Json& id, Json meta = Json::object()) {
    request(id, "tools/call", {{"name", "echo"}, {"arguments", {{"text", "hi"}}}, {"_meta", std::move(meta)}});
  }
  void cancel(const Json& id) {
    send({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", id}}}});
  }
  Json next() {
    const auto text = wire.take(0ms);
    return text ? parse_json(*text).value() : Json();
  }
};

struct Initialized : Fixture {
  Initialized() {
    initialize();
    next();
  }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "initialize gives a spoken version back, else the newest, and exactly what works") {
  for (const char* version : {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}) {
    initialize(version);
    CHECK(next()["result"]["protocolVersion"] == version);
  }
  for (const char* version : {"2026-07-28", "2024-10-07", "1.0", ""}) {
    initialize(version);
    CHECK(next()["result"]["protocolVersion"] == "2025-11-25");
  }
  initialize();
  const Json result = next()["result"];
  CHECK(result["capabilities"] == Json{{"logging", Json::object()}, {"tools", Json::object()}});
  CHECK(result["serverInfo"]["name"] == "stepwise");
  CHECK_FALSE(result["serverInfo"]["version"].get<std::string>().empty());
}

TEST_CASE("the instructions are short and command nothing") {
  size_t words = 1;
  for (const char c : instructions()) words += c == ' ';
  CHECK(words <= 120);
  CHECK(instructions().find("MUST") == std::string_view::npos);
}

TEST_CASE_METHOD(Fixture,
                 "before initialize there is ping and nothing else; unknown methods are unknown all the same") {
  request(1, "ping");
  CHECK(next() == Json{{"jsonrpc", "2.0"}, {"id", 1}, {"result", Json::object()}});
  request(2, "tools/list");
  CHECK(next()["error"]["code"] == jsonrpc::kInvalidRequest);
  call(3);
  CHECK(next()["error"]["code"] == jsonrpc::kInvalidRequest);
  request(4, "tasks/list");
  CHECK(next()["error"]["code"] == jsonrpc::kMethodNotFound);
  CHECK(engine.last_waiter() == 0);
}

TEST_CASE_METHOD(Initialized, "a call becomes a request to the engine, its answer text and structure") {
  call(5);
  CHECK(next().is_null());
  const auto submitted = engine.submitted(1);
  CHECK(submitted.request.tool == "echo");
  CHECK(submitted.request.arguments == Json{{"text", "hi"}});
  CHECK(submitted.request.answer_running);
  CHECK(submitted.request.cap_text);
  CHECK_FALSE(submitted.request.want_progress);
  engine.answer(1, "done");
  CHECK(next() == Json{{"jsonrpc", "2.0"},
                       {"id", 5},
                       {"result",
                        {{"content", Json::array({{{"type", "text"}, {"text", "done"}}})},
                         {"structuredContent", {{"status", "ok"}, {"said", "done"}}}}}});
}

TEST_CASE_METHOD(Initialized, "absent and null arguments are an empty object") {
  request(1, "tools/call", {{"name", "echo"}});
  request(2, "tools/call", {{"name", "echo"}, {"arguments", nullptr}});
  CHECK(engine.submitted(1).request.arguments == Json::object());
  CHECK(engine.submitted(2).request.arguments == Json::object());
}

TEST_CASE_METHOD(Initialized, "an engine error is a result that says what to do, without a structure") {
  call(5);
  engine::Answer answer;
  answer.error =
      Error{ErrorKind::not_found, "profile.unknown", "No profile `p9` is open.", "Call open_profile.", "/profile"};
  engine.submitted(1).sink->done(answer);
  const Json result = next()["result"];
  CHECK(result["isError"] == true);
  CHECK_FALSE(result.contains("structuredContent"));
  CHECK(result["content"][0]["text"] == "profile.unknown: No profile `p9` is open. (at /profile) Call open_profile.");
}

TEST_CASE_METHOD(Initialized, "an unknown tool is -32602 and names the nearest") {
  request(1, "tools/call", {{"name", "ecko"}});
  const Json error = next()["error"];
  CHECK(error["code"] == jsonrpc::kInvalidParams);
  CHECK(error["data"] == Json{{"tool", "ecko"}, {"nearest", {"echo"}}});
  CHECK(error["message"] == "Unknown tool: ecko. Nearest: echo.");
  request(2, "tools/call", {{"name", std::string(10'000, 'q')}});
  CHECK(dump_json(next()).size() < 500);
}

TEST_CASE_METHOD(Initialized, "a malformed call is -32602 with the path") {
  request(1, "tools/call");
  CHECK(next()["error"]["data"]["path"] == "/params/name");
  request(2, "tools/call", {{"name", "echo"}, {"arguments", "text"}});
  CHECK(next()["error"]["data"]["path"] == "/params/arguments");
  request(3, "tools/call", {{"name", "echo"}, {"_meta", {{"progressToken", true}}}});
  CHECK(next()["error"]["data"]["path"] == "/params/_meta/progressToken");
}

TEST_CASE_METHOD(Initialized, "tools/list has one page: an empty cursor is its beginning, any other is bad") {
  request(1, "tools/list");
  CHECK(next()["result"]["tools"].size() == 1);
  request(2, "tools/list", {{"cursor", ""}});
  CHECK(next()["result"]["tools"].size() == 1);
  request(3, "tools/list", {{"cursor", "page2"}});
  CHECK(next()["error"]["code"] == jsonrpc::kInvalidParams);
  request(4, "tools/list", {{"cursor", 2}});
  CHECK(next()["error"]["code"] == jsonrpc::kInvalidParams);
}

TEST_CASE_METHOD(Initialized, "after a cancel the engine is told and nothing is sent") {
  call(5, {{"progressToken", "t"}});
  cancel(5);
  CHECK(engine.cancelled() == std::vector<engine::WaiterId>{1});
  engine.submitted(1).sink->progress({1, 2, "reading"});
  engine.answer(1, "too late");
  CHECK(next().is_null());
  cancel(5);
  CHECK(engine.cancelled().size() == 1);
}

TEST_CASE_METHOD(Initialized, "a cancelled call's late answer does not answer a new call with the same id") {
  call(5);
  cancel(5);
  call(5);
  engine.answer(1, "old");
  CHECK(next().is_null());
  engine.answer(2, "new");
  CHECK(next()["result"]["content"][0]["text"] == "new");
}

TEST_CASE_METHOD(Initialized, "cancelling what is unknown, answered or malformed is ignored") {
  call("5");
  cancel(5);  // the id is the string
  cancel("init");
  send({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}});
  send({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", nullptr}}}});
  CHECK(engine.cancelled().empty());
  engine.answer(1, "done");
  CHECK(next()["id"] == "5");
}

TEST_CASE_METHOD(Initialized, "an id in flight cannot be used again, an answered one can") {
  call(5);
  call(5);
  const Json refused = next();
  CHECK(refused["id"] == 5);
  CHECK(refused["error"]["code"] == jsonrpc::kInvalidRequest);
  call("5");
  CHECK(next().is_null());
  engine.answer(1, "done");
  CHECK(next()["result"]["content"][0]["text"] == "done");
  call(5);
  CHECK(next().is_null());
}

TEST_CASE_METHOD(Initialized, "a call more than a connection may have in flight gets a busy tool error") {
  for (int id = 0; id < limits::kMaxCallsPerConnection; ++id) call(id);
  CHECK(next().is_null());
  call("one more");
  const Json result = next()["result"];
  CHECK(result["isError"] == true);
  CHECK(result["content"][0]["text"].get<std::string>().rfind("server.busy: ", 0) == 0);
  request("p", "ping");
  CHECK(next()["id"] == "p");
  engine.answer(1, "done");
  CHECK(next()["id"] == 0);
  call("again");
  CHECK(next().is_null());
  CHECK(engine.last_waiter() == limits::kMaxCallsPerConnection + 1);
}

TEST_CASE_METHOD(Initialized, "progress goes to those who gave a token, which keeps its type") {
  call(1);
  call(2, {{"progressToken", 7}});
  call(3, {{"progressToken", "seven"}});
  CHECK_FALSE(engine.submitted(1).request.want_progress);
  CHECK(engine.submitted(2).request.want_progress);
  engine.submitted(1).sink->progress({1, 4, "reading"});
  CHECK(next().is_null());
  engine.submitted(2).sink->progress({1, 4, "reading"});
  CHECK(next() == Json{{"jsonrpc", "2.0"},
                       {"method", "notifications/progress"},
                       {"params", {{"progressToken", 7}, {"progress", 1}, {"total", 4}, {"message", "reading"}}}});
  engine.submitted(3).sink->progress({1, 0, ""});
  CHECK(next()["params"] == Json{{"progressToken", "seven"}, {"progress", 1}});
}

TEST_CASE_METHOD(Initialized, "at the end calls in flight are answered: server.stopping, and the engine is told") {
  call(1);
  call(2);
  engine.answer(1, "in time");
  CHECK(next()["id"] == 1);
  session.finish(0ms);
  CHECK(engine.cancelled() == std::vector<engine::WaiterId>{2});
  const Json answer = next();
  CHECK(answer["id"] == 2);
  CHECK(answer["result"]["isError"] == true);
  CHECK(answer["result"]["content"][0]["text"].get<std::string>().rfind("server.stopping: ", 0) == 0);
  engine.answer(2, "too late");
  CHECK(next().is_null());
}

TEST_CASE_METHOD(Initialized, "finish waits for the last answer") {
  call(1);
  std::thread answering([&] { engine.answer(1, "done"); });
  session.finish(std::chrono::minutes(5));
  answering.join();
  CHECK(next()["result"]["content"][0]["text"] == "done");
  CHECK(engine.cancelled().empty());
}

TEST_CASE("a sink may speak after its session and transport are gone, finished or not") {
  const bool finished = GENERATE(true, false);
  FakeEngine engine;
  {
    transport::Memory wire;
    Session session(std::make_shared<const Server>(Server{engine}), wire);
    session.message(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})");
    session.message(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo"}})");
    if (finished) session.finish(0ms);
  }
  CHECK(engine.cancelled() == std::vector<engine::WaiterId>{1});
  engine.submitted(1).sink->progress({1, 2, "x"});
  CHECK_NOTHROW(engine.answer(1, "to nobody"));
}

TEST_CASE_METHOD(Initialized, "a message that the framing lost is answered without an id") {
  session.lost({ErrorKind::limit, "transport.message_too_long", "the message is longer than 8 bytes.", "", ""});
  const Json answer = next();
  CHECK(answer["error"]["code"] == jsonrpc::kInvalidRequest);
  CHECK_FALSE(answer.contains("id"));
}

TEST_CASE_METHOD(Initialized, "answers, cancels and new calls may race: nobody is answered twice") {
  constexpr int kCalls = 600, kInFlight = 32;
  std::vector<int> answers(kCalls, 0);
  const auto count_answers = [&] {
    for (Json message = next(); !message.is_null(); message = next()) {
      if (message.contains("result")) ++answers.at(message["id"].get<int>());
    }
  };
  std::atomic<int> answered{0};
  std::thread answering([&] {
    for (engine::WaiterId waiter = 1; waiter <= kCalls; ++waiter) {
      while (engine.last_waiter() < waiter) std::this_thread::yield();
      engine.submitted(waiter).sink->progress({1, 2, "x"});
      engine.answer(waiter, "done");
      ++answered;
    }
  });
  for (int id = 0; id < kCalls; ++id) {
    while (answered < id - kInFlight) std::this_thread::yield();  // else the limit would keep some from the engine
    call(id, {{"progressToken", id}});
    if (id % 3 == 0) cancel(id);
    count_answers();
  }
  answering.join();
  count_answers();
  for (int id = 0; id < kCalls; ++id) {
    INFO(id);
    CHECK(answers[id] <= 1);
    if (id % 3 != 0) CHECK(answers[id] == 1);
  }
}
