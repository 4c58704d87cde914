#include "protocol/http/rpc_endpoint.h"

#include <atomic>
#include <future>
#include <thread>

#include "core/base/json.h"
#include "core/base/limits.h"
#include "protocol/jsonrpc/message.h"
#include "protocol/mcp/fake_engine.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::http;

namespace {

struct Fixture {
  mcp::FakeEngine engine{{mcp::declared_tool("echo"), mcp::declared_tool("other", false)}};
  HttpHandler handler = rpc_endpoint(engine);
  std::atomic<bool> is_gone{false};

  HttpResponse post(const std::string& body, const std::string& type = "application/json") {
    return handler({"POST", "/rpc", {{"content-type", type}}, body}, [this] { return is_gone.load(); });
  }
  Json ask(const std::string& body) { return parse_json(post(body).body).value(); }
  std::future<HttpResponse> start(const std::string& body) {
    return std::async(std::launch::async, [this, body] { return post(body); });
  }
  void wait_for_call() const {
    while (engine.last_waiter() == 0) std::this_thread::yield();
  }
  Json answered(const engine::Answer& answer) {
    auto response = start(R"({"jsonrpc":"2.0","id":"x","method":"echo","params":{"text":"t"}})");
    wait_for_call();
    engine.submitted(1).sink->done(answer);
    const HttpResponse got = response.get();
    CHECK(got.status == 200);
    return parse_json(got.body).value();
  }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "a method is a tool, its params the arguments, its result the structured answer") {
  engine::Answer answer;
  answer.structured = {{"status", "ok"}, {"total_rows", 3}};
  answer.text = "not sent";
  CHECK(answered(answer) == Json{{"jsonrpc", "2.0"}, {"id", "x"}, {"result", {{"status", "ok"}, {"total_rows", 3}}}});
  CHECK(engine.submitted(1).request.tool == "echo");
  CHECK(engine.submitted(1).request.arguments == Json{{"text", "t"}});
  CHECK_FALSE(engine.submitted(1).request.want_progress);
}

TEST_CASE_METHOD(Fixture, "a tool's failure is an error that says what to do") {
  engine::Answer answer;
  SECTION("of the caller") {
    answer.error = Error{ErrorKind::usage, "test.usage", "It is off.", "Mend it.", "/limit"};
    const Json error = answered(answer)["error"];
    CHECK(error["code"] == jsonrpc::kInvalidParams);
    CHECK(error["message"] == "It is off.");
    CHECK(error["data"] == Json{{"code", "test.usage"}, {"kind", "usage"}, {"hint", "Mend it."}, {"where", "/limit"}});
  }
  SECTION("of the profile") {
    answer.error = Error{ErrorKind::not_found, "test.none", "It is not there.", "", ""};
    const Json error = answered(answer)["error"];
    CHECK(error["code"] == -32000);
    CHECK(error["data"] == Json{{"code", "test.none"}, {"kind", "not_found"}});
  }
  SECTION("of a tool that asks the client") {
    answer.ask.requests = {{"key", {{"method", "elicitation/create"}}}};
    CHECK(answered(answer)["error"]["data"]["code"] == "client.capability");
  }
}

TEST_CASE_METHOD(Fixture, "a call whose peer goes away is cancelled") {
  auto response = start(R"({"jsonrpc":"2.0","id":1,"method":"echo"})");
  wait_for_call();
  CHECK(engine.cancelled().empty());
  is_gone = true;
  CHECK(response.get().status == 499);
  CHECK(engine.cancelled() == std::vector<engine::WaiterId>{1});
  engine.answer(1, "too late");
}

TEST_CASE_METHOD(Fixture, "the method tools lists all tools with what they do") {
  const Json tools = ask(R"({"jsonrpc":"2.0","id":1,"method":"tools"})")["result"]["tools"];
  CHECK(tools == Json{{{"name", "echo"}, {"description", "A description."}},
                      {{"name", "other"}, {"description", "A description."}}});
}

TEST_CASE_METHOD(Fixture, "an unknown method is told with its neighbours") {
  const Json error = ask(R"({"jsonrpc":"2.0","id":1,"method":"ecko"})")["error"];
  CHECK(error["code"] == jsonrpc::kMethodNotFound);
  CHECK(error["data"]["nearest"] == Json{"echo"});
  CHECK(engine.last_waiter() == 0);
}

TEST_CASE_METHOD(Fixture, "arguments are an object") {
  CHECK(ask(R"({"jsonrpc":"2.0","id":1,"method":"echo","params":[1]})")["error"]["code"] == jsonrpc::kInvalidParams);
}

TEST_CASE_METHOD(Fixture, "a notification is taken and nothing is called") {
  const HttpResponse response = post(R"({"jsonrpc":"2.0","method":"echo"})");
  CHECK(response.status == 202);
  CHECK(response.body.empty());
  CHECK(engine.last_waiter() == 0);
}

TEST_CASE_METHOD(Fixture, "what is no request is refused: batches, bad UTF-8, deep JSON, no JSON") {
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  struct Case {
    std::string body;
    int code;
  };
  for (const Case& one :
       {Case{"", jsonrpc::kParseError}, Case{"{", jsonrpc::kParseError}, Case{"[]", jsonrpc::kInvalidRequest},
        Case{R"([{"jsonrpc":"2.0","id":1,"method":"tools"}])", jsonrpc::kInvalidRequest},
        Case{R"({"jsonrpc":"1.0","id":1,"method":"tools"})", jsonrpc::kInvalidRequest},
        Case{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\xfe\"}", jsonrpc::kParseError},
        Case{"{\"jsonrpc\":\"2.0\",\"id\":\"\xed\xa0\x80\",\"method\":\"tools\"}", jsonrpc::kParseError},
        Case{deep, jsonrpc::kInvalidRequest},
        Case{R"({"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":)" + deep + "}}", jsonrpc::kInvalidRequest}}) {
    INFO(one.body.substr(0, 80));
    const HttpResponse response = post(one.body);
    CHECK(response.status == 400);
    CHECK(parse_json(response.body).value()["error"]["code"] == one.code);
  }
  CHECK(engine.last_waiter() == 0);
}

TEST_CASE_METHOD(Fixture, "only JSON by POST is taken: what a page may send without asking is not") {
  const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"tools"})";
  CHECK(post(ping, "application/json; charset=utf-8").status == 200);
  CHECK(post(ping, "text/plain").status == 415);
  CHECK(post(ping, "application/x-www-form-urlencoded").status == 415);
  CHECK(handler({"POST", "/rpc", {}, ping}, [] { return false; }).status == 415);
  const HttpResponse got = handler({"GET", "/rpc", {}, ""}, [] { return false; });
  CHECK(got.status == 405);
  CHECK(got.headers.front() == std::pair<std::string, std::string>("Allow", "POST"));
}
