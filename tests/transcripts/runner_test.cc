// The transcript runner itself: a test that cannot fail proves nothing.
#include "protocol/transport/memory.h"
#include "tests/catch.h"
#include "tests/transcripts/match.h"
#include "tests/transcripts/mcp_shapes.h"
#include "tests/transcripts/replay.h"

using namespace stepwise;
using namespace stepwise::transcripts;

namespace {

/// Sends every message back.
struct Mirror final : transport::Receiver {
  explicit Mirror(transport::Transport& out) : out_(out) {}
  void message(std::string_view text) override { out_.send(std::string(text), transport::Delivery::required); }
  void lost(const Error& why) override { out_.send(dump_json({{"lost", why.code}}), transport::Delivery::required); }
  transport::Transport& out_;
};

void serve_mirror(transport::Transport& transport) {
  Mirror mirror(transport);
  CHECK(transport.run(mirror).ok());
  transport.close(std::chrono::minutes(1));
}

std::string failure_of(const std::string& text, const TransportKind& kind) {
  const auto client = kind.connect();
  return replay(parse_transcript("t", text).value(), *client, serve_mirror).failure;
}

}  // namespace

TEST_CASE("a pattern fits what it leaves open and nothing else") {
  const Json value = {{"a", 1}, {"b", {"x", 2.5}}, {"c", {{"d", "hello world"}}}};
  const auto fits = [&](const char* pattern) { return mismatch(parse_json(pattern).value(), value).empty(); };
  CHECK(fits("{}"));
  CHECK(fits(R"({"a":1,"b":["x",2.5]})"));
  CHECK(fits(R"({"a":"<number>","b":["<string>","<any>"],"c":"<object>"})"));
  CHECK(fits(R"({"c":{"d":"<has o w>","e":"<absent>"}})"));
  CHECK_FALSE(fits(R"({"a":2})"));
  CHECK_FALSE(fits(R"({"a":"1"})"));
  CHECK_FALSE(fits(R"({"b":["x"]})"));
  CHECK_FALSE(fits(R"({"b":{"0":"x"}})"));
  CHECK_FALSE(fits(R"({"c":{"d":"<absent>"}})"));
  CHECK_FALSE(fits(R"({"c":{"d":"<has bye>"}})"));
  CHECK_FALSE(fits(R"({"d":"<any>"})"));
  CHECK(mismatch({{"c", {{"d", 5}}}}, value) == "/c/d: wanted 5, got \"hello world\"");
}

TEST_CASE("a transcript is read into steps") {
  const auto transcript = parse_transcript("t",
                                           "# comment\n{\"a\":\n  1}\n#< {\"b\":1}\n#< {\"c\":1}\n---\n"
                                           "#! raw x\\xffy\\\\\n#! huge 5\n{}\n---\n#! unfinished {\"z\n");
  REQUIRE(transcript.ok());
  const auto& steps = transcript.value().steps;
  REQUIRE(steps.size() == 6);
  CHECK(steps[0].line == 2);
  CHECK(std::get<Send>(steps[0].what).text == "{\"a\": 1}");
  CHECK(std::get<Expect>(steps[1].what).patterns.size() == 2);
  CHECK(std::get<Send>(steps[2].what).text == "x\xffy\\");
  CHECK(std::get<Send>(steps[3].what).text == "xxxxx");
  CHECK(std::get<Send>(steps[4].what).text == "{}");
  CHECK_FALSE(std::get<Send>(steps[5].what).finished);
}

TEST_CASE("a transcript with a mistake is refused with its line") {
  for (const char* text : {"{}\n#< {", "{}\n#! nonsense x", "{}\n#! raw \\q", "{}\n#! huge many", "{}\n#! huge"}) {
    const auto transcript = parse_transcript("t", text);
    REQUIRE_FALSE(transcript.ok());
    CHECK(transcript.error().where == "t:2");
  }
}

TEST_CASE("replay finds what came otherwise, over every transport") {
  for (const auto& kind : transport_kinds()) {
    INFO(kind.name);
    CHECK(failure_of("{\"a\":1}\n#< {\"a\":1}\n---\n{\"b\":2}\n---\n{\"c\":3}\n#< {\"c\":3}\n#< {\"b\":2}\n", kind) ==
          "");
    CHECK(failure_of("{\"a\":1}\n#< {\"a\":2}\n", kind).rfind("t:2: came {\"a\":1}", 0) == 0);
    CHECK(failure_of("{\"a\":1}\n", kind).rfind("t at its end: not expected: {\"a\":1}", 0) == 0);
    CHECK(failure_of("{\"a\":1}\n#< {\"a\":1}\n---\n#! unfinished {\"b\":1}\n#< {\"b\":1}\n#< {}\n", kind) ==
          "t:5: nothing came; expected {}");
    CHECK(failure_of("#! raw x\n#< {}\n", kind) == "t:2: no JSON: x");
    CHECK(failure_of("#! unfinished {}\n#< {}\n{}\n", kind) == "t:3: nothing can be sent after the end of the input");
  }
}

TEST_CASE("the shape check finds what is not of the protocol") {
  const auto bad = [](const char* text, const char* method = "") {
    return !mcp_shape_error(parse_json(text).value(), method).empty();
  };
  CHECK_FALSE(bad(R"({"jsonrpc":"2.0","id":1,"result":{}})", "ping"));
  CHECK_FALSE(bad(R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"m"}})"));
  CHECK_FALSE(bad(R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"t"}],"isError":true}})",
                  "tools/call"));
  CHECK(bad(R"({"id":1,"result":{}})", "ping"));
  CHECK(bad(R"({"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}})"));
  CHECK(bad(R"({"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}})", "ping"));
  CHECK(bad(R"({"jsonrpc":"2.0","id":1,"error":{"code":"x","message":"m"}})"));
  CHECK(bad(R"({"jsonrpc":"2.0","id":1,"result":{"content":[]}})", "tools/call"));
  CHECK(bad(R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"t"}]}})", "tools/call"));
  CHECK(bad(R"({"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"x"}]}})", "tools/list"));
  CHECK(bad(R"({"jsonrpc":"2.0","method":"notifications/message","params":{}})"));
  CHECK(bad(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":null,"progress":1}})"));
}
