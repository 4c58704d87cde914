#include "core/report/digest.h"

#include "core/report/sample_model_test.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::report;

TEST_CASE("the digest finds the step, its parts and the operators") {
  const Digest facts = digest(testing::sample_model());
  REQUIRE(facts.step_us.has_value());
  CHECK(*facts.step_us == Approx(136581.009));
  REQUIRE(facts.parts.size() == 3);
  CHECK(facts.parts[0].what == "not_overlapped");
  CHECK(facts.parts[0].ratio == Approx(101963.203 / 136581.009));
  CHECK(facts.parts[2].what == "computing");
  REQUIRE(facts.operators.size() == 2);
  CHECK(facts.operators[0].name == "ForeachAddList");
  CHECK(*facts.operator_total_us == Approx(1959.079 + 1423.208 + 5500.797));
  CHECK(facts.scenario.value == "training");
  CHECK(facts.mode.value.empty());
  CHECK(facts.rank == 0);
  CHECK(facts.measured);
}

TEST_CASE("what the report itself asked is no next step") {
  const Digest facts = digest(testing::sample_model());
  REQUIRE(facts.next.size() == 1);
  CHECK(facts.next[0].tool == "comm_overlap");
  REQUIRE(facts.failures.size() == 1);
  CHECK(facts.failures[0].subject == "detect_execution_mode");
  REQUIRE(facts.missing.size() == 1);
  CHECK(facts.missing[0].subject == "api_statistic.csv");
}

TEST_CASE("a question with other arguments is a next step") {
  Json model = testing::sample_model();
  model["chapters"][1]["results"][2]["answer"]["next"][0]["arguments"]["by"] = "name";
  CHECK(digest(model).next.size() == 2);
}

TEST_CASE("nothing to look at is not measured") {
  Json model = testing::sample_model();
  model["chapters"].erase(2);  // operator types
  model["chapters"].erase(2);  // the later tool
  Json& results = model["chapters"][1]["results"];
  results[0]["answer"]["value"] = "undetermined";
  results[2]["answer"] = {{"status", "not_applicable"}, {"why", "no kernel"}};
  const Digest facts = digest(model);
  CHECK_FALSE(facts.measured);
  CHECK_FALSE(facts.step_us.has_value());
  CHECK(facts.failures.size() == 2);
}

TEST_CASE("answers of odd shapes are not known, never a failure") {
  for (const char* text :
       {"{}", "[]", "{\"chapters\": 5}", "{\"chapters\": [null, 3, {\"results\": [1, {\"answer\": []}]}]}",
        "{\"profile\": [], \"chapters\": [{\"id\": 1, \"results\": [{\"tool\": \"summarize_profile\", "
        "\"answer\": {\"breakdown\": {\"free_us\": \"x\"}, \"rows\": {}, \"next\": [0]}}]}]}"}) {
    INFO(text);
    auto model = parse_json(text);
    REQUIRE(model.ok());
    CHECK_FALSE(digest(model.value()).step_us.has_value());
  }
}
