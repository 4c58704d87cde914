#include "graph.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_map>

namespace stepwise::graph_fusion {
namespace {

namespace node = table::graph_node;
namespace edge = table::graph_edge;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_ge(const GraphInfo& graph) { return graph.format.starts_with("ge_"); }

/// ge_proto_00000123_graph_1_Build.txt
bool is_build(const GraphInfo& graph) {
  const std::string_view name = file_name(graph.name);
  return name.substr(0, name.find('.')).ends_with("_Build");
}

/// The dumps of a run are numbered: the 123 of ge_proto_00000123_graph_1_Build.txt; -1: none.
int64_t dump_index(const GraphInfo& graph) {
  const std::string_view name = file_name(graph.name);
  const size_t begin = name.find_first_of("0123456789");
  if (begin == std::string_view::npos) return -1;
  int64_t index = 0;
  for (size_t i = begin; i < name.size() && i < begin + 18 && name[i] >= '0' && name[i] <= '9'; ++i) {
    index = index * 10 + (name[i] - '0');
  }
  return index;
}

/// By counting, then small sorts: linear in nodes and edges.
Lists lists_of(size_t nodes, const std::vector<uint32_t>& owners, const std::vector<uint32_t>& members) {
  std::vector<uint32_t> begin(nodes + 1, 0);
  for (const uint32_t owner : owners) ++begin[owner + 1];
  for (size_t i = 0; i < nodes; ++i) begin[i + 1] += begin[i];
  std::vector<uint32_t> items(members.size()), at(begin.begin(), begin.end() - 1);
  for (size_t i = 0; i < owners.size(); ++i) items[at[owners[i]]++] = members[i];
  Lists lists;
  lists.begin.assign(1, 0);
  lists.items.reserve(items.size());
  for (size_t i = 0; i < nodes; ++i) {
    const auto first = items.begin() + begin[i], last = items.begin() + begin[i + 1];
    std::sort(first, last);
    lists.items.insert(lists.items.end(), first, std::unique(first, last));
    lists.begin.push_back(static_cast<uint32_t>(lists.items.size()));
  }
  return lists;
}

}  // namespace

std::vector<GraphInfo> list_graphs(const sdk::Call& call, const sdk::TableView& nodes) {
  const auto graph = nodes[node::graph], format = nodes[node::format], role = nodes[node::role];
  std::vector<GraphInfo> graphs;
  std::unordered_map<int32_t, size_t> known;
  const bool done = call.for_each_row(nodes.rows(), [&](uint64_t row) {
    const int32_t code = graph.code(row);
    const auto [it, is_new] = known.try_emplace(code, graphs.size());
    if (is_new) graphs.push_back({code, graph[row], format[row]});
    ++graphs[it->second].nodes;
    graphs[it->second].operators += role[row] == "operator" ? 1 : 0;
  });
  return done ? graphs : std::vector<GraphInfo>{};
}

std::optional<size_t> choose_graph(const std::vector<GraphInfo>& graphs, std::optional<std::string_view> wanted) {
  std::vector<size_t> fit;
  for (size_t i = 0; i < graphs.size(); ++i) {
    if (wanted && graphs[i].name == *wanted) return i;
    if (!wanted || lower(graphs[i].name).find(lower(*wanted)) != std::string::npos) fit.push_back(i);
  }
  const auto any = [&](auto is) {
    return std::any_of(fit.begin(), fit.end(), [&](size_t i) { return is(graphs[i]); });
  };
  const auto keep = [&](auto is) { std::erase_if(fit, [&](size_t i) { return !is(graphs[i]); }); };
  // What was called is no structure that somebody built.
  if (any([](const GraphInfo& one) { return one.format != "execution_trace"; })) {
    keep([](const GraphInfo& one) { return one.format != "execution_trace"; });
  }
  if (any([](const GraphInfo& one) { return one.format == "inductor"; })) {
    keep([](const GraphInfo& one) { return one.format != "fx"; });
  }
  if (any([](const GraphInfo& one) { return is_ge(one) && is_build(one); })) {
    keep([](const GraphInfo& one) { return !is_ge(one) || is_build(one); });
  } else {
    int64_t latest = -1;
    for (const size_t i : fit) latest = std::max(latest, is_ge(graphs[i]) ? dump_index(graphs[i]) : -1);
    keep([&](const GraphInfo& one) { return !is_ge(one) || dump_index(one) == latest; });
  }
  const auto best = std::max_element(fit.begin(), fit.end(), [&](size_t a, size_t b) {
    return graphs[a].operators < graphs[b].operators;  // the first of equals
  });
  return best == fit.end() ? std::nullopt : std::optional(*best);
}

Graph load_graph(const sdk::Call& call, const sdk::TableView& nodes, const std::optional<sdk::TableView>& edges,
                 int32_t graph_code) {
  constexpr uint32_t kNotHere = UINT32_MAX;
  const auto graph = nodes[node::graph], role = nodes[node::role];
  Graph out;
  std::vector<uint32_t> node_of(nodes.rows(), kNotHere);
  call.for_each_row(nodes.rows(), [&](uint64_t row) {
    if (graph.code(row) != graph_code) return;
    node_of[row] = static_cast<uint32_t>(out.rows.size());
    out.rows.push_back(row);
    out.is_operator.push_back(role[row] == "operator" ? 1 : 0);
  });
  std::vector<uint32_t> from, to;
  if (edges) {
    const auto source = (*edges)[edge::src_id], target = (*edges)[edge::dst_id];
    const auto kind = (*edges)[edge::kind];
    const auto here = [&](int64_t id) {
      return id >= 0 && static_cast<uint64_t>(id) < nodes.rows() ? node_of[static_cast<uint64_t>(id)] : kNotHere;
    };
    call.for_each_row(edges->rows(), [&](uint64_t row) {
      const uint32_t a = here(source[row]), b = here(target[row]);
      if (a == kNotHere || b == kNotHere) return;
      if (kind[row] == "control") {
        ++out.control_edges;
      } else {
        from.push_back(a);
        to.push_back(b);
      }
    });
  }
  out.producers = lists_of(out.size(), to, from);
  out.consumers = lists_of(out.size(), from, to);
  return out;
}

Graph operators_of(const Graph& graph) {
  Graph out;
  std::vector<uint32_t> new_index(graph.size());
  for (size_t i = 0; i < graph.size(); ++i) {
    if (graph.is_operator[i] == 0) continue;
    new_index[i] = static_cast<uint32_t>(out.rows.size());
    out.rows.push_back(graph.rows[i]);
  }
  out.is_operator.assign(out.rows.size(), 1);
  std::vector<uint32_t> from, to;
  for (size_t i = 0; i < graph.size(); ++i) {
    if (graph.is_operator[i] == 0) continue;
    for (const uint32_t* p = graph.producers.first(i); p != graph.producers.last(i); ++p) {
      if (graph.is_operator[*p] == 0) continue;
      from.push_back(new_index[*p]);
      to.push_back(new_index[i]);
    }
  }
  out.producers = lists_of(out.size(), to, from);
  out.consumers = lists_of(out.size(), from, to);
  return out;
}

Order topological_order(const Graph& graph) {
  Order order;
  order.nodes.reserve(graph.size());
  std::vector<uint32_t> waiting(graph.size());
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
  for (uint32_t i = 0; i < graph.size(); ++i) {
    waiting[i] = graph.producers.size(i);
    if (waiting[i] == 0) ready.push(i);
  }
  while (!ready.empty()) {
    const uint32_t one = ready.top();
    ready.pop();
    order.nodes.push_back(one);
    for (const uint32_t* c = graph.consumers.first(one); c != graph.consumers.last(one); ++c) {
      if (--waiting[*c] == 0) ready.push(*c);
    }
  }
  order.acyclic = order.nodes.size();
  for (uint32_t i = 0; i < graph.size() && order.nodes.size() < graph.size(); ++i) {
    if (waiting[i] > 0) order.nodes.push_back(i);
  }
  return order;
}

}  // namespace stepwise::graph_fusion
