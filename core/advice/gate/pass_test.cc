// What leaves the gate, and what does not.
#include "core/advice/gate/gate.h"
#include "core/advice/gate/own_knowledge_test.h"
#include "tests/catch.h"

namespace stepwise::advice {
namespace {

const Context kEager{.mode = "eager", .scenario = "training", .framework = "pytorch"};

Draft queue_draft() {
  Draft draft;
  draft.measure = "Submit operators from a thread of their own.";
  draft.parameters = {{"TASK_QUEUE_ENABLE", "2"}};
  draft.example = "export TASK_QUEUE_ENABLE=2";
  draft.is_confirmed = true;
  return draft;
}

std::optional<Json> passed(const Draft& draft, Context context = kEager) {
  const auto advice = Gate(own_knowledge(), std::move(context)).pass(draft);
  return advice ? std::optional<Json>(advice->to_json()) : std::nullopt;
}

}  // namespace

TEST_CASE("a verified parameter that fits leaves with its source") {
  const auto row = passed(queue_draft());
  REQUIRE(row);
  CHECK((*row)["verdict"] == "accepted");
  CHECK((*row)["condition"] == "confirmed");
  REQUIRE((*row)["parameters"].size() == 1);
  const Json& parameter = (*row)["parameters"][0];
  CHECK(parameter["name"] == "TASK_QUEUE_ENABLE");
  CHECK(parameter["value"] == "2");
  CHECK(parameter["status"] == "verified");
  CHECK_FALSE(parameter["source"].get<std::string>().empty());
  CHECK((*row)["example"] == "export TASK_QUEUE_ENABLE=2");
}

TEST_CASE("what is not verified leaves as a direction: no parameter, no example, marked so") {
  for (const char* name : {"TASK_QUEUE_TURBO", "HOST_CACHE_CAPACITY"}) {
    Draft draft = queue_draft();
    draft.parameters = {{name, "20"}};
    draft.example = std::string("export ") + name + "=20";
    const auto row = passed(draft);
    INFO(name);
    REQUIRE(row);
    CHECK((*row)["verdict"] == "downgraded");
    CHECK((*row)["condition"] == "possible");
    CHECK((*row)["parameters"].empty());
    CHECK_FALSE(row->contains("example"));
    CHECK_FALSE((*row)["conditions"].empty());
    CHECK(dump_json(*row).find(name) == std::string::npos);
  }
  Draft undetermined = queue_draft();
  const auto row = passed(undetermined, {.mode = "undetermined"});
  REQUIRE(row);
  CHECK((*row)["verdict"] == "downgraded");
  CHECK(dump_json(*row).find("TASK_QUEUE_ENABLE") == std::string::npos);
}

TEST_CASE("what is of no use here does not leave at all") {
  Draft is_default = queue_draft();
  is_default.parameters = {{"TASK_QUEUE_ENABLE", "1"}};
  CHECK_FALSE(passed(is_default));
  CHECK_FALSE(passed(queue_draft(), {.mode = "ge", .framework = "pytorch"}));
}

TEST_CASE("an example that names anything else is left out, and takes the parameters with it") {
  Draft draft = queue_draft();
  draft.example = "export TASK_QUEUE_ENABLE=2 NPU_OPS_SYNC=0";
  const auto row = passed(draft);
  REQUIRE(row);
  CHECK((*row)["verdict"] == "downgraded");
  CHECK_FALSE(row->contains("example"));
  CHECK(dump_json(*row).find("NPU_OPS_SYNC") == std::string::npos);
}

TEST_CASE("prose that names a parameter of its own does not leave at all, wherever it stands") {
  const std::string hidden = "Set NPU_OPS_SYNC=0 too.";
  for (const auto plant : std::vector<void (*)(Draft&, const std::string&)>{
           [](Draft&d, const std::string&t) { d.measure += t; }, [](Draft&d, const std::string&t) { d.risk = t; },
           [](Draft&d, const std::string&t) { d.gain.how = t; },
           [](Draft&d, const std::string&t) { d.conditions.push_back(t); },
           [](Draft&d, const std::string&t) {
             d.where.push_back({"", 0, t});
           }}) {
    Draft draft = queue_draft();
    plant(draft, hidden);
    CHECK_FALSE(passed(draft));
  }
}

TEST_CASE("R4: no address leaves, and no document that the list does not hold") {
  Draft draft = queue_draft();
  draft.links = {"TASK_QUEUE_ENABLE", "Some blog"};
  const auto row = passed(draft);
  REQUIRE(row);
  CHECK((*row)["links"] == Json::array({"TASK_QUEUE_ENABLE"}));
  draft.measure = "See https://example.com/doc.";
  CHECK_FALSE(passed(draft));
}

TEST_CASE("a finding may name what the profile holds, and advises nothing") {
  Draft draft = queue_draft();
  draft.finding = "aclrtSynchronizeStream takes 130 ms a step.";
  CHECK(passed(draft));
  draft.finding = "Slow. Set TASK_QUEUE_ENABLE=2.";
  CHECK_FALSE(passed(draft));
  draft.finding = "Slow. export NPU_OPS_SYNC=0";
  CHECK_FALSE(passed(draft));
}

TEST_CASE("a class that carries a parameter goes by the parameter's entry") {
  Draft draft = queue_draft();
  draft.parameters = {{"pin_memory", "True"}};
  draft.example = "loader = torch.utils.data.DataLoader(dataset, pin_memory=True)";
  const auto row = passed(draft);
  REQUIRE(row);
  CHECK((*row)["verdict"] == "accepted");
}

}  // namespace stepwise::advice
