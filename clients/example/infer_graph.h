// A recommendation model as GE compiles it: nodes in the order in which the device runs them, and the structures that
// repeat among them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "clients/example/facts.h"
#include "clients/example/operators.h"

namespace stepwise::example {

struct GraphNode {
  std::string name, type;
  std::vector<int> inputs;  // indices of nodes, each by its first output
  std::string shape;        // of the output: 8,16; empty: a scalar
  std::string dtype;        // DT_FLOAT
  int kernel = -1;          // index into InferGraph::kernels; -1: nothing to run (inputs, weights, the output)
};

struct Repeat {
  std::vector<std::string> signature;  // types of operators, in order
  int count = 0;
};

struct InferGraph {
  explicit InferGraph(const Facts& facts);

  std::vector<GraphNode> nodes;  // topological
  std::vector<KernelSpec> kernels;
  std::vector<Repeat> repeats;

  int64_t edges() const;

 private:
  int add(std::string name, std::string type, std::vector<int> inputs, std::string shape, std::string dtype);
  /// A node that runs on the device.
  int run(const std::string& name, const std::string& type, Core core, std::vector<int> inputs,
          const std::string& shape, int64_t base_ns, int block_dim);
  int embed(const Facts& facts, int field);
  int densify(const Facts& facts, int block, int input);
};

}  // namespace stepwise::example
