// The legacy era: what a handshake settles, and questions that are requests.
#include <string>

#include "protocol/mcp/connection_fixture_test.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::mcp;
using namespace std::chrono_literals;

namespace {

const Json kElicitation = {{"elicitation", Json::object()}};

struct Initialized : ConnectionFixture {
  Initialized() { initialize(kElicitation); }

  void call(const Json& id) { request(id, "tools/call", {{"name", "echo"}}); }
  void respond(const Json& id, const Json& result) { send({{"jsonrpc", "2.0"}, {"id", id}, {"result", result}}); }
  std::string text_of(const Json& message) const { return message["result"]["content"][0]["text"]; }
};

engine::ClientAsk two_questions() {
  const Json question = {{"method", "elicitation/create"}, {"params", {{"message", "What?"}}}};
  return {{{"a", question}, {"b", question}}, "kept"};
}

}  // namespace

TEST_CASE_METHOD(Initialized, "questions become requests; with the last answer the call begins again") {
  call(7);
  answer_with(1, two_questions());
  const Json first = outlet->next(), second = outlet->next();
  CHECK(first["method"] == "elicitation/create");
  CHECK(first["params"]["message"] == "What?");
  CHECK(first["id"] != second["id"]);
  respond(first["id"], {{"action", "accept"}});
  CHECK(engine.last_waiter() == 1);
  respond(first["id"], {{"action", "twice"}});  // an answer that nobody waits for
  respond(second["id"], {{"action", "decline"}});
  REQUIRE(engine.last_waiter() == 2);
  const auto again = engine.submitted(2).request;
  CHECK(again.client.responses == Json{{"a", {{"action", "accept"}}}, {"b", {{"action", "decline"}}}});
  CHECK(again.client.state == "kept");
  CHECK(again.client.capabilities == kElicitation);
  engine.answer(2, "done");
  const Json answer = outlet->next();
  CHECK(answer["id"] == 7);
  CHECK(text_of(answer) == "done");
}

TEST_CASE_METHOD(Initialized, "a client that refuses to answer gets the call's failure") {
  call(7);
  answer_with(1, two_questions());
  const Json question = outlet->next();
  outlet->next();
  send({{"jsonrpc", "2.0"}, {"id", question["id"]}, {"error", {{"code", -1}, {"message", "User rejected"}}}});
  const Json answer = outlet->next();
  CHECK(answer["result"]["isError"] == true);
  CHECK(text_of(answer).find("User rejected") != std::string::npos);
  CHECK(engine.last_waiter() == 1);
}

TEST_CASE_METHOD(Initialized, "a call that is cancelled while it asks is over") {
  call(7);
  answer_with(1, two_questions());
  const Json first = outlet->next(), second = outlet->next();
  send({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", 7}}}});
  respond(first["id"], Json::object());
  respond(second["id"], Json::object());
  CHECK(engine.last_waiter() == 1);
  CHECK(outlet->next().is_null());
}

TEST_CASE_METHOD(ConnectionFixture, "what a client cannot be asked is a tool error that says so") {
  initialize();
  request(7, "tools/call", {{"name", "echo"}});
  answer_with(1, two_questions());
  const Json answer = outlet->next();
  CHECK(answer["result"]["isError"] == true);
  CHECK(answer["result"]["content"][0]["text"].get<std::string>().find("`elicitation`") != std::string::npos);
}

TEST_CASE_METHOD(Initialized, "a tool that asks for ever is ended") {
  call(7);
  engine::WaiterId waiter = 1;
  const Json question = {{"method", "elicitation/create"}, {"params", Json::object()}};
  Json message;
  for (; waiter < 100; ++waiter) {
    answer_with(waiter, {{{"a", question}}, ""});
    message = outlet->next();
    if (!message.contains("method")) break;
    respond(message["id"], Json::object());
  }
  CHECK(waiter < 100);
  CHECK(message["result"]["isError"] == true);
}

TEST_CASE_METHOD(Initialized, "log messages go by the connection's level") {
  call(1);
  const auto log = [&](engine::LogLevel level) { engine.submitted(1).sink->log({level, "", "text"}); };
  log(engine::LogLevel::info);
  CHECK(outlet->next()["params"] == Json{{"level", "info"}, {"data", "text"}});
  CHECK(ask("logging/setLevel", {{"level", "error"}})["result"] == Json::object());
  log(engine::LogLevel::warning);
  CHECK(outlet->next().is_null());
  log(engine::LogLevel::alert);
  CHECK(outlet->next()["params"]["level"] == "alert");
  CHECK(ask("logging/setLevel", {{"level", "loud"}})["error"]["code"] == jsonrpc::kInvalidParams);
}

TEST_CASE_METHOD(Initialized, "what names nothing cannot be subscribed to") {
  for (const char* uri : {"", "foo", "file:///etc/passwd", "test://none"}) {
    INFO(uri);
    CHECK(ask("resources/subscribe", {{"uri", uri}})["error"]["code"] == jsonrpc::kInvalidParams);
    CHECK(ask("resources/unsubscribe", {{"uri", uri}}).contains("result"));
  }
  CHECK(ask("resources/subscribe", {{"uri", "test://by-tool/" + std::string(3000, 'x')}}).contains("error"));
}

TEST_CASE_METHOD(Initialized, "a call whose session ends is told that, and not that the server stops") {
  call(7);
  connection->finish(0ms, Connection::Why::session_ended);
  CHECK(text_of(outlet->next()).rfind("session.ended", 0) == 0);
}

TEST_CASE_METHOD(Initialized, "changes are told to who subscribed, beside requests") {
  server->changes->tell({Change::Kind::resource, "test://a"});
  CHECK(unasked->next().is_null());
  ask("resources/subscribe", {{"uri", "test://a"}});
  server->changes->tell({Change::Kind::resource, "test://a"});
  CHECK(unasked->next()["params"]["uri"] == "test://a");
  ask("resources/unsubscribe", {{"uri", "test://a"}});
  server->changes->tell({Change::Kind::resource, "test://a"});
  CHECK(unasked->next().is_null());
  server->changes->tell({Change::Kind::tools, ""});
  CHECK(unasked->next()["method"] == "notifications/tools/list_changed");
}

TEST_CASE_METHOD(Initialized, "an address that names nothing has its own code in this era") {
  for (const char* uri : {"test://none", "other://none"}) {
    const Json error = ask("resources/read", {{"uri", uri}})["error"];
    CHECK(error["code"] == -32002);
    CHECK(error["data"]["uri"] == uri);
    CHECK(ask_modern("resources/read", {{"uri", uri}})["error"]["code"] == jsonrpc::kInvalidParams);
  }
  CHECK(ask("resources/read")["error"]["code"] == jsonrpc::kInvalidParams);
}
