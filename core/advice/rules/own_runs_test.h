// Every kind of run that a measure may be for, for tests of our own measures.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/advice/gate/gate.h"
#include "core/advice/rules/drafts.h"
#include "core/advice/rules/own_rules_test.h"

namespace stepwise::advice {

struct Run {
  std::string mode, toolchain, scenario, framework;
  bool on_gpu;
};

inline std::vector<Run> runs() {
  std::vector<Run> runs;
  for (const char* scenario : {"training", "inference"}) {
    for (const char* mode :
         {"eager", "inductor_ascendc", "inductor_triton", "inductor_dvm", "inductor_mlir", "npu_graph"}) {
      runs.push_back({mode, "", scenario, "pytorch", false});
    }
    for (const char* mode : {"ge", "ge_autofuse"}) {
      for (const char* toolchain : {"", "ge_tf", "torchair", "atc"}) {
        const bool is_torch = std::string_view(toolchain) == "torchair";
        runs.push_back({mode, toolchain, scenario, is_torch ? "pytorch" : "tensorflow", false});
      }
    }
    for (const char* mode : {"eager", "inductor_triton", "cuda_graph"}) {
      runs.push_back({mode, "", scenario, "pytorch", true});
    }
  }
  return runs;
}

inline Answers answers_of(const Run& run) {
  const Json toolchain = run.toolchain.empty() ? Json() : Json(run.toolchain);
  return {{"open_profile", {{"kind", run.on_gpu ? "kineto" : "torch_npu"}, {"framework", run.framework}}},
          {"detect_scenario", {{"value", run.scenario}}},
          {"detect_execution_mode", {{"value", run.mode}, {"toolchain", toolchain}}}};
}

/// As if every rule of the book had fired.
inline Findings all_fired(const RuleBook& book) {
  Findings findings;
  for (const Rule& rule : book.rules()) {
    Finding finding;
    finding.rule = &rule;
    finding.trigger.metric = rule.trigger;
    finding.share_ratio = 0.1;
    findings.fired.push_back(std::move(finding));
  }
  return findings;
}

inline Gate gate_of(const Run& run) {
  return {own_knowledge(), Context{.mode = run.mode,
                                   .toolchain = run.toolchain,
                                   .scenario = run.scenario,
                                   .framework = run.framework,
                                   .on_gpu = run.on_gpu}};
}

}  // namespace stepwise::advice
