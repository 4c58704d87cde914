#include "clients/example/infer_tally.h"

#include <string>

namespace stepwise::example {

void InferTally::add(const InferGraph& graph, const InferIteration& iteration) {
  if (calls == 0) first_ns = iteration.calls[kExecute].start_ns;
  last_ns = iteration.calls[kExecute].end_ns;
  for (const InferCall& call : iteration.calls) {
    ++calls;
    by_api[{std::string(call.api), call.level}].add(call.end_ns - call.start_ns);
  }
  for (const InferKernel& run : iteration.kernels) {
    ++kernels;
    const GraphNode& node = graph.nodes[static_cast<size_t>(run.node)];
    const KernelSpec& spec = graph.kernels[static_cast<size_t>(node.kernel)];
    by_type[{spec.type, spec.core}].add(run.end_ns - run.start_ns);
    by_name[{spec.name, spec.type}].add(run.end_ns - run.start_ns);
  }
  const auto lasted = [&](InferCallPlace place) {
    return iteration.calls[place].end_ns - iteration.calls[place].start_ns;
  };
  executions_ns.push_back(lasted(kModelExecute));
  input_copy_ns += lasted(kInputCopy);
  output_copy_ns += lasted(kOutputCopy);
}

}  // namespace stepwise::example
