#include <cmath>
#include <limits>

#include "stepwise/sdk.hpp"
#include "tests/catch.h"

using namespace stepwise::sdk;

namespace {
template <class T>
std::string written(const T& v) {
  return JsonWriter().value(v).str();
}
}  // namespace

TEST_CASE("the writer puts commas and brackets where they belong") {
  JsonWriter w;
  w.begin_object().field("a", 1).key("b").begin_array().value(true).value(nullptr).begin_object().end_object();
  CHECK_FALSE(w.complete());
  w.end_array().field("c", "x").end_object();
  CHECK(w.complete());
  CHECK(w.str() == R"({"a":1,"b":[true,null,{}],"c":"x"})");
}

TEST_CASE("numbers are written so that they read back the same") {
  CHECK(written(0.1) == "0.1");
  CHECK(written(-0.0) == "0.0");
  CHECK(written(-0.5) == "-0.5");
  CHECK(written(8873.756) == "8873.756");
  CHECK(written(5.0) == "5.0");  // still a double for a reader that tells them apart
  CHECK(written(-0.5) == "-0.5");
  CHECK(written(std::nan("")) == "null");
  CHECK(written(std::numeric_limits<double>::infinity()) == "null");
  CHECK(written(std::numeric_limits<int64_t>::min()) == "-9223372036854775808");
  CHECK(written(std::numeric_limits<uint64_t>::max()) == "18446744073709551615");
  CHECK(written(std::optional<int64_t>()) == "null");
  for (const double v : {1.0 / 3, 1e300, 5e-324, 123456789.123456789}) {
    CHECK(Value::parse(written(v))->number() == v);
  }
}

TEST_CASE("text is escaped and made valid UTF-8") {
  CHECK(written("a\"b\\c\nd\te\x01") == R"("a\"b\\c\nd\te\u0001")");
  CHECK(written(std::string_view("\xE5\x8D\x87", 3)) == "\"\xE5\x8D\x87\"");
  const std::string bad = "\"\xEF\xBF\xBD\"";
  CHECK(written(std::string_view("\xFF", 1)) == bad);                                   // never a lead
  CHECK(written(std::string_view("\x80", 1)) == bad);                                   // continuation without a lead
  CHECK(written(std::string_view("\xC0\xAF", 2)).size() == 2 + 2 * 3);                  // overlong
  CHECK(written(std::string_view("\xED\xA0\x80", 3)).size() == 2 + 3 * 3);              // surrogate
  CHECK(written(std::string_view("\xF4\x90\x80\x80", 4)).size() == 2 + 12);             // past U+10FFFF
  CHECK(written(std::string_view("x\xE5\x8D", 3)) == "\"x\xEF\xBF\xBD\xEF\xBF\xBD\"");  // cut
}

TEST_CASE("a text beyond the limit is cut between characters, and says how long it was") {
  const std::string longest(kMaxTextBytes, 'x');
  CHECK(written(longest) == "\"" + longest + "\"");
  CHECK(written(longest + "y") == "\"" + longest + "… (" + std::to_string(kMaxTextBytes + 1) + " bytes)\"");
  const std::string before(kMaxTextBytes - 1, 'x');
  CHECK(written(before + "升升") == "\"" + before + "… (" + std::to_string(kMaxTextBytes + 5) + " bytes)\"");
  CHECK(written(std::string(5 << 20, '\x80')).size() < 4 * kMaxTextBytes);
}

TEST_CASE("values are read by what they are, and nothing else") {
  const auto v = Value::parse(R"({"i": 3, "f": 2.5, "whole": 4.0, "t": "x", "b": true, "n": null, "a": [1, 2]})");
  REQUIRE(v);
  CHECK((*v)["i"].integer() == 3);
  CHECK((*v)["whole"].integer() == 4);
  CHECK_FALSE((*v)["f"].integer());
  CHECK((*v)["f"].number() == 2.5);
  CHECK((*v)["t"].text() == "x");
  CHECK_FALSE((*v)["t"].number());
  CHECK((*v)["b"].boolean() == true);
  CHECK((*v)["n"].is_null());
  CHECK_FALSE((*v)["n"].is_absent());
  CHECK((*v)["missing"].is_absent());
  CHECK((*v)["missing"]["deeper"].at(3).is_absent());
  CHECK((*v)["a"].at(1).integer() == 2);
  CHECK((*v)["a"].at(2).is_absent());
  CHECK((*v)["a"].to_json() == "[1,2]");
}

TEST_CASE("text that is no JSON, or too deep, is refused") {
  CHECK_FALSE(Value::parse(""));
  CHECK_FALSE(Value::parse("{"));
  CHECK_FALSE(Value::parse("{} x"));
  CHECK(Value::parse(std::string(60, '[') + std::string(60, ']')));
  CHECK_FALSE(Value::parse(std::string(100000, '[') + std::string(100000, ']')));
}

TEST_CASE("arguments: ranks, profile, declared numbers given as text") {
  const Args args(*Value::parse(R"({"ranks": [2, 5, -1, "x"], "step": 7,
      "profile": {"id": "p1", "kind": "torch_npu", "framework": "pytorch", "origin_ns": "1736408883704643212",
                  "declare": {"batch_size": "32", "instances": 2, "chip": "910B"}}})"));
  CHECK(args.ranks() == std::vector<uint32_t>{2, 5});
  CHECK(args.integer("step") == 7);
  const ProfileInfo profile = args.profile();
  CHECK(profile.kind == "torch_npu");
  CHECK(profile.origin_ns == 1736408883704643212);
  CHECK(profile.declared_number("batch_size") == 32);
  CHECK(profile.declared_number("instances") == 2);
  CHECK_FALSE(profile.declared_number("chip"));
  CHECK_FALSE(profile.declared_number("latency_budget_us"));
}
