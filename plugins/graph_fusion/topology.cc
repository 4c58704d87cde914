#include "topology.h"

#include <algorithm>
#include <vector>

namespace stepwise::graph_fusion {
namespace {

/// Tarjan's components without recursion, over the nodes that no topological order reaches.
uint64_t count_cycles(const Graph& graph, const Order& order) {
  constexpr uint32_t kNone = UINT32_MAX;
  struct Visit {
    uint32_t node;
    const uint32_t* next;
  };
  std::vector<uint32_t> number(graph.size(), kNone), low(graph.size(), 0);
  std::vector<uint8_t> on_stack(graph.size(), 0);
  std::vector<uint32_t> stack;
  std::vector<Visit> visits;
  uint32_t counter = 0;
  uint64_t cycles = 0;
  const auto enter = [&](uint32_t node) {
    number[node] = low[node] = counter++;
    stack.push_back(node);
    on_stack[node] = 1;
    visits.push_back({node, graph.consumers.first(node)});
  };
  const auto leave = [&](uint32_t node) {
    visits.pop_back();
    if (!visits.empty()) low[visits.back().node] = std::min(low[visits.back().node], low[node]);
    if (low[node] != number[node]) return;
    size_t members = 0;
    for (uint32_t one = kNone; one != node; ++members) {
      one = stack.back();
      stack.pop_back();
      on_stack[one] = 0;
    }
    const bool feeds_itself = std::binary_search(graph.consumers.first(node), graph.consumers.last(node), node);
    if (members > 1 || feeds_itself) ++cycles;
  };
  for (size_t i = order.acyclic; i < order.nodes.size(); ++i) {
    if (number[order.nodes[i]] == kNone) enter(order.nodes[i]);
    while (!visits.empty()) {
      Visit& top = visits.back();
      if (top.next == graph.consumers.last(top.node)) {
        leave(top.node);
        continue;
      }
      const uint32_t consumer = *top.next++;
      if (number[consumer] == kNone) {
        enter(consumer);
      } else if (on_stack[consumer] != 0) {
        low[top.node] = std::min(low[top.node], number[consumer]);
      }
    }
  }
  return cycles;
}

void measure_levels(const Graph& graph, const Order& order, Topology& out) {
  std::vector<uint32_t> level(graph.size(), 1);
  std::vector<uint64_t> on_level;
  uint64_t width = 0;
  for (const uint32_t one : order.nodes) {
    for (const uint32_t* p = graph.producers.first(one); p != graph.producers.last(one); ++p) {
      level[one] = std::max(level[one], level[*p] + 1);
    }
    on_level.resize(std::max<size_t>(on_level.size(), level[one]), 0);
    width = std::max(width, ++on_level[level[one] - 1]);
  }
  out.depth = on_level.size();
  out.width = width;
}

}  // namespace

Topology measure(const Graph& graph, const Order& order, const GraphInfo& info) {
  Topology out;
  out.nodes = graph.size();
  out.edges = graph.edges();
  out.control_edges = graph.control_edges;
  if (info.format == "inductor") return out;
  uint64_t branching = 0, roots = 0, leaves = 0;
  for (size_t i = 0; i < graph.size(); ++i) {
    branching = std::max<uint64_t>(branching, graph.consumers.size(i));
    roots += graph.producers.size(i) == 0 ? 1 : 0;
    leaves += graph.consumers.size(i) == 0 ? 1 : 0;
  }
  out.roots = roots;
  out.leaves = leaves;
  if (order.acyclic < graph.size()) {
    out.cycles = count_cycles(graph, order);
    return out;
  }
  out.branching = branching;
  if (!info.is_code() || graph.edges() > 0) measure_levels(graph, order, out);
  return out;
}

}  // namespace stepwise::graph_fusion
