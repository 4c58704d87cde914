// The modern era: requests that stand alone.
#include "protocol/mcp/modern.h"

#include <string>

#include "protocol/mcp/connection_fixture_test.h"
#include "protocol/mcp/profile_watch.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::mcp;
using namespace std::chrono_literals;

namespace {

const Json kElicitation = {{"elicitation", Json::object()}};

engine::ClientAsk name_question(std::string state) {
  return {{{"name", {{"method", "elicitation/create"}, {"params", {{"message", "Who?"}}}}}}, std::move(state)};
}

}  // namespace

TEST_CASE_METHOD(ConnectionFixture, "a request that carries its version needs no handshake") {
  const Json result = ask_modern("tools/list")["result"];
  CHECK(result["tools"].size() == 1);
  CHECK(result["resultType"] == "complete");
  CHECK(result["ttlMs"].get<int64_t>() > 0);
  CHECK(result["cacheScope"] == "public");
  CHECK(result["_meta"][modern::meta_key("serverInfo")]["name"] == "stepwise");
  CHECK(ask("tools/list")["error"]["code"] == jsonrpc::kInvalidRequest);  // the other era has not been initialized
}

TEST_CASE_METHOD(ConnectionFixture, "discover names what works, and what it names works") {
  const Json result = ask_modern("server/discover")["result"];
  CHECK(result["supportedVersions"] == Json::array({"2026-07-28"}));
  CHECK(result["capabilities"]["resources"]["subscribe"] == true);
  for (const char* method : {"tools/list", "resources/list", "resources/templates/list", "prompts/list"}) {
    INFO(method);
    CHECK(ask_modern(method).contains("result"));
  }
  CHECK(ask_modern("completion/complete", {{"ref", {{"type", "ref/prompt"}, {"name", "greet"}}},
                                           {"argument", {{"name", "whom"}, {"value", ""}}}})
            .contains("result"));
}

TEST_CASE_METHOD(ConnectionFixture, "methods of the other era and unknown ones are -32601") {
  for (const char* method : {"initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe",
                             "tasks/list", "unknown/method"}) {
    INFO(method);
    CHECK(ask_modern(method)["error"]["code"] == jsonrpc::kMethodNotFound);
    CHECK(outlet->error_code() == jsonrpc::kMethodNotFound);
  }
}

TEST_CASE_METHOD(ConnectionFixture, "what is missing in _meta is -32602, an unknown version -32022") {
  Json without = meta();
  without.erase(modern::meta_key("clientCapabilities"));
  CHECK(ask_modern("tools/list", {{"_meta", without}})["error"]["code"] == jsonrpc::kInvalidParams);
  Json bad_level = meta();
  bad_level[modern::meta_key("logLevel")] = "loud";
  CHECK(ask_modern("tools/list", {{"_meta", bad_level}})["error"]["code"] == jsonrpc::kInvalidParams);
  Json later = meta();
  later[modern::meta_key("protocolVersion")] = "2099-01-01";
  const Json error = ask_modern("tools/list", {{"_meta", later}})["error"];
  CHECK(error["code"] == modern::kUnsupportedVersion);
  CHECK(error["data"] == Json{{"supported", {"2026-07-28"}}, {"requested", "2099-01-01"}});
  later[modern::meta_key("protocolVersion")] = 5;
  CHECK(ask_modern("tools/list", {{"_meta", later}})["error"]["code"] == jsonrpc::kInvalidParams);
}

TEST_CASE_METHOD(ConnectionFixture, "a method of this era alone needs its _meta, on any connection") {
  for (const char* method : {"server/discover", "subscriptions/listen"}) {
    INFO(method);
    CHECK(ask(method)["error"]["code"] == jsonrpc::kInvalidParams);
    CHECK(ask(method, {{"_meta", Json::object()}})["error"]["code"] == jsonrpc::kInvalidParams);
  }
}

TEST_CASE_METHOD(ConnectionFixture, "questions are a result; answered with its state, the call begins again") {
  Json params = {{"name", "echo"}, {"arguments", {{"text", "hi"}}}, {"_meta", meta(kElicitation)}};
  request(1, "tools/call", params);
  CHECK(engine.submitted(1).request.client.capabilities == kElicitation);
  answer_with(1, name_question("round one"));
  const Json asked = outlet->next()["result"];
  CHECK(asked["resultType"] == "input_required");
  CHECK(asked["inputRequests"]["name"]["method"] == "elicitation/create");
  const auto sealed = asked["requestState"].get<std::string>();
  CHECK(sealed.find("round one") == std::string::npos);

  params["inputResponses"] = {{"name", {{"action", "accept"}}}};
  params["requestState"] = sealed;
  request(2, "tools/call", params);
  CHECK(engine.submitted(2).request.client.responses["name"]["action"] == "accept");
  CHECK(engine.submitted(2).request.client.state == "round one");
  engine.answer(2, "done");
  CHECK(outlet->next()["result"]["resultType"] == "complete");

  SECTION("a state that was touched, or belongs to another request, is refused") {
    std::string touched = sealed;
    touched[touched.size() / 2] = touched[touched.size() / 2] == 'A' ? 'B' : 'A';
    Json other = params;
    other["arguments"]["text"] = "something else";
    for (Json bad : {Json(touched), Json(""), Json("AAAA"), Json(sealed + "AAAA")}) {
      Json again = params;
      again["requestState"] = std::move(bad);
      CHECK(ask("tools/call", again)["error"]["code"] == jsonrpc::kInvalidParams);
    }
    CHECK(ask("tools/call", other)["error"]["code"] == jsonrpc::kInvalidParams);
    CHECK(engine.last_waiter() == 2);
  }
}

TEST_CASE_METHOD(ConnectionFixture, "only what the client declared is asked") {
  request(1, "tools/call", {{"name", "echo"}, {"_meta", meta()}});
  answer_with(1, name_question(""));
  const Json error = outlet->next()["error"];
  CHECK(error["code"] == modern::kMissingClientCapability);
  CHECK(error["data"]["requiredCapabilities"] == kElicitation);
  CHECK(outlet->error_code() == modern::kMissingClientCapability);

  request(2, "tools/call", {{"name", "echo"}, {"_meta", meta()}});
  engine::Answer needs;
  needs.error = Error{ErrorKind::usage, engine::kNeedsCapability, "It needs sampling.", "", "sampling"};
  engine.submitted(2).sink->done(needs);
  CHECK(outlet->next()["error"]["data"]["requiredCapabilities"] == Json{{"sampling", Json::object()}});
}

TEST_CASE_METHOD(ConnectionFixture, "log messages come only where the request wants them, from its level up") {
  Json loud = meta();
  loud[modern::meta_key("logLevel")] = "warning";
  request(1, "tools/call", {{"name", "echo"}, {"_meta", meta()}});
  request(2, "tools/call", {{"name", "echo"}, {"_meta", loud}});
  for (const engine::WaiterId waiter : {1, 2}) {
    engine.submitted(waiter).sink->log({engine::LogLevel::info, "tool", "quiet"});
    engine.submitted(waiter).sink->log({engine::LogLevel::error, "tool", "loud"});
  }
  const Json message = outlet->next();
  CHECK(message["params"] == Json{{"level", "error"}, {"logger", "tool"}, {"data", "loud"}});
  CHECK(outlet->next().is_null());
}

TEST_CASE_METHOD(ConnectionFixture, "a listener hears what it asked for, with its id, and the end") {
  request(
      "ear", "subscriptions/listen",
      {{"_meta", meta()}, {"notifications", {{"promptsListChanged", true}, {"resourceSubscriptions", {"test://a"}}}}});
  const Json acknowledged = outlet->next();
  CHECK(acknowledged["method"] == "notifications/subscriptions/acknowledged");
  CHECK(acknowledged["params"]["notifications"] ==
        Json{{"promptsListChanged", true}, {"resourceSubscriptions", {"test://a"}}});
  server->changes->tell({Change::Kind::tools, ""});
  server->changes->tell({Change::Kind::resource, "test://b"});
  CHECK(outlet->next().is_null());
  server->changes->tell({Change::Kind::prompts, ""});
  const Json heard = outlet->next();
  CHECK(heard["method"] == "notifications/prompts/list_changed");
  CHECK(heard["params"]["_meta"][modern::meta_key("subscriptionId")] == "ear");
  server->changes->tell({Change::Kind::resource, "test://a"});
  CHECK(outlet->next()["params"]["uri"] == "test://a");

  SECTION("the server stops") {
    connection->finish(0ms);
    const Json end = outlet->next();
    CHECK(end["id"] == "ear");
    CHECK(end["result"]["_meta"][modern::meta_key("subscriptionId")] == "ear");
  }
  SECTION("the client cancels") {
    send({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", "ear"}}}});
  }
  SECTION("the client goes away") { connection->abandon(); }
  CHECK(outlet->finished() <= 1);
  server->changes->tell({Change::Kind::prompts, ""});
  CHECK(outlet->next().is_null());
}

TEST_CASE_METHOD(ConnectionFixture,
                 "a profile that changed is told for each of its addresses that somebody subscribed to") {
  const ProfileWatch watch(engine, server->changes, 1h);
  request("ear", "subscriptions/listen",
          {{"_meta", meta()},
           {"notifications",
            {{"resourceSubscriptions",
              {"profile://p0000000a/summary", "profile://p0000000a/tables", "profile://p0000000b/summary"}}}}});
  outlet->next();
  CHECK(engine.looks == 1);  // what the files are from now on
  engine.changed = {"p0000000a"};
  watch.look();
  CHECK(outlet->next()["params"]["uri"] == "profile://p0000000a/summary");
  CHECK(outlet->next()["params"]["uri"] == "profile://p0000000a/tables");
  CHECK(outlet->next().is_null());
}

TEST_CASE_METHOD(ConnectionFixture,
                 "a listener keeps only addresses that something stands behind, and there are so many listeners") {
  const std::string long_one = "test://by-tool/" + std::string(3000, 'x');
  const auto listen = [&](const Json& id, const Json& uris) {
    request(id, "subscriptions/listen", {{"_meta", meta()}, {"notifications", {{"resourceSubscriptions", uris}}}});
    return outlet->next();
  };
  const Json kept = listen("ear", {"test://a", "", "file:///etc/passwd", "test://none", long_one, 5});
  CHECK(kept["params"]["notifications"]["resourceSubscriptions"] == Json::array({"test://a"}));
  for (int i = 1; i < limits::kMaxCallsPerConnection; ++i) listen(i, Json::array());
  CHECK(listen("one more", Json::array())["error"]["code"] == jsonrpc::kInvalidRequest);
  request("call", "tools/call", {{"name", "echo"}, {"_meta", meta()}});
  CHECK(outlet->next()["result"]["content"][0]["text"].get<std::string>().rfind("server.busy", 0) == 0);
}

TEST_CASE_METHOD(ConnectionFixture, "what a client wrote does not come back at any length") {
  const std::string huge(100'000, 'x');
  Json later = meta();
  later[modern::meta_key("protocolVersion")] = huge;
  CHECK(dump_json(ask_modern("tools/list", {{"_meta", later}})).size() < 1000);
  CHECK(dump_json(ask_modern("resources/read", {{"uri", "test://" + huge}})).size() < 1000);
  CHECK(dump_json(ask_modern("prompts/get", {{"name", huge}})).size() < 1000);
  request(1, "tools/call", {{"name", "echo"}, {"_meta", meta()}});
  engine::Answer answer;
  answer.error = Error{ErrorKind::not_found, "profile.missing", "It is not there.", "", huge};
  engine.submitted(1).sink->done(answer);
  CHECK(dump_json(outlet->next()).size() < 2000);
  request(huge, "ping", Json::object());
  const Json refused = outlet->next();
  CHECK(refused["error"]["code"] == jsonrpc::kInvalidRequest);
  CHECK_FALSE(refused.contains("id"));
}

TEST_CASE_METHOD(ConnectionFixture, "one connection speaks both eras, in any order") {
  CHECK(ask_modern("tools/list").contains("result"));
  initialize();
  CHECK_FALSE(ask("tools/list")["result"].contains("resultType"));
  CHECK(ask_modern("tools/list")["result"].contains("resultType"));
}

TEST_CASE("a request state expires") {
  auto now = 1000ms;
  const RequestStates states([&] { return now; });
  const std::string sealed = states.seal("state", "request");
  CHECK(states.open(sealed, "request").value() == "state");
  now += 29min;
  CHECK(states.open(sealed, "request").ok());
  now += 2min;
  CHECK(states.open(sealed, "request").error().code == "state.expired");
  CHECK(RequestStates([&] { return now; }).open(states.seal("state", "request"), "request").error().code ==
        "state.invalid");  // another process' key
}

TEST_CASE("what ships with the program may be kept by everybody, what is read of a profile by nobody") {
  for (const auto& [uri, scope] : {std::pair{"skill://analyze-training/SKILL.md", "public"},
                                   {"stepwise://metrics/step.wall_us", "public"},
                                   {"profile://p0123abcd/summary", "private"}}) {
    const Json result = modern::dressed({{"contents", {{{"uri", uri}, {"text", ""}}}}}, "resources/read");
    INFO(uri);
    CHECK(result["cacheScope"] == scope);
    CHECK((result["ttlMs"].get<int64_t>() > 0) == (result["cacheScope"] == "public"));
  }
}
