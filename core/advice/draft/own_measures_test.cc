// What advise says, as somebody's draft: in every kind of run that a measure is for, its texts and its code are
// accepted.
#include <set>
#include <string>

#include "core/advice/draft/validate.h"
#include "core/advice/rules/own_runs_test.h"
#include "tests/catch.h"

namespace stepwise::advice {

TEST_CASE("what our own measures say is accepted as a draft, wherever they are for") {
  const auto book = own_rules();
  std::set<std::string> seen;
  size_t count = 0;
  for (const Run& run : runs()) {
    const Gate gate = gate_of(run);
    const auto metrics = MetricSet::from(answers_of(run));
    for (const char* lang : {"en", "zh"}) {
      for (const Draft& draft : drafts(*book, all_fired(*book), metrics, lang, {})) {
        std::vector<std::string> texts = {draft.measure, draft.gain.how, draft.risk};
        if (!draft.example.empty()) texts.push_back("```\n" + draft.example + "\n```");
        texts.push_back(draft.example);
        for (const Place& one : draft.where) texts.push_back(one.how);
        for (const std::string& text : texts) {
          // A text means the same in every run of one mode and toolchain.
          if (text.empty() || !seen.insert(run.mode + run.toolchain + run.scenario + text).second) continue;
          ++count;
          const std::string items[] = {text};
          const Json answer = validate(gate, {}, items, lang);
          REQUIRE_FALSE(answer["items"].empty());
          for (const Json& item : answer["items"]) {
            INFO(draft.measure_id << " in " << run.mode << " " << run.toolchain << ": " << text << "\n"
                                  << item["reason"].get<std::string>());
            CHECK(item["verdict"] == Json("accepted"));
          }
        }
      }
    }
  }
  CHECK(count > 100);
}

}  // namespace stepwise::advice
