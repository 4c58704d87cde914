// truth.json of an inference run.
#pragma once

#include <vector>

#include "clients/example/infer_graph.h"
#include "clients/example/infer_tally.h"
#include "core/base/json.h"

namespace stepwise::example {

/// One tally for each device, in order.
Json build_infer_truth(const ExampleOptions& options, const Facts& facts, const InferGraph& graph,
                       const std::vector<InferTally>& tallies);

}  // namespace stepwise::example
