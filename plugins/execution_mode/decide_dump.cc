// Verdicts by a graph that was dumped beside the run, where nothing that ran proves more.
#include "decide_mode.h"

namespace stepwise::execution_mode {

bool decide_by_dump(const ModeEvidence& evidence, const Verdict& eager, const Declared& declared, Verdict& verdict) {
  const Sighting& dumps = evidence.graph_dumps;
  if (dumps.count == 0) return false;
  std::string says = std::to_string(dumps.count) +
                     (dumps.count == 1 ? " dumped graph: `" : " dumped graphs, the first is `") + dumps.first_name +
                     "`";
  // What shows that every operator ran by itself, and the caller says so: then the graph is of another run.
  if (eager.value == "eager" && declared.execution_mode == "eager") {
    verdict = eager;
    verdict.reasons.push_back({false, std::move(says), dumps.file, dumps.first_row});
    return true;
  }
  verdict.value = verdict.proof = "graph_dump";
  verdict.reasons.push_back({true, std::move(says), dumps.file, dumps.first_row});
  for (Reason reason : eager.reasons) {
    reason.speaks_for = !reason.speaks_for;
    verdict.reasons.push_back(std::move(reason));
  }
  verdict.needs_host_calls = verdict.needs_host_calls || eager.needs_host_calls;
  verdict.supply.insert(verdict.supply.begin(),
                        "Declare execution_mode: a dumped graph does not tell which graph mode ran it.");
  return true;
}

}  // namespace stepwise::execution_mode
