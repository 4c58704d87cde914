#include "kernel_times.h"

#include <string_view>
#include <unordered_map>

namespace stepwise::graph_fusion {
namespace {

namespace kernel = table::kernel;
namespace node = table::graph_node;

using Totals = std::unordered_map<std::string_view, int64_t>;

template <class Key>
OperatorTimes shared_out(const Graph& graph, const Totals& totals, const char* matched_by, Key key) {
  OperatorTimes times;
  times.matched_by = matched_by;
  times.total_ns.resize(graph.size());
  std::unordered_map<std::string_view, int64_t> sharers, served;
  for (size_t i = 0; i < graph.size(); ++i) {
    if (graph.is_operator[i] != 0 && totals.count(key(i)) != 0) ++sharers[key(i)];
  }
  for (size_t i = 0; i < graph.size(); ++i) {
    const auto among = graph.is_operator[i] != 0 ? sharers.find(key(i)) : sharers.end();
    if (among == sharers.end()) continue;
    const int64_t total = totals.at(key(i)), turn = served[key(i)]++;
    times.total_ns[i] = total / among->second + (turn < total % among->second ? 1 : 0);
    ++times.matched;
  }
  return times;
}

}  // namespace

OperatorTimes match_kernels(const sdk::Call& call, const sdk::TableView& kernels, const sdk::TableView& nodes,
                            const Graph& graph) {
  const auto name = kernels[kernel::name], type = kernels[kernel::op_type];
  const auto duration = kernels[kernel::dur_ns];
  Totals by_name, by_type;
  call.for_each_row(kernels.rows(), [&](uint64_t row) {
    by_name[name[row]] += duration[row];
    if (!type.is_null(row)) by_type[type[row]] += duration[row];
  });
  const auto node_name = nodes[node::name], node_type = nodes[node::op_type];
  OperatorTimes named = shared_out(graph, by_name, "node_name", [&](size_t i) { return node_name[graph.rows[i]]; });
  OperatorTimes typed = shared_out(graph, by_type, "op_type", [&](size_t i) { return node_type[graph.rows[i]]; });
  if (named.any() && named.matched * 2 >= typed.matched) return named;
  if (typed.any()) return typed;
  return {};
}

}  // namespace stepwise::graph_fusion
