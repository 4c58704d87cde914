// Keywords of a user's own.
#include "name_stage.h"

#include "test_steps.h"

using namespace recsys_stages_test;
using namespace stepwise::recsys_stages;

namespace {

std::optional<Vocabulary> read(std::string_view json) {
  std::string why;
  auto out = read_vocabulary(*Value::parse(json), why);
  CHECK(why.empty() == out.has_value());
  return out;
}

}  // namespace

TEST_CASE("own keywords go before the built-in ones; a gradient stays one") {
  const auto own = read(R"({"forward": ["Tower_X", "lookup"], "embedding_fetch": ["gather_rows"],
                            "unclassified": ["data_parallel"], "update_dense": ["apply"]})");
  REQUIRE(own);
  const auto stage = [&own](const char* name) { return std::string(stage_name(judge_name(name, *own).stage)); };
  CHECK(stage("towerx.run") == "forward");
  CHECK(stage("hash_lookup") == "forward");  // embedding_fetch without
  CHECK(stage("tower_x_backward") == "backward");
  CHECK(stage("gather_rows") == "embedding_fetch");
  CHECK(stage("GatherRowsBackward0") == "update_embedding");
  CHECK(stage("data_parallel.forward") == "unclassified");
  CHECK(stage("apply_gradient") == "update_dense");
  CHECK(stage("mytowerx") == "unclassified");  // must begin a word
  CHECK(stage("aten::linear") == "forward");
  CHECK(judge_name("c10d::allreduce_", *own).collective == Collective::all_reduce);
}

TEST_CASE("what is no list of words by stage is refused") {
  CHECK(read("null"));
  CHECK(read("{}"));
  for (const char* bad : {"[]", "3", R"({"forwards": ["a"]})", R"({"forward": "a"})", R"({"forward": [3]})",
                          R"({"forward": ["--"]})", R"({"forward": [""]})"}) {
    INFO(bad);
    CHECK_FALSE(read(bad));
  }
  CHECK_FALSE(read("{\"forward\": [\"" + std::string(201, 'a') + "\"]}"));
}

TEST_CASE("what a profile declares counts in every tool of stages") {
  const auto run_with = [](const char* keywords) {
    Calls calls;
    calls.add("ProfilerStep#1", kMain, 0, 100);
    calls.add("my_tower", kMain, 10, 30);
    Host host;
    host.add(0, calls.take());
    host.add(0, steps({{1, 0, 100}}));
    const std::string args = R"({"profile": {"declare": {"stage_keywords": )" + std::string(keywords) + "}}}";
    const Value answer = host.run(stage_breakdown, args);
    return host.failure() ? Value() : answer;
  };
  CHECK(us(run_with(R"({"forward": ["tower"]})"), "forward", "wall_us") == 30);
  CHECK(run_with("{}")["rows"].size() == 0);
  CHECK(run_with("[1]").is_absent());
}
