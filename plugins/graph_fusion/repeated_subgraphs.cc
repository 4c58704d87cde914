// Structures that a graph repeats: found in its order, timed by its kernels, ranked.
#include <algorithm>
#include <numeric>
#include <string>

#include "graph.h"
#include "graph_fusion.h"
#include "kernel_times.h"
#include "ranking.h"
#include "repeats.h"
#include "topology.h"

namespace stepwise::graph_fusion {
namespace {

using sdk::JsonWriter;
namespace node = table::graph_node;
namespace kernel = table::kernel;

constexpr size_t kMaxRows = 1'000;      // what one call can show
constexpr size_t kMaxBytes = 3u << 20;  // of the rows, below what a result may have
constexpr size_t kGraphsListed = 10;
constexpr size_t kRowsInEvidence = 3;

struct Request {
  std::optional<std::string> graph;
  RepeatOptions options;
  std::optional<size_t> instances;  // not asked for: where the first one starts
};

Request read_request(const sdk::Args& args) {
  Request request;
  request.graph = args.text("graph");
  const auto number = [&](std::string_view key, uint32_t otherwise) {
    return static_cast<uint32_t>(args.integer(key).value_or(otherwise));
  };
  request.options.min_length = number("min_len", request.options.min_length);
  request.options.max_length = number("max_len", request.options.max_length);
  request.options.min_count = number("min_count", request.options.min_count);
  if (const auto instances = args.integer("instances")) request.instances = static_cast<size_t>(*instances);
  return request;
}

/// The operators in their order, as the search wants them. node_at: position -> node.
Sequence sequence_of(const Graph& graph, const Order& order, const sdk::TableView& nodes, bool has_edges,
                     std::vector<uint32_t>& node_at) {
  constexpr uint32_t kNoOperator = UINT32_MAX;
  const auto type = nodes[node::op_type];
  Sequence sequence;
  sequence.has_edges = has_edges;
  std::vector<uint32_t> position(graph.size(), kNoOperator);
  for (const uint32_t one : order.nodes) {
    if (graph.is_operator[one] == 0) continue;
    position[one] = static_cast<uint32_t>(node_at.size());
    node_at.push_back(one);
    sequence.types.push_back(type.code(graph.rows[one]));
  }
  sequence.earlier.resize(node_at.size());
  sequence.only_consumer.assign(node_at.size(), -1);
  for (uint32_t at = 0; at < node_at.size(); ++at) {
    for (const uint32_t* p = graph.producers.first(node_at[at]); p != graph.producers.last(node_at[at]); ++p) {
      if (position[*p] == kNoOperator || position[*p] == at) continue;
      sequence.earlier[std::max(at, position[*p])].push_back(std::min(at, position[*p]));
    }
    const bool feeds_one = graph.consumers.size(node_at[at]) == 1;
    const uint32_t consumer = feeds_one ? position[*graph.consumers.first(node_at[at])] : kNoOperator;
    if (consumer != kNoOperator && consumer > at) sequence.only_consumer[at] = consumer;  // never around a cycle
  }
  for (std::vector<uint32_t>& one : sequence.earlier) std::sort(one.begin(), one.end());
  return sequence;
}

void write_topology(JsonWriter& w, const Topology& topology) {
  w.field("nodes", topology.nodes).field("edges", topology.edges).field("control_edges", topology.control_edges);
  w.field("depth", topology.depth).field("width", topology.width).field("branching", topology.branching);
  w.field("roots", topology.roots).field("leaves", topology.leaves).field("cycles", topology.cycles);
}

class Answer {
 public:
  Answer(sdk::Call& call, const Request& request, const sdk::TableView& nodes,
         const std::optional<sdk::TableView>& edges)
      : call_(call), request_(request), nodes_(nodes), edges_(edges) {}

  int32_t give(const std::vector<GraphInfo>& graphs, size_t chosen, const std::optional<sdk::TableView>& kernels) {
    const GraphInfo& info = graphs[chosen];
    graph_ = load_graph(call_, nodes_, edges_, info.code);
    const Order order = topological_order(graph_);
    sequence_ = sequence_of(graph_, order, nodes_, info.format != "inductor", node_at_);
    RepeatResult found = find_repeats(sequence_, request_.options, [this] { return call_.cancelled(); });
    std::optional<OperatorTimes> times;
    if (kernels) times = match_kernels(call_, *kernels, nodes_, graph_);
    ranking_ = rank_repeats(std::move(found.repeats), sequence_, node_at_, times ? &*times : nullptr);

    w_.begin_object();
    w_.field("graph", info.name).field("format", info.format);
    write_graphs(graphs, chosen);
    w_.key("topology").begin_object();
    write_topology(w_, measure(graph_, order, info));
    const Graph operators = operators_of(graph_);
    w_.key("operators_only").begin_object();
    write_topology(w_, measure(operators, topological_order(operators), info));
    w_.end_object().end_object();
    write_totals(times);
    write_rows(times);
    write_metrics();
    write_evidence(info, kernels);
    write_next();
    w_.end_object();
    return call_.emit(w_);
  }

 private:
  /// The chosen one, then the largest of the others.
  void write_graphs(const std::vector<GraphInfo>& graphs, size_t chosen) {
    std::vector<size_t> order(graphs.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      if ((a == chosen) != (b == chosen)) return a == chosen;
      return graphs[a].operators > graphs[b].operators;
    });
    order.resize(std::min(order.size(), kGraphsListed));
    w_.field("graph_count", graphs.size()).key("graphs").begin_array();
    for (const size_t i : order) {
      w_.begin_object().field("name", graphs[i].name).field("format", graphs[i].format);
      w_.field("operators", graphs[i].operators).field("nodes", graphs[i].nodes).field("chosen", i == chosen);
      w_.end_object();
    }
    w_.end_array();
  }

  void write_totals(const std::optional<OperatorTimes>& times) {
    int64_t matched_ns = 0;
    if (times) {
      for (const auto& ns : times->total_ns) matched_ns += ns.value_or(0);
    }
    const bool has_times = times && times->any();
    w_.key("repeats").begin_object().field("patterns", ranking_.rows.size());
    w_.field("operators", node_at_.size()).field("operators_in_repeats", ranking_.operators_in_repeats);
    w_.field("total_us", us_of(ranking_.repeats_ns));
    w_.field("matched_by", times ? std::optional<std::string>(times->matched_by) : std::nullopt);
    w_.field("matched_operators", times ? std::optional(times->matched) : std::nullopt);
    w_.field("matched_us", has_times ? std::optional(us_of(matched_ns)) : std::nullopt);
    w_.end_object();
  }

  void write_rows(const std::optional<OperatorTimes>& times) {
    w_.key("rows").begin_array();
    for (size_t i = 0; i < std::min(ranking_.rows.size(), kMaxRows) && w_.str().size() < kMaxBytes; ++i) {
      write_row(ranking_.rows[i], times);
    }
    w_.end_array().field("total_rows", ranking_.rows.size());
  }

  void write_row(const RankedRepeat& row, const std::optional<OperatorTimes>& times) {
    const Repeat& repeat = row.repeat;
    const auto type = nodes_[node::op_type];
    w_.begin_object().key("signature").begin_array();
    for (const uint32_t position : positions_of(sequence_, repeat.instances[0], repeat.length)) {
      w_.value(type[row_at(position)]);
    }
    w_.end_array().field("length", repeat.length).field("count", repeat.instances.size());
    w_.field("count_overlapping", repeat.count_overlapping).field("total_us", us_of(row.total_ns));
    const auto count = static_cast<double>(repeat.instances.size());
    w_.field("avg_instance_us", row.total_ns ? std::optional(us_of(*row.total_ns) / count) : std::nullopt);
    const char* const matched_by = row.total_ns ? times->matched_by : "none";
    w_.field("matched_by", times ? std::optional<std::string>(matched_by) : std::nullopt);
    w_.field("variant_of", row.variant_of ? std::optional(*row.variant_of + 1) : std::nullopt);
    w_.key("instances").begin_array();
    for (size_t i = 0; i < std::min(repeat.instances.size(), request_.instances.value_or(1)); ++i) {
      w_.begin_object().field("total_us", row.each_ns.empty() ? std::nullopt : us_of(row.each_ns[i]));
      write_instance(repeat.instances[i], i == 0 && request_.instances ? repeat.length : 1);
      w_.end_object();
    }
    w_.end_array().end_object();
  }

  /// The first operators of an instance.
  void write_instance(const Instance& instance, uint32_t shown) {
    w_.key("nodes").begin_array();
    for (const uint32_t position : positions_of(sequence_, instance, shown)) {
      const uint64_t row = row_at(position);
      w_.begin_object().field("name", nodes_[node::name][row]).field("op_type", nodes_[node::op_type][row]);
      w_.field("line", nodes_[node::line][row]);
      // What a format does not tell of its nodes would be most of the answer.
      const auto known = [this](const char* key, const auto& value) {
        if (value) w_.field(key, *value);
      };
      known("raw_op_type", nodes_[node::raw_op_type].get(row));
      known("input_shapes", nodes_[node::input_shapes].get(row));
      known("output_shapes", nodes_[node::output_shapes].get(row));
      known("dtypes", nodes_[node::input_dtypes].get(row));
      known("fused", nodes_[node::fused].get(row));
      known("source_file", nodes_[node::source_file].get(row));
      known("source_line", nodes_[node::source_line].get(row));
      known("code", nodes_[node::code].get(row));
      w_.end_object();
    }
    w_.end_array();
  }

  void write_metrics() {
    std::optional<double> ratio;
    if (!node_at_.empty()) {
      ratio = static_cast<double>(ranking_.operators_in_repeats) / static_cast<double>(node_at_.size());
    }
    w_.key("metrics").begin_object().field("graph.repeated_operator_ratio", ratio).end_object();
  }

  void write_evidence(const GraphInfo& info, const std::optional<sdk::TableView>& kernels) {
    // Without the graph's own name, which stands after the file's where that holds several.
    const std::string_view file = info.name.substr(0, info.name.find(':', info.name.rfind('/') + 1));
    w_.key("evidence").begin_array();
    size_t id = 0;
    for (; id < std::min(ranking_.rows.size(), kRowsInEvidence); ++id) {
      const Repeat& repeat = ranking_.rows[id].repeat;
      w_.begin_object().field("id", "e" + std::to_string(id + 1)).field("file", file);
      w_.field("row", nodes_[node::line][row_at(repeat.instances[0].start)]);
      w_.field("says", "the first of " + std::to_string(repeat.instances.size()) + " instances begins with " +
                           std::string(nodes_[node::name][row_at(repeat.instances[0].start)]));
      w_.end_object();
    }
    if (kernels && ranking_.repeats_ns) {
      w_.begin_object().field("id", "e" + std::to_string(id + 1)).field("file", kernels->source_file());
      w_.field("says", "times: sums over all executions of the operators' kernels, in and outside steps").end_object();
    }
    w_.end_array();
  }

  void write_next() {
    if (ranking_.rows.empty()) return;
    w_.key("next").begin_array().begin_object().field("tool", "repeated_subgraphs");
    w_.key("arguments").begin_object().field("instances", 100).end_object();
    w_.field("why", "all operators of a repeat, and where each instance stands").end_object().end_array();
  }

  uint64_t row_at(uint32_t position) const { return graph_.rows[node_at_[position]]; }

  sdk::Call& call_;
  const Request& request_;
  const sdk::TableView& nodes_;
  const std::optional<sdk::TableView>& edges_;
  Graph graph_;
  std::vector<uint32_t> node_at_;
  Sequence sequence_;
  Ranking ranking_;
  JsonWriter w_;
};

int32_t answer_not_applicable(sdk::Call& call, std::string_view why) {
  JsonWriter w;
  w.begin_object().field("status", "not_applicable").field("why", why).end_object();
  return call.emit(w);
}

int32_t fail_unknown(sdk::Call& call, const std::string& wanted, const std::vector<GraphInfo>& graphs) {
  std::string hint = "It has " + std::to_string(graphs.size()) + ": ";
  for (size_t i = 0; i < graphs.size() && i < 5; ++i) hint += (i > 0 ? ", " : "") + std::string(graphs[i].name);
  return call.fail(sdk::Fault::not_found, "graph.unknown", "No graph of the profile has `" + wanted + "` in its name.",
                   hint + (graphs.size() > 5 ? "..." : "."));
}

}  // namespace

int32_t repeated_subgraphs(sdk::Call& call) {
  const auto ranks = call.args().ranks();
  if (ranks.empty()) return call.fail(sdk::Fault::usage, "args.rank", "The call names no rank.");
  const Request request = read_request(call.args());
  if (request.options.min_length > request.options.max_length) {
    return call.fail(sdk::Fault::usage, "args.lengths", "`min_len` is larger than `max_len`.",
                     "Leave one of them out: they are 2 and 20.");
  }
  const auto nodes = call.table(ranks.front(), node::kTable);
  if (!nodes || nodes->rows() == 0) return answer_not_applicable(call, "The profile has no dumped graph.");
  const auto edges = call.table(ranks.front(), table::graph_edge::kTable);
  const auto kernels = call.table(ranks.front(), kernel::kTable);

  const std::vector<GraphInfo> graphs = list_graphs(call, *nodes);
  const auto chosen = choose_graph(graphs, request.graph);
  if (!chosen && request.graph && !call.cancelled()) return fail_unknown(call, *request.graph, graphs);
  if (!chosen) return answer_not_applicable(call, "The profile has no dumped graph.");
  return Answer(call, request, *nodes, edges).give(graphs, *chosen, kernels);
}

}  // namespace stepwise::graph_fusion
