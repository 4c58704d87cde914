// One dumped graph out of the tables: which there are, which one is meant, its nodes and data edges.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stepwise/sdk.hpp"

namespace stepwise::graph_fusion {

struct GraphInfo {
  int32_t code = 0;  // of the column `graph`
  std::string_view name, format;
  uint64_t nodes = 0, operators = 0;

  /// Generated code and fx: what is no call is no node, and inductor has no edges.
  bool is_code() const { return format == "inductor" || format == "fx"; }
};

/// In file order. Empty after a cancellation.
std::vector<GraphInfo> list_graphs(const sdk::Call& call, const sdk::TableView& nodes);

/// Index of the graph whose name is, or else contains, `wanted` (in any case); without one: the graph with most
/// operators among the last stage's of GE dumps and generated code (fx only where there is none, an execution trace
/// only where there is no other graph). nullopt: none fits.
std::optional<size_t> choose_graph(const std::vector<GraphInfo>& graphs, std::optional<std::string_view> wanted);

/// Lists of nodes by node, one after another.
struct Lists {
  std::vector<uint32_t> begin, items;  // items[begin[i]] up to items[begin[i + 1]] belong to node i

  const uint32_t* first(size_t node) const { return items.data() + begin[node]; }
  const uint32_t* last(size_t node) const { return items.data() + begin[node + 1]; }
  uint32_t size(size_t node) const { return begin[node + 1] - begin[node]; }
};

struct Graph {
  std::vector<uint64_t> rows;        // node -> row of graph_node
  std::vector<uint8_t> is_operator;  // by node
  Lists producers, consumers;        // distinct, by data edges, ascending
  uint64_t control_edges = 0;

  size_t size() const { return rows.size(); }
  uint64_t edges() const { return producers.items.size(); }
};

Graph load_graph(const sdk::Call& call, const sdk::TableView& nodes, const std::optional<sdk::TableView>& edges,
                 int32_t graph_code);

/// The operators alone, and the edges between them.
Graph operators_of(const Graph& graph);

/// Producers before consumers, ties in file order; what lies on or behind a cycle comes last, in file order.
struct Order {
  std::vector<uint32_t> nodes;
  size_t acyclic = 0;  // how many of them come before those
};
Order topological_order(const Graph& graph);

}  // namespace stepwise::graph_fusion
