#include "protocol/jsonrpc/dispatcher.h"

#include <string>

#include "protocol/jsonrpc/binder.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::jsonrpc;

namespace {

struct SumParams {
  std::string name;
  std::optional<Json> options;
  std::optional<Id> token;
};
void read(Fields& fields, SumParams& out) {
  fields.required("name", out.name);
  fields.optional("options", out.options);
  fields.optional_object("_meta", [&](Fields& meta) { meta.optional("token", out.token); });
}

struct TokenParams {
  std::optional<Id> token;
};
void read(Fields& fields, TokenParams& out) { fields.required("token", out.token); }

struct Fixture {
  Dispatcher dispatcher;
  std::vector<SumParams> seen;
  std::vector<Json> noted;

  Fixture() {
    dispatcher.on_request("sum", bind<SumParams>([this](const Id&, SumParams params) -> Outcome {
                            seen.push_back(std::move(params));
                            return Json{{"ok", true}};
                          }));
    dispatcher.on_request("refuse", [](const Request&) -> Outcome {
      return ErrorObject{-32000, "refused", {{"why", "test"}}};
    });
    dispatcher.on_request("later", [](const Request&) -> Outcome { return Later{}; });
    dispatcher.on_notification("note", bind_notification<TokenParams>([this](const TokenParams& params) {
                                 noted.push_back(params.token->json());
                               }));
  }

  Json ask(const std::string& method, const std::string& params) {
    const auto answer =
        dispatcher.dispatch(R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":)" + params + "}");
    return answer ? parse_json(*answer).value() : Json();
  }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "a request is answered with its id by the handler of its method") {
  CHECK(ask("sum", R"({"name":"n"})") == Json{{"jsonrpc", "2.0"}, {"id", 1}, {"result", {{"ok", true}}}});
  CHECK(ask("refuse", "{}")["error"] == Json{{"code", -32000}, {"message", "refused"}, {"data", {{"why", "test"}}}});
}

TEST_CASE_METHOD(Fixture, "a handler that answers later sends nothing now") { CHECK(ask("later", "{}").is_null()); }

TEST_CASE_METHOD(Fixture, "an unknown method is -32601, an unknown notification nothing") {
  CHECK(ask("none", "{}")["error"]["code"] == kMethodNotFound);
  CHECK(ask(std::string(5000, 'x'), "{}")["error"]["message"].get<std::string>().size() < 200);
  CHECK_FALSE(dispatcher.dispatch(R"({"jsonrpc":"2.0","method":"none"})"));
  CHECK_FALSE(dispatcher.dispatch(R"({"jsonrpc":"2.0","method":"sum","params":{"name":"n"}})"));
  CHECK(seen.empty());
}

TEST_CASE_METHOD(Fixture, "typed parameters arrive; null is the same as absent, unknown keys are ignored") {
  ask("sum", R"({"name":"n","options":{"a":1},"_meta":{"token":5,"other":[]},"more":1})");
  ask("sum", R"({"name":"n","options":null,"_meta":null})");
  REQUIRE(seen.size() == 2);
  CHECK(seen[0].name == "n");
  CHECK(*seen[0].options == Json{{"a", 1}});
  CHECK(seen[0].token->json() == 5);
  CHECK_FALSE(seen[1].options.has_value());
  CHECK_FALSE(seen[1].token.has_value());
}

TEST_CASE_METHOD(Fixture, "a bad parameter is -32602 with the path of the field") {
  struct Case {
    const char *params, *path, *expected;
  };
  for (const Case& one :
       {Case{"{}", "/params/name", "present"}, Case{R"({"name":null})", "/params/name", "a string"},
        Case{R"({"name":4})", "/params/name", "a string"}, Case{"[1]", "/params", "an object"},
        Case{R"({"name":"n","options":[]})", "/params/options", "an object"},
        Case{R"({"name":"n","_meta":3})", "/params/_meta", "an object"},
        Case{R"({"name":"n","_meta":{"token":1.5}})", "/params/_meta/token", "a string or an integer"}}) {
    INFO(one.params);
    const Json error = ask("sum", one.params)["error"];
    CHECK(error["code"] == kInvalidParams);
    CHECK(error["data"] == Json{{"path", one.path}, {"expected", one.expected}});
    CHECK(error["message"].get<std::string>().find(one.path) != std::string::npos);
  }
  CHECK(seen.empty());
}

TEST_CASE_METHOD(Fixture, "the first bad field is the one that is reported") {
  CHECK(ask("sum", R"({"options":5,"_meta":5})")["error"]["data"]["path"] == "/params/name");
}

TEST_CASE_METHOD(Fixture, "a long bad value is shortened in the message") {
  const Json error = ask("sum", R"({"name":[")" + std::string(10'000, 'x') + R"("]})")["error"];
  CHECK(error["message"].get<std::string>().size() < 300);
}

TEST_CASE_METHOD(Fixture, "a notification with bad parameters is dropped") {
  CHECK_FALSE(dispatcher.dispatch(R"({"jsonrpc":"2.0","method":"note","params":{}})"));
  CHECK_FALSE(dispatcher.dispatch(R"({"jsonrpc":"2.0","method":"note","params":{"token":"t"}})"));
  REQUIRE(noted.size() == 1);
  CHECK(noted[0] == "t");
}
