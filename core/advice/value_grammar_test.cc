#include "core/advice/value_grammar.h"

#include <string>

#include "tests/catch.h"

namespace stepwise::advice {
namespace {

ValueGrammar grammar(const std::string& json) {
  auto made = ValueGrammar::from_json(parse_json(json).value());
  INFO(json);
  REQUIRE(made.ok());
  return std::move(made).value();
}

bool fits(const std::string& json, std::string_view value) { return grammar(json).check(value).fit == Fit::yes; }
bool is_refused(const std::string& json, std::string_view value) {
  const ValueVerdict verdict = grammar(json).check(value);
  return verdict.fit == Fit::no && !verdict.why.empty();
}

}  // namespace

TEST_CASE("one_of: exactly one of the words; undocumented ones are told apart") {
  const std::string json = R"({"one_of": ["reduce", "concat"], "undocumented": ["slice"]})";
  CHECK(fits(json, "reduce"));
  CHECK(fits(json, "'concat'"));
  CHECK(grammar(json).check("slice").fit == Fit::undocumented);
  for (const char* wrong : {"scatter", "Reduce", "", "reduce,concat", "reduce "}) CHECK(is_refused(json, wrong));
}

TEST_CASE("integer and number: bounds and steps") {
  CHECK(fits(R"({"integer": {"min": 1, "max": 32}})", "1"));
  CHECK(fits(R"({"integer": {"min": 1, "max": 32}})", "32"));
  for (const char* wrong : {"0", "33", "1.5", "0x10", "", "three"}) {
    CHECK(is_refused(R"({"integer": {"min": 1, "max": 32}})", wrong));
  }
  CHECK(fits(R"({"integer": {"min": 0, "max": 255, "multiple_of": 4}})", "132"));
  CHECK(is_refused(R"({"integer": {"min": 0, "max": 255, "multiple_of": 4}})", "130"));
  CHECK(fits(R"({"integer": {}})", "-7"));
  CHECK(fits(R"({"number": {"min": 0, "max": 1}})", "0.8"));
  CHECK(is_refused(R"({"number": {"min": 0, "max": 1}})", "1.01"));
  CHECK(is_refused(R"({"number": {"min": 0, "max": 1}})", "nan"));
}

TEST_CASE("matches: the whole value, in linear time") {
  const std::string json = R"({"matches": "[1-9][0-9]*(\\|([1-9][0-9]*)?)?"})";
  CHECK(fits(json, "24|48"));
  CHECK(fits(json, "24|"));
  CHECK(is_refused(json, "24|48|1"));
  CHECK(is_refused(json, "x24|48"));
  // What makes backtracking engines take forever.
  const std::string hostile = R"({"matches": "(a+)+b"})";
  CHECK(is_refused(hostile, std::string(200'000, 'a')));
}

TEST_CASE("lists and pairs: every piece is checked") {
  const std::string list = R"({"list_of": {"one_of": ["a", "b"]}, "separator": ","})";
  CHECK(fits(list, "a"));
  CHECK(fits(list, "a, b,"));
  CHECK(is_refused(list, "a,c"));
  CHECK(is_refused(list, ""));
  const std::string pairs = R"({"pairs": {"--on": {"one_of": ["true", "false"]}, "--n": {"integer": {"min": 0}}},
                                "separator": ";", "assign": "="})";
  CHECK(fits(pairs, "--on=true;--n=64"));
  CHECK(fits(pairs, "\"--on=true\""));
  CHECK(is_refused(pairs, "--on"));
  CHECK(is_refused(pairs, "--off=true"));
  CHECK(is_refused(pairs, "--on=true;--n=-1"));
}

TEST_CASE("a switch takes no value") {
  CHECK(fits(R"({"switch": true})", ""));
  CHECK(is_refused(R"({"switch": true})", "1"));
}

TEST_CASE("calls: names, positions and literal values; variables are nobody's business") {
  const std::string json = R"({"call": [{"name": "device"}, {"name": "cube_num", "value": {"integer": {"min": -1}}},
    {"name": "dtype", "keyword": true, "value": {"one_of": ["torch.bfloat16", "torch.float16"]}}]})";
  CHECK(fits(json, ""));
  CHECK(fits(json, "0, 12"));
  CHECK(fits(json, "device=0, cube_num=cores, dtype=torch.bfloat16"));
  CHECK(is_refused(json, "0, -2"));
  CHECK(is_refused(json, "0, 12, torch.bfloat16"));  // only by its name
  CHECK(is_refused(json, "vectors=3"));
  CHECK(is_refused(json, "dtype=torch.float8"));
  CHECK(is_refused(json, "device=(0"));
}

TEST_CASE("a grammar that is none is refused with its place") {
  const auto place = [](const std::string& json) {
    const auto made = ValueGrammar::from_json(parse_json(json).value());
    REQUIRE_FALSE(made.ok());
    CHECK(made.error().code == "knowledge.value");
    return made.error().where;
  };
  CHECK(place("{}") == "");
  CHECK(place("[]") == "");
  CHECK(place(R"({"one_of": []})") == "/one_of");
  CHECK(place(R"({"one_of": ["a"], "min": 1})") == "/min");
  CHECK(place(R"({"integer": {"min": "1"}})") == "/integer/min");
  CHECK(place(R"({"integer": {"min": 2, "max": 1}})") == "/integer");
  CHECK(place(R"({"number": {"multiple_of": 2}})") == "/number/multiple_of");
  CHECK(place(R"({"matches": "("})") == "/matches");
  CHECK(place(R"({"list_of": {"one_of": 1}, "separator": ","})") == "/list_of/one_of");
  CHECK(place(R"({"list_of": {"one_of": ["a"]}, "separator": ", "})") == "/separator");
  CHECK(place(R"({"pairs": {"k": {"matches": 1}}, "separator": ";", "assign": "="})") == "/pairs/k/matches");
  CHECK(place(R"({"call": [{}]})") == "/call/0");
  CHECK(place(R"({"switch": 1})") == "/switch");
  std::string deep = R"({"one_of": ["a"]})";
  for (int i = 0; i < 50; ++i) deep = R"({"separator": ",", "list_of": )" + deep + "}";
  CHECK_FALSE(ValueGrammar::from_json(parse_json(deep, 100).value()).ok());
}

TEST_CASE("a grammar says what is right") {
  CHECK(grammar(R"({"one_of": ["0", "1"]})").says() == "one of 0, 1");
  CHECK(grammar(R"({"integer": {"min": 1, "max": 32, "multiple_of": 2}})").says() ==
        "a whole number from 1 to 32, a multiple of 2");
  CHECK(grammar(R"({"number": {"min": 0}})").says() == "a number from 0.0 up");
  CHECK(grammar(R"({"switch": true})").says() == "a switch without a value");
  CHECK(grammar(R"({"list_of": {"integer": {}}, "separator": ","})").says() ==
        "a list separated by ',', each a whole number");
}

}  // namespace stepwise::advice
