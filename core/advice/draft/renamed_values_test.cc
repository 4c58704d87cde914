// Values of a name that no source knows, where another name is put in its place.
#include <string>

#include "core/advice/draft/rewrites_test.h"
#include "tests/catch.h"

namespace stepwise::advice {
namespace {

std::string rewrite(const Gate& gate, std::string_view draft, std::string_view lang = "en") {
  const auto text = validate(gate, {}, draft, lang)["items"][0]["rewrite"].get<std::string>();
  return text.substr(0, text.find('\n'));
}

}  // namespace

TEST_CASE("what turns off a wrong name never tells to set the right one") {
  const Gate gate = eager();
  for (const std::string off : {"0", "off", "false"}) {
    CHECK(rewrite(gate, "- Set `NPU_OPS_SYNC=" + off + "`.") ==
          "- Set nothing (`ASCEND_LAUNCH_BLOCKING` has that value by default).");
  }
  CHECK(rewrite(gate, "- 设置 `NPU_OPS_SYNC=0`。", "zh") ==
        "- 设置 无(`ASCEND_LAUNCH_BLOCKING` 默认即为该值，无需设置)。");
  CHECK(fault_of_rewrites(gate, "- Set `NPU_OPS_SYNC=0`; it is 2x faster.", "en") == "");
  CHECK(fault_of_rewrites(gate, "- Set `NPU_OPS_SYNC=off`.", "zh") == "");
}

TEST_CASE("no entry of the knowledge that is put in another's place is told to be set where the draft sets it off") {
  size_t tried = 0;
  for (const Parameter& wrong : own_knowledge()->parameters()) {
    if (wrong.instead.empty() || wrong.kind != ParameterKind::env) continue;
    for (const Gate& gate : {eager(), compiled(), undetermined()}) {
      const std::string text = rewrite(gate, "- Set `" + wrong.name + "=0`.");
      INFO(text);
      for (const std::string& id : wrong.instead) {
        const std::string& right = own_knowledge()->find(id)->name;
        if (text.find(right) == text.npos) continue;
        ++tried;
        // Off stays off: it has that value, or is given it.
        const bool keeps = text.find("has that value by default") != text.npos || text.find(right + "=0") != text.npos;
        CHECK(keeps);
      }
    }
  }
  CHECK(tried > 0);
}

TEST_CASE("a misspelled name keeps its value") {
  CHECK(rewrite(eager(), "- Set `TASK_QUEUE_ENABEL=2`.") == "- Set `export TASK_QUEUE_ENABLE=2`.");
  CHECK(rewrite(eager(), "- Set `TASK_QUEUE_ENABEL=1`.") ==
        "- Set nothing (`TASK_QUEUE_ENABLE` has that value by default).");
}

}  // namespace stepwise::advice
