#include "core/base/json.h"

#include "core/base/hash.h"
#include "tests/catch.h"

using namespace stepwise;

TEST_CASE("JSON: syntax errors say where") {
  const auto bad = parse_json("{\"a\": }");
  REQUIRE_FALSE(bad.ok());
  CHECK(bad.error().code == "json.syntax");
  CHECK(bad.error().where == "@7");
  CHECK_FALSE(parse_json("").ok());
  CHECK_FALSE(parse_json("{} x").ok());
}

TEST_CASE("JSON: depth is limited, on both sides of the limit") {
  const auto nested = [](int depth) {
    return std::string(static_cast<size_t>(depth), '[') + std::string(static_cast<size_t>(depth), ']');
  };
  CHECK(parse_json(nested(64)).ok());
  CHECK(parse_json(nested(65)).error().code == "json.depth");
  CHECK(parse_json(nested(100'000)).error().code == "json.depth");
}

TEST_CASE("JSON: brackets in strings are no depth, and a number out of range is told in our words") {
  CHECK(parse_json(R"({"a":"[[[[","b\"[[[":"\\"})", 1).ok());
  CHECK(parse_json(R"(["\"[[["])", 1).ok());
  CHECK(parse_json("[[], [], {}]", 2).ok());
  CHECK(parse_json("]]]][[", 1).error().code == "json.syntax");
  CHECK(parse_json("1e400").error().message.find("nlohmann") == std::string::npos);
  CHECK(parse_json("1e400").error().message.find("json.exception") == std::string::npos);
}

TEST_CASE("JSON: a long list of small objects is read once") {
  // Where each end of an element cost a look at all of them, this took hours.
  std::string text = "[{}";
  for (int i = 0; i < 1'000'000; ++i) text += ",{}";
  CHECK(parse_json(text + "]").value().size() == 1'000'001);
}

TEST_CASE("JSON: invalid UTF-8 is replaced, keys are sorted, integers keep 64 bits") {
  Json value{{"b", "\xff"}, {"a", UINT64_MAX}};
  const std::string text = dump_json(value);
  CHECK((text == "{\"a\":18446744073709551615,\"b\":\"\uFFFD\"}"));
  CHECK(parse_json(text).value()["a"].get<uint64_t>() == UINT64_MAX);
}

TEST_CASE("hash64 is XXH3, and a seed chains pieces") {
  CHECK(hash64("") == 0x2d06800538d394c2ull);  // the reference value of XXH3_64bits for no bytes
  CHECK(hash64("a") != hash64("b"));
  CHECK(hash64("a", 1) != hash64("a"));
}
