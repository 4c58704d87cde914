// How large, deep and wide a graph is.
#pragma once

#include <cstdint>
#include <optional>

#include "graph.h"

namespace stepwise::graph_fusion {

/// Edges are distinct pairs of producer and consumer by data edges; control edges count apart and for nothing else.
struct Topology {
  uint64_t nodes = 0, edges = 0, control_edges = 0;
  uint64_t cycles = 0;                               // strongly connected components that hold a cycle
  std::optional<uint64_t> depth, width;              // null with a cycle, and for code without edges
  std::optional<uint64_t> branching, roots, leaves;  // branching is null with a cycle
};

/// Generated code has no edges that one could see: what depends on them is null there.
Topology measure(const Graph& graph, const Order& order, const GraphInfo& info);

}  // namespace stepwise::graph_fusion
