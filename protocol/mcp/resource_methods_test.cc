// Resources, prompts and completion, as catalogs give them.
#include "protocol/mcp/resource_methods.h"

#include <string>

#include "protocol/mcp/connection_fixture_test.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::mcp;

TEST_CASE_METHOD(ConnectionFixture, "lists are sorted and leave out what is empty") {
  const Json resources = ask_modern("resources/list")["result"]["resources"];
  CHECK(resources == Json::array({{{"uri", "test://a"}, {"name", "a"}},
                                  {{"uri", "test://b"},
                                   {"name", "b"},
                                   {"description", "The second."},
                                   {"mimeType", "text/plain"},
                                   {"size", 2}}}));
  const Json templates = ask_modern("resources/templates/list")["result"]["resourceTemplates"];
  CHECK(templates[0]["uriTemplate"] == "test://by-tool/{id}");
  const Json prompts = ask_modern("prompts/list")["result"]["prompts"];
  CHECK(prompts[1]["name"] == "greet");
  CHECK(prompts[1]["arguments"] ==
        Json::array({{{"name", "whom"}, {"description", "Whose name."}, {"required", true}}}));
  CHECK_FALSE(prompts[0].contains("arguments"));
}

TEST_CASE_METHOD(ConnectionFixture, "a resource is text or a blob") {
  CHECK(ask_modern("resources/read", {{"uri", "test://a"}})["result"]["contents"] ==
        Json::array({{{"uri", "test://a"}, {"mimeType", "text/plain"}, {"text", "contents of a"}}}));
  CHECK(ask_modern("resources/read", {{"uri", "test://blob"}})["result"]["contents"][0]["blob"] == "AAAA");
  CHECK(ask_modern("resources/read", {{"uri", "test://a"}})["result"]["cacheScope"] == "private");
}

TEST_CASE_METHOD(ConnectionFixture, "a resource behind a tool is a call of it: progress, cancel and failure included") {
  Json with_token = meta();
  with_token["progressToken"] = "t";
  request(1, "resources/read", {{"uri", "test://by-tool/7"}, {"_meta", with_token}});
  CHECK(engine.submitted(1).request.want_progress);
  engine.submitted(1).sink->progress({1, 2, "reading"});
  CHECK(outlet->next()["params"]["progressToken"] == "t");
  engine.answer(1, "rows");
  CHECK(outlet->next()["result"]["contents"][0]["text"] == "rows");

  const auto fails_with = [&](const Error& error) {
    request(2, "resources/read", {{"uri", "test://by-tool/7"}, {"_meta", meta()}});
    engine::Answer failed;
    failed.error = error;
    engine.submitted(engine.last_waiter()).sink->done(failed);
    return outlet->next()["error"]["data"];
  };
  CHECK(fails_with({ErrorKind::io, "io.read", "It cannot be read.", "", ""}) == Json{{"code", "io.read"}});
  CHECK(fails_with({ErrorKind::not_found, "profile.unknown", "No such profile.", "", ""}) ==
        Json{{"uri", "test://by-tool/7"}});

  request(3, "resources/read", {{"uri", "test://by-tool/7"}, {"_meta", meta()}});
  send({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", 3}}}});
  CHECK(engine.cancelled() == std::vector<engine::WaiterId>{4});
}

TEST_CASE_METHOD(ConnectionFixture, "a prompt wants its required arguments, as texts") {
  const auto get = [&](Json arguments) {
    return ask_modern("prompts/get", {{"name", "greet"}, {"arguments", std::move(arguments)}});
  };
  CHECK(get({{"whom", "Ada"}})["result"]["messages"][0]["content"]["text"] == "Hello, Ada");
  CHECK(get(Json::object())["error"]["data"]["path"] == "/params/arguments/whom");
  CHECK(get({{"whom", 5}})["error"]["code"] == jsonrpc::kInvalidParams);
  CHECK(ask_modern("prompts/get", {{"name", "none"}})["error"]["code"] == jsonrpc::kInvalidParams);
}

TEST_CASE_METHOD(ConnectionFixture, "a prompt may ask the client first") {
  const Json capable = meta({{"elicitation", Json::object()}});
  const Json asked = ask_modern("prompts/get", {{"name", "ask"}, {"_meta", capable}})["result"];
  CHECK(asked["resultType"] == "input_required");
  CHECK_FALSE(asked.contains("requestState"));
  const Json answered = ask_modern(
      "prompts/get", {{"name", "ask"}, {"_meta", capable}, {"inputResponses", {{"who", {{"action", "accept"}}}}}});
  CHECK(answered["result"]["messages"].size() == 1);
}

TEST_CASE_METHOD(ConnectionFixture, "completion shows a hundred and says how many there are") {
  const auto complete_of = [&](const char* name) {
    return ask_modern("completion/complete", {{"ref", {{"type", "ref/prompt"}, {"name", name}}},
                                              {"argument", {{"name", "whom"}, {"value", "x"}}}})["result"];
  };
  const Json completion = complete_of("greet")["completion"];
  CHECK(completion["values"].size() == 100);
  CHECK(completion["values"][0] == "x0");
  CHECK(completion["total"] == 150);
  CHECK(completion["hasMore"] == true);
  CHECK(complete_of("none")["completion"] == Json{{"values", Json::array()}, {"total", 0}, {"hasMore", false}});
  CHECK(ask_modern("completion/complete", {{"ref", {{"type", "ref/other"}, {"name", "x"}}},
                                           {"argument", {{"name", "a"}, {"value", ""}}}})["error"]["data"]["path"] ==
        "/params/ref/type");
}
