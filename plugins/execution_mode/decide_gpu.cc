// Verdicts on GPU traces: CUDA graphs by their launches, eager by what launched each kernel.
#include <cstdio>

#include "decide_mode.h"

namespace stepwise::execution_mode {
namespace {

void add(Verdict& verdict, bool speaks_for, std::string says, const Sighting& where) {
  verdict.reasons.push_back({speaks_for, std::move(says), where.file, where.first_row});
}

std::string percent(double part, double whole) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", whole > 0 ? part / whole * 100 : 0.0);
  return text;
}

/// "3 of 40 kernels with 1.2 % of the kernels' time"
std::string share_of_kernels(const ModeEvidence& evidence, const Sighting& some) {
  return std::to_string(some.count) + " of " + std::to_string(evidence.kernels_looked_at()) + " kernels with " +
         percent(static_cast<double>(some.total_ns), static_cast<double>(evidence.kernels_looked_at_ns())) +
         " of the kernels' time";
}

bool has_eager_part(const ModeEvidence& evidence) {
  constexpr double kShareThatCounts = 0.05;
  return static_cast<double>(evidence.by_operator.total_ns) >
         kShareThatCounts * static_cast<double>(evidence.kernels_looked_at_ns());
}

}  // namespace

bool decide_by_cuda_graph(const ModeEvidence& evidence, Verdict& verdict) {
  const Sighting &launches = evidence.cuda_graph_launch, &single = evidence.single_launch;
  if (launches.count == 0) return false;
  std::string says = std::to_string(launches.count) + " launches of a captured graph (`" + launches.first_name + "`)";
  if (single.count > 0) {
    says += ", " + percent(static_cast<double>(launches.count), static_cast<double>(launches.count + single.count)) +
            " of all launches";
  }
  add(verdict, true, std::move(says), launches);
  const Sighting &in_graph = evidence.in_graph, &unseen = evidence.launch_not_seen;
  if (in_graph.count > 0) {
    add(verdict, true, share_of_kernels(evidence, in_graph) + " run in these graphs", in_graph);
  }
  if (single.count > 0) {
    add(verdict, false,
        std::to_string(single.count) + " launches of one kernel each (the first is `" + single.first_name + "`)",
        single);
  }
  if (evidence.by_operator.count > 0) {
    add(verdict, false,
        share_of_kernels(evidence, evidence.by_operator) +
            " are launched one by one by framework operators: an eager part beside the graphs",
        evidence.by_operator);
  }
  if (evidence.by_no_operator.count > 0) {
    add(verdict, false, share_of_kernels(evidence, evidence.by_no_operator) + " are launched by no framework operator",
        evidence.by_no_operator);
  }
  if (unseen.count > 0) {
    add(verdict, false, share_of_kernels(evidence, unseen) + ": their launches were not recorded", unseen);
  }
  if (in_graph.count == 0) {
    add(verdict, false, "no kernel can be linked to a launch of a graph: how much ran in graphs is not known",
        launches);
  }
  verdict.value = "cuda_graph";
  verdict.proof = "graph_launch";
  verdict.has_eager_part = has_eager_part(evidence);
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
