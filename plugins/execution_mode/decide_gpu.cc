// Verdicts on GPU traces: CUDA graphs by their launches, eager by what launched each kernel.
#include "decide_mode.h"

namespace stepwise::execution_mode {
namespace {

void add(Verdict& verdict, bool speaks_for, std::string says, const Sighting& where) {
  verdict.reasons.push_back({speaks_for, std::move(says), where.file, where.first_row});
}

}  // namespace

bool decide_by_cuda_graph(const ModeEvidence& evidence, Verdict& verdict) {
  const Sighting& launches = evidence.cuda_graph_launch;
  if (launches.count == 0) return false;
  add(verdict, true, std::to_string(launches.count) + " launches of a captured graph (`" + launches.first_name + "`)",
      launches);
  if (evidence.by_operator.count > 0) {
    add(verdict, false,
        std::to_string(evidence.by_operator.count) +
            " kernels are launched one by one by framework operators; some may stand beside a graph",
        evidence.by_operator);
  }
  verdict.value = "cuda_graph";
  verdict.proof = "graph_launch";
  return true;
}

void decide_gpu_eager(const ModeEvidence& evidence, Verdict& verdict) {
  const Sighting &by_operator = evidence.by_operator, &unseen = evidence.launch_not_seen;
  const Sighting &other = evidence.by_no_operator, &region = evidence.compiled_region;
  if (region.count > 0) {
    add(verdict, false,
        std::to_string(region.count) + " ranges of compiled code, the first is `" + region.first_name + "`", region);
  }
  if (other.count > 0) {
    add(verdict, false,
        std::to_string(other.count) + " kernels are launched by no framework operator, the first is `" +
            other.first_name + "`",
        other);
  }
  if (unseen.count > 0) {
    add(verdict, false,
        "the launches of " + std::to_string(unseen.count) +
            " kernels were not recorded; work queued before recording "
            "began is so",
        unseen);
  }
  if (by_operator.count > 0) {
    add(verdict, true, std::to_string(by_operator.count) + " kernels are launched by framework operators", by_operator);
  }
  // Kernels whose launch was not recorded prove nothing either way, as long as they are not the most.
  if (region.count == 0 && other.count == 0 && by_operator.count > unseen.count) {
    add(verdict, true, "no fused kernel, no graph launch", by_operator);
    verdict.value = "eager";
    verdict.proof = "launches";
    return;
  }
  verdict.supply = {"Declare execution_mode.", "Or record a step whose kernels are all launched while recording runs."};
}

}  // namespace stepwise::execution_mode
