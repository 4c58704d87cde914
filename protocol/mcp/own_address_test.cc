#include "protocol/mcp/own_address.h"

#include "tests/catch.h"

using namespace stepwise::mcp;

using Segments = std::vector<std::string>;

TEST_CASE("an address is its scheme and its segments, decoded one by one") {
  const auto address = parse_address("profile://p1a2b3c4d/operators/aten%3A%3Aadd%2Fx%20%C3%BC");
  REQUIRE(address);
  CHECK(address->scheme == "profile");
  CHECK(address->segments == Segments{"p1a2b3c4d", "operators", "aten::add/x \xC3\xBC"});
  CHECK(parse_address("stepwise://tools")->segments == Segments{"tools"});
}

TEST_CASE("what could lead elsewhere is no address, also in disguise") {
  for (const char* uri : {"skill://../SKILL.md", "skill://%2e%2E/SKILL.md", "skill://./x", "skill://a//b", "skill://a/",
                          "skill://", "://a", "tools", "stepwise:tools", "stepwise://tools?x=1", "stepwise://tools#x",
                          "stepwise://a%", "stepwise://a%4", "stepwise://a%4g", "stepwise://a%00", "stepwise://a%0A",
                          "stepwise://a%7f", "stepwise://%ff", "stepwise://%C3"}) {
    INFO(uri);
    CHECK_FALSE(parse_address(uri));
  }
}

TEST_CASE("what was encoded comes back as it was") {
  for (const std::string text : {"a-b._~9", "aten::mm", "a/b%c d?#", "\xE4\xBD\xA0"}) {
    INFO(text);
    const auto address = parse_address("x://" + percent_encoded(text));
    REQUIRE(address);
    CHECK(address->segments == Segments{text});
  }
  CHECK(percent_encoded("a/b") == "a%2Fb");
}
