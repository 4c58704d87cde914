#include "core/engine/advise_text.h"

#include "tests/catch.h"

namespace stepwise::engine {
namespace {

Json row() {
  return {{"priority", "high"},
          {"finding", "Communication is not hidden."},
          {"measure", "Issue collectives asynchronously, and wait for each result only where it is used."},
          {"share_ratio", 0.519},
          {"trigger",
           {{"metric", "comm.not_overlapped_ratio"}, {"value", 0.7}, {"threshold", 0.3}, {"tool", "comm_overlap"}}},
          {"gain", {{"bound_us", 51900.0}, {"how", "compare before and after"}}},
          {"condition", "possible"},
          {"conditions", {"The profile does not tell mode.value: check it."}},
          {"parameters",
           {{{"name", "TASK_QUEUE_ENABLE"},
             {"value", "2"},
             {"status", "verified"},
             {"source", "Guide https://example.com/queue"},
             {"conditions", {"from version 7"}}}}},
          {"where", {{{"how", "the training script"}, {"file", "train.py"}, {"line", 12}}}},
          {"risk_kind", "memory"},
          {"risk", "More memory is used."},
          {"verdict", "accepted"},
          {"hardware", "ascend"},
          {"links", Json::array({"Queue"})},
          {"example", "import os\n\nif True:\n  run()"}};
}

const Json kLinks = {{{"name", "Queue"}, {"address", "https://example.com/queue"}}};

}  // namespace

TEST_CASE("a piece of advice stands alone in the text, nothing of it cut") {
  CHECK(advice_text(1, row(), kLinks, "en") ==
        "1. [high, 51.9 % of the step at most] Communication is not hidden. -> Issue collectives asynchronously, and "
        "wait for each result only where it is used.\n"
        "   trigger: comm.not_overlapped_ratio = 0.700 (threshold 0.300), from comm_overlap\n"
        "   gain: at most 51,900 us; compare before and after\n"
        "   set: TASK_QUEUE_ENABLE=2 (Guide https://example.com/queue), if: from version 7\n"
        "   possible: the profile cannot confirm it\n"
        "   conditions: The profile does not tell mode.value: check it.\n"
        "   where: train.py:12 the training script\n"
        "   risk: memory: More memory is used.\n"
        "   hardware: ascend\n"
        "   documents: [Queue] https://example.com/queue\n"
        "   example:\n       import os\n       if True:\n         run()\n");
}

TEST_CASE("a direction is called one; what is not known is not said") {
  Json direction = row();
  direction["verdict"] = "downgraded";
  direction["parameters"] = Json::array();
  direction["share_ratio"] = nullptr;
  const std::string english = advice_text(2, direction, kLinks, "en");
  CHECK(english.starts_with("2. [high] Communication"));
  CHECK(english.find("downgraded by the gate") != std::string::npos);
  CHECK(english.find("   set:") == std::string::npos);
  CHECK(advice_text(2, direction, kLinks, "zh").find("经校验降级") != std::string::npos);
}

TEST_CASE("what was judged is told with what rules lack most") {
  Json judged = {{"rules", 62},
                 {"fired", 4},
                 {"reserved", 5},
                 {"not_judged", 7},
                 {"lacking", {{{"metric", "mode.value"}, {"rules", 3}}}},
                 {"not_for_this_run", 9}};
  CHECK(
      advice_head({{"execution_mode", "eager"}}, judged) ==
      "context: execution_mode=eager\n"
      "62 rules: 4 fired, 7 lack a metric, 9 are for other hardware or scenarios, 5 wait for an analyzer\n"
      "ranked by the share of the step that the finding could give back at most; high, medium, low: how severe it is\n"
      "lacking (rules that ask for it): mode.value (3)\n");
  judged["without_row"] = {{{"rule", "a"}, {"why", "no measure fits this run"}}};
  CHECK(advice_head(Json::object(), judged).find("fired without a row: a: no measure fits this run\n") !=
        std::string::npos);
}

TEST_CASE("an item of a draft is told with each parameter that was refused, and its rewrite whole") {
  const std::string rewrite = "- Set a setting (parameter to be checked).\n\n" + std::string(900, 'w') + "\n";
  const Json item = {{"text", "- Set A=0;\nand B=1.\n"},
                     {"verdict", "refused"},
                     {"rule", "R1"},
                     {"reason", "No source for A."},
                     {"nearest", {"C"}},
                     {"parameters",
                      {{{"name", "A"},
                        {"value", "0"},
                        {"verdict", "refused"},
                        {"rule", "R1"},
                        {"reason", "No source for A."},
                        {"nearest", {"C", "D"}}},
                       {{"name", "B"},
                        {"value", nullptr},
                        {"verdict", "downgraded"},
                        {"rule", "R2"},
                        {"reason", "B is for graphs."},
                        {"nearest", Json::array()}}}},
                     {"lacks", {"trigger", "source"}},
                     {"rewrite", rewrite}};
  CHECK(item_text(3, item) ==
        "3. [refused, R1] - Set A=0;\n   and B=1.\n"
        "   A=0: refused, R1: No source for A.\n   nearest: C; D\n"
        "   B: downgraded, R2: B is for graphs.\n"
        "   lacks: trigger; source\n"
        "   rewrite:\n     - Set a setting (parameter to be checked).\n     " +
            std::string(900, 'w') + "\n");
  CHECK(item_text(1, {{"text", "x"}, {"verdict", "downgraded"}, {"rule", "R5"}, {"reason", "Nobody measured it."}}) ==
        "1. [downgraded, R5] x\n   reason: Nobody measured it.\n");
}

TEST_CASE("wrong figures stand beside what was measured") {
  const Json body = {{"counts",
                      {{"accepted", 1},
                       {"downgraded", 0},
                       {"refused", 2},
                       {"figures_right", 0},
                       {"figures_wrong", 1},
                       {"figures_open", 1}}},
                     {"left_out", 4},
                     {"next_start", 2},
                     {"figures",
                      {{{"text", "12 %"},
                        {"claimed", 12.0},
                        {"measured", 51.5},
                        {"ok", false},
                        {"where", "overview/a"},
                        {"what", "free, a step"}},
                       {{"text", "3 ms"}, {"claimed", 3.0}, {"measured", nullptr}, {"ok", nullptr}}}}};
  CHECK(validation_head(body) ==
        "1 accepted, 0 downgraded, 2 refused; figures: 0 right, 1 wrong, 1 could not be checked\n"
        "4 items are left out: pass `start` 2 for the next of them, or a larger `limit`\n"
        "wrong figure: 12 %, measured 51.5 (free, a step; overview/a)\n"
        "not checked, since the sentence names nothing that is measured, or leaves open what: 3 ms\n");
}

}  // namespace stepwise::engine
