#include "core/advice/rules/condition.h"

#include "core/advice/rules/test_metrics.h"
#include "tests/catch.h"

namespace stepwise::advice {
namespace {

Condition condition(const char* text) {
  auto parsed = condition_from_json(parse_json(text).value());
  REQUIRE(parsed.ok());
  return std::move(parsed).value();
}

Truth of(const char* text, const Json& metrics) { return holds(condition(text), metrics_of(metrics)); }

std::string fault_at(const char* text) {
  const auto parsed = condition_from_json(parse_json(text).value());
  REQUIRE_FALSE(parsed.ok());
  CHECK(parsed.error().code == "rules.condition");
  return parsed.error().where;
}

}  // namespace

TEST_CASE("a comparison holds, does not, or is not known") {
  const char* more = R"({"metric": "a", "op": ">", "value": 2})";
  CHECK(of(more, {{"a", 2.5}}) == Truth::yes);
  CHECK(of(more, {{"a", 2}}) == Truth::no);
  CHECK(of(more, {{"a", nullptr}}) == Truth::unknown);
  CHECK(of(more, Json::object()) == Truth::unknown);
  CHECK(of(more, {{"a", "2.5"}}) == Truth::unknown);  // a text has no order
  CHECK(of(R"({"metric": "a", "op": ">=", "value": 2})", {{"a", 2.0}}) == Truth::yes);
  CHECK(of(R"({"metric": "a", "op": "<", "value": 2})", {{"a", 1}}) == Truth::yes);
  CHECK(of(R"({"metric": "a", "op": "<=", "value": 2})", {{"a", 2}}) == Truth::yes);
  CHECK(of(R"({"metric": "a", "op": "==", "value": "eager"})", {{"a", "eager"}}) == Truth::yes);
  CHECK(of(R"({"metric": "a", "op": "!=", "value": "eager"})", {{"a", "eager"}}) == Truth::no);
  CHECK(of(R"({"metric": "a", "op": "==", "value": true})", {{"a", false}}) == Truth::no);
  CHECK(of(R"({"metric": "a", "op": "==", "value": true})", {{"a", 1}}) == Truth::unknown);
}

TEST_CASE("groups follow Kleene: one part may decide whatever the unknown ones are") {
  const char* all = R"({"all": [{"metric": "a", "op": ">", "value": 0}, {"metric": "b", "op": ">", "value": 0}]})";
  const char* any = R"({"any": [{"metric": "a", "op": ">", "value": 0}, {"metric": "b", "op": ">", "value": 0}]})";
  CHECK(of(all, {{"a", 1}, {"b", 1}}) == Truth::yes);
  CHECK(of(all, {{"a", 1}}) == Truth::unknown);
  CHECK(of(all, {{"b", 0}}) == Truth::no);
  CHECK(of(any, {{"a", 0}, {"b", 0}}) == Truth::no);
  CHECK(of(any, {{"a", 0}}) == Truth::unknown);
  CHECK(of(any, {{"b", 1}}) == Truth::yes);
  const char* negation = R"({"not": [{"metric": "a", "op": ">", "value": 0}]})";
  CHECK(of(negation, {{"a", 1}}) == Truth::no);
  CHECK(of(negation, {{"a", 0}}) == Truth::yes);
  CHECK(of(negation, Json::object()) == Truth::unknown);
  CHECK(holds(Condition{}, MetricSet{}) == Truth::yes);  // nothing is asked
}

TEST_CASE("missing are the metrics that kept it unknown, and no others") {
  const Condition both =
      condition(R"({"any": [{"all": [{"metric": "a", "op": ">", "value": 0}, {"metric": "b", "op": ">", "value": 0}]},
                            {"metric": "c", "op": ">", "value": 0}]})");
  std::set<std::string> missing;
  CHECK(holds(both, metrics_of({{"a", 0}}), &missing) == Truth::unknown);
  CHECK(missing == std::set<std::string>{"c"});  // a decides its group, so b does not matter
  missing.clear();
  CHECK(holds(both, metrics_of({{"c", 1}}), &missing) == Truth::yes);
  CHECK(missing.empty());
}

TEST_CASE("a threshold of the chip is unknown where the chip is") {
  const Condition full = condition(R"({"metric": "used", "op": ">=", "value": {"chip": "cube_cores"}})");
  std::set<std::string> missing;
  CHECK(holds(full, metrics_of({{"used", 24}, {"chip.cube_cores", 24}})) == Truth::yes);
  CHECK(holds(full, metrics_of({{"used", 23}, {"chip.cube_cores", 24}})) == Truth::no);
  CHECK(holds(full, metrics_of({{"used", 24}}), &missing) == Truth::unknown);
  CHECK(missing == std::set<std::string>{"chip.cube_cores"});
}

TEST_CASE("a fault of a condition is told with its place") {
  CHECK(fault_at(R"([])").empty());
  CHECK(fault_at(R"({"metric": "a", "op": "=", "value": 1})") == "/op");
  CHECK(fault_at(R"({"metric": "a", "op": ">"})") == "/value");
  CHECK(fault_at(R"({"metric": "a", "op": ">", "value": "b"})") == "/value");
  CHECK(fault_at(R"({"metric": "a", "op": ">", "value": {"chips": "b"}})") == "/value");
  CHECK(fault_at(R"({"all": []})") == "/all");
  CHECK(fault_at(R"({"all": [{"metric": "a", "op": ">", "value": 1}, {"op": ">"}]})") == "/all/1");
  CHECK(fault_at(R"({"not": [{"metric": "a", "op": ">", "value": 1}, {"metric": "a", "op": ">", "value": 1}]})") ==
        "/not");
  CHECK(fault_at(R"({"all": [{"metric": "a", "op": ">", "value": 1}], "any": []})").empty());
  std::string deep = R"({"metric": "a", "op": ">", "value": 1})";
  for (int i = 0; i < 17; ++i) deep = R"({"not": [)" + deep + "]}";
  CHECK_FALSE(fault_at(deep.c_str()).empty());
}

}  // namespace stepwise::advice
