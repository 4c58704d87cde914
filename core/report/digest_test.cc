#include "core/report/digest.h"

#include <algorithm>

#include "core/report/sample_model_test.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::report;

TEST_CASE("the digest finds the step, its parts and the operators") {
  const Digest facts = digest(testing::sample_model());
  REQUIRE(facts.step_us.has_value());
  CHECK(*facts.step_us == Approx(136581.0));
  REQUIRE(facts.parts.size() == 4);
  CHECK(facts.parts[0].what == "communication_not_overlapped");
  CHECK(facts.parts[0].ratio == Approx(0.74654));
  CHECK(facts.parts[2].what == "computing");
  REQUIRE(facts.operators.size() == 2);
  CHECK(facts.operators[0].name == "ForeachAddList");
  CHECK(*facts.operator_total_us == Approx(8883.084));
  CHECK(facts.scenario.value == "training");
  CHECK(facts.mode.value.empty());
  CHECK(facts.rank == 0);
  CHECK(facts.measured);
}

TEST_CASE("what the report itself answers comes after what is still to be asked") {
  Json model = testing::sample_model();
  const Digest facts = digest(model);
  REQUIRE(facts.next.size() == 2);
  CHECK(facts.next[0].tool == "comm_overlap");
  CHECK(facts.next[0].chapter.empty());
  CHECK(facts.next[1].tool == "top_operators");
  CHECK(facts.next[1].chapter == "operator_types");
  REQUIRE(facts.failures.size() == 1);
  CHECK(facts.failures[0].subject == "detect_execution_mode");
  REQUIRE(facts.missing.size() == 1);
  CHECK(facts.missing[0].subject == "api_statistic.csv");

  model["chapters"][1]["results"][2]["answer"]["next"][0]["arguments"]["by"] = "name";
  CHECK(digest(model).next[0].chapter.empty());
  CHECK(digest(model).next[1].chapter.empty());
}

TEST_CASE("what several analyses miss of one input is one entry") {
  Json model = testing::sample_model();
  Json& types = model["chapters"][2]["results"][0]["answer"];
  types["missing"] = {{{"input", "api_statistic.csv"}, {"costs", "no calls"}},
                      {{"input", "api_statistic.csv"}, {"costs", "no H2D and D2H times"}}};
  const Digest facts = digest(model);
  REQUIRE(facts.missing.size() == 1);
  CHECK(facts.missing[0].text == "no H2D and D2H times; no calls");
}

TEST_CASE("operators without types go by their names") {
  Json model = testing::sample_model();
  Json names = model["chapters"][2];
  for (Json& row : model["chapters"][2]["results"][0]["answer"]["rows"]) row["op_type"] = nullptr;
  names["id"] = "operator_names";
  names["results"][0]["answer"]["rows"] = {{{"name", "aclnnAdd_1"}, {"total_us", 5.0}}};
  model["chapters"].push_back(names);
  const Digest facts = digest(model);
  REQUIRE(facts.operators.size() == 1);
  CHECK(facts.operators[0].name == "aclnnAdd_1");
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
  CHECK(facts.failures.size() == 1);
  REQUIRE(facts.inapplicable.size() == 1);  // no failure: there was nothing for it to do
  CHECK(facts.inapplicable[0] == Digest::Text{"summarize_profile", "no kernel"});
}

TEST_CASE("a tool that is asked several times and cannot answer is told of once") {
  Json model = testing::sample_model();
  Json& results = model["chapters"][1]["results"];
  results[2]["answer"] = {{"status", "not_applicable"}, {"why", "no kernel"}};
  results.push_back(results[2]);
  const auto told = [&] {
    const auto all = digest(model).inapplicable;
    return std::count_if(all.begin(), all.end(), [](const auto& one) { return one.text == "no kernel"; });
  };
  CHECK(told() == 1);
}

TEST_CASE("answers of odd shapes are not known, never a failure") {
  for (const char* text :
       {"{}", "[]", "{\"chapters\": 5}", "{\"chapters\": [null, 3, {\"results\": [1, {\"answer\": []}]}]}",
        "{\"profile\": [], \"chapters\": [{\"id\": 1, \"results\": [{\"tool\": \"summarize_profile\", "
        "\"answer\": {\"where_time_goes\": [{\"us\": \"x\"}], \"rows\": {}, \"next\": [0]}}]}]}"}) {
    INFO(text);
    auto model = parse_json(text);
    REQUIRE(model.ok());
    CHECK_FALSE(digest(model.value()).step_us.has_value());
  }
}
