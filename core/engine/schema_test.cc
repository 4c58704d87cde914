#include "core/engine/schema.h"

#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::engine;

namespace {

Json parsed(const char* text) { return parse_json(text).value(); }

std::string code_of(const Result<void>& result) { return result.ok() ? "" : result.error().code; }

}  // namespace

TEST_CASE("an unknown schema keyword is refused, with its place") {
  const auto result = check_schema(parsed(R"({"type":"object","properties":{"a":{"type":"string","pattern":"x"}}})"));
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().code == "schema.keyword");
  CHECK(result.error().where == "/properties/a/pattern");
}

TEST_CASE("inputs are flat objects without unions of types") {
  CHECK(check_input_schema(parsed(R"({"type":"object","properties":{"a":{"type":"integer"}}})")).ok());
  CHECK_FALSE(check_input_schema(parsed(R"({"type":"array"})")).ok());
  CHECK_FALSE(check_input_schema(parsed(R"({"type":"object","properties":{"a":{"type":["integer","null"]}}})")).ok());
  CHECK_FALSE(check_input_schema(parsed(R"({"type":"object","properties":{"a":{}}})")).ok());
}

TEST_CASE("arguments are checked, and the error says what was given and what is valid") {
  const Json schema = parsed(R"({"type":"object","additionalProperties":false,"required":["by"],
    "properties":{"by":{"type":"string","enum":["type","name"]},"limit":{"type":"integer","minimum":1,"maximum":10},
                  "tags":{"type":"array","maxItems":2,"items":{"type":"string","minLength":1}}}})");
  CHECK(validate(schema, parsed(R"({"by":"type","limit":10,"tags":["a","b"]})")).ok());
  CHECK(validate(schema, parsed(R"({"by":"type","limit":3.0})")).ok());  // an integer to JSON Schema
  for (const char* beyond : {"1e300", "9223372036854775808", "18446744073709551615"}) {
    CHECK(code_of(validate(parsed(R"({"type":"integer"})"), parsed(beyond))) == "args.type");
  }
  CHECK(code_of(validate(schema, parsed(R"({})"))) == "args.required");
  CHECK(code_of(validate(schema, parsed(R"({"by":"type","limit":0})"))) == "args.range");
  CHECK(code_of(validate(schema, parsed(R"({"by":"type","limit":11})"))) == "args.range");
  CHECK(code_of(validate(schema, parsed(R"({"by":"type","limit":3.5})"))) == "args.type");
  CHECK(code_of(validate(schema, parsed(R"({"by":"type","tags":["a","b","c"]})"))) == "args.size");
  CHECK(code_of(validate(schema, parsed(R"({"by":"type","tags":[""]})"))) == "args.size");
  CHECK(code_of(validate(schema, parsed(R"([])"))) == "args.type");

  const auto wrong = validate(schema, parsed(R"({"by":"shape"})"));
  REQUIRE_FALSE(wrong.ok());
  CHECK(wrong.error().message == "`by` must be one of type, name, but \"shape\" was given.");
  CHECK(wrong.error().where == "/by");

  const auto misspelt = validate(schema, parsed(R"({"by":"type","limits":3})"));
  REQUIRE_FALSE(misspelt.ok());
  CHECK(misspelt.error().hint == "Did you mean `limit`?");
}

TEST_CASE("unions of types, which outputs may have, accept each of them") {
  const Json schema = parsed(R"({"type":["number","null"]})");
  CHECK(validate(schema, parsed("null")).ok());
  CHECK(validate(schema, parsed("1.5")).ok());
  CHECK_FALSE(validate(schema, parsed("\"1.5\"")).ok());
}

TEST_CASE("defaults fill what is absent and nothing else") {
  const Json schema =
      parsed(R"({"type":"object","properties":{"by":{"type":"string","default":"type"},"n":{"type":"integer"}}})");
  CHECK(with_defaults(schema, parsed("{}")) == parsed(R"({"by":"type"})"));
  CHECK(with_defaults(schema, parsed(R"({"by":"name"})")) == parsed(R"({"by":"name"})"));
  CHECK(with_defaults(schema, parsed(R"({"by":"name","n":3.0})"))["n"].is_number_integer());
}
