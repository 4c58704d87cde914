#include "protocol/jsonrpc/message.h"

#include <string>

#include "core/base/limits.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::jsonrpc;

namespace {

Refusal refused(std::string_view text) {
  const Incoming incoming = parse(text);
  REQUIRE(std::holds_alternative<Refusal>(incoming));
  return std::get<Refusal>(incoming);
}

}  // namespace

TEST_CASE("a request keeps its id's type, its method and its parameters") {
  const auto incoming = parse(R"({"jsonrpc":"2.0","id":7,"method":"m","params":{"a":1}})");
  const auto& request = std::get<Request>(incoming);
  CHECK(request.id.json() == 7);
  CHECK(request.method == "m");
  CHECK(request.params == Json{{"a", 1}});

  const auto text_id = parse(R"({"jsonrpc":"2.0","id":"7","method":"m"})");
  CHECK(std::get<Request>(text_id).id.json() == "7");
  CHECK_FALSE(std::get<Request>(text_id).id == request.id);
}

TEST_CASE("parameters left out or null are an empty object, an array is kept for the binder to refuse") {
  CHECK(std::get<Request>(parse(R"({"jsonrpc":"2.0","id":1,"method":"m"})")).params == Json::object());
  CHECK(std::get<Request>(parse(R"({"jsonrpc":"2.0","id":1,"method":"m","params":null})")).params == Json::object());
  CHECK(std::get<Request>(parse(R"({"jsonrpc":"2.0","id":1,"method":"m","params":[1]})")).params.is_array());
}

TEST_CASE("without an id it is a notification") {
  const auto incoming = parse(R"({"jsonrpc":"2.0","method":"n","params":{"x":true}})");
  CHECK(std::get<Notification>(incoming).method == "n");
  CHECK(std::get<Notification>(incoming).params["x"] == true);
}

TEST_CASE("answers are recognised, even bad ones, and so never answered") {
  for (const char* text : {R"({"jsonrpc":"2.0","id":1,"result":{}})", R"({"jsonrpc":"2.0","id":null,"error":{}})",
                           R"({"error":{"code":-32700,"message":"x"}})", R"({"id":[],"result":1})"}) {
    CHECK(std::holds_alternative<Response>(parse(text)));
  }
}

TEST_CASE("text that is not JSON is a parse error without an id") {
  for (const char* text :
       {"", "{", R"({"jsonrpc":"2.0","id":1,"method":"m")", "nonsense", "{\"a\":\"\xff\"}", "1e999"}) {
    const auto refusal = refused(text);
    CHECK(refusal.error.code == kParseError);
    CHECK_FALSE(refusal.id);
  }
}

TEST_CASE("JSON that is no message is an invalid request") {
  for (const char* text : {"1", "null", "\"text\"", "[]", R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])", "{}",
                           R"({"jsonrpc":"2.0"})", R"({"jsonrpc":"2.0","id":null,"method":"m"})",
                           R"({"jsonrpc":"2.0","id":1.5,"method":"m"})", R"({"jsonrpc":"2.0","id":{},"method":"m"})"}) {
    INFO(text);
    const auto refusal = refused(text);
    CHECK(refusal.error.code == kInvalidRequest);
    CHECK_FALSE(refusal.id);
  }
}

TEST_CASE("an invalid request's id is echoed where it can be read") {
  for (const char* text : {R"({"id":"a","method":"m"})", R"({"jsonrpc":"1.0","id":"a","method":"m"})",
                           R"({"jsonrpc":2.0,"id":"a","method":"m"})", R"({"jsonrpc":"2.0","id":"a","method":5})",
                           R"({"jsonrpc":"2.0","id":"a"})", R"({"jsonrpc":"2.0","id":"a","method":"m","params":3})"}) {
    INFO(text);
    const auto refusal = refused(text);
    CHECK(refusal.error.code == kInvalidRequest);
    REQUIRE(refusal.id);
    CHECK(refusal.id->json() == "a");
  }
}

TEST_CASE("depth and size are limited, on both sides of the limit") {
  const auto nested = [](int levels) {
    return R"({"jsonrpc":"2.0","id":1,"method":"m","params":)" + std::string(levels - 1, '[') +
           std::string(levels - 1, ']') + "}";
  };
  CHECK(std::holds_alternative<Request>(parse(nested(limits::kMaxJsonDepth))));
  CHECK(refused(nested(limits::kMaxJsonDepth + 1)).error.code == kInvalidRequest);
  CHECK(refused(nested(100'000)).error.code == kInvalidRequest);

  const auto sized = [](size_t bytes) {
    const std::string head = R"({"jsonrpc":"2.0","id":1,"method":")", tail = R"("})";
    return head + std::string(bytes - head.size() - tail.size(), 'm') + tail;
  };
  CHECK(std::holds_alternative<Request>(parse(sized(limits::kMaxMessageBytes))));
  CHECK(refused(sized(limits::kMaxMessageBytes + 1)).error.code == kInvalidRequest);
}

TEST_CASE("outgoing messages have exactly the members of the protocol") {
  const Id id = *Id::from("x");
  CHECK(result_text(id, {{"a", 1}}) == R"({"id":"x","jsonrpc":"2.0","result":{"a":1}})");
  CHECK(error_text(id, {-32601, "no", nullptr}) ==
        R"({"error":{"code":-32601,"message":"no"},"id":"x","jsonrpc":"2.0"})");
  CHECK(error_text(std::nullopt, {-32700, "no", {{"k", 1}}}) ==
        R"({"error":{"code":-32700,"data":{"k":1},"message":"no"},"jsonrpc":"2.0"})");
  CHECK(notification_text("n", Json::object()) == R"({"jsonrpc":"2.0","method":"n","params":{}})");
}

TEST_CASE("an outgoing message is one line of valid UTF-8, whatever a profile's text holds") {
  const std::string text = result_text(*Id::from(1), {{"name", "a\nb\xff"}});
  CHECK(text.find('\n') == std::string::npos);
  CHECK(std::holds_alternative<Response>(parse(text)));
}
