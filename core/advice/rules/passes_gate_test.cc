// Our own measures against our own gate: in every kind of run that a measure is for, what it proposes is accepted as a
// whole. A measure that the gate cuts down says something that it should not.
#include <set>

#include "core/advice/gate/gate.h"
#include "core/advice/rules/drafts.h"
#include "core/advice/rules/own_runs_test.h"
#include "tests/catch.h"

namespace stepwise::advice {

TEST_CASE("every measure passes the gate whole, wherever it is for") {
  const auto book = own_rules();
  std::set<std::string> seen;
  for (const Run& run : runs()) {
    const Gate gate = gate_of(run);
    const auto metrics = MetricSet::from(answers_of(run));
    for (const char* lang : {"en", "zh"}) {
      for (const Draft& draft : drafts(*book, all_fired(*book), metrics, lang, {}, book->measures().size())) {
        const auto passed = gate.pass(draft);
        std::string proposed;
        for (const Proposed& one : draft.parameters) {
          const Verdict verdict = gate.check(one);
          proposed +=
              " " + one.name + "=" + one.value.value_or("") + " " + to_string(verdict.decision) + " " + verdict.reason;
        }
        INFO(draft.measure_id << " in " << run.mode << " " << run.toolchain << " " << run.scenario
                              << (run.on_gpu ? " on GPUs" : "") << ":" << proposed << "\n"
                              << draft.example << "\n"
                              << draft.measure);
        CHECK(passed.has_value());
        if (passed) CHECK(passed->decision() == Decision::accepted);
        seen.insert(draft.measure_id);
      }
    }
  }
  for (const Measure& measure : book->measures()) {
    INFO(measure.id);
    CHECK(seen.contains(measure.id));
  }
}

}  // namespace stepwise::advice
