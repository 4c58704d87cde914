// Sums over one device's inference.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "clients/example/infer_run.h"
#include "clients/example/tally.h"

namespace stepwise::example {

struct InferTally {
  void add(const InferGraph& graph, const InferIteration& iteration);

  int64_t kernels = 0, calls = 0;
  int64_t first_ns = 0, last_ns = 0;
  TypeSums by_type;
  NameSums by_name;
  ApiSums by_api;
  std::vector<int64_t> executions_ns;  // of the model, by iteration
  int64_t input_copy_ns = 0, output_copy_ns = 0;
};

}  // namespace stepwise::example
