// The graph of an execution trace: which calls are operators, and the edges between calls.
#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/ingest/base/readers.h"
#include "core/ingest/graph/execution_trace_nodes.h"

namespace stepwise::ingest {
namespace {

class CallGraph {
 public:
  CallGraph(TracedNodes traced, const std::string& file, Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics), calls_(std::move(traced.calls)) {
    graph_.nodes = std::move(traced.nodes);
  }

  ReadGraph finish() {
    link_calls();
    link_tensors();
    const auto target = [](const GraphEdge& a, const GraphEdge& b) { return a.target < b.target; };
    std::stable_sort(graph_.edges.begin(), graph_.edges.end(), target);
    return std::move(graph_);
  }

 private:
  /// An operator is a call that has arguments and in which no other was made: what runs. The others (annotations,
  /// operators that call operators, threads) say where it was made.
  void link_calls() {
    std::unordered_map<int64_t, size_t> node_of;
    for (size_t i = 0; i < calls_.size(); ++i) {
      if (node_of.emplace(calls_[i].id, i).second) continue;
      diagnostics_.count(Diag::graph_duplicate_node, file_, graph_.nodes[i].line, 1,
                         "First: id " + std::to_string(calls_[i].id) + ".");
    }
    std::vector<bool> has_calls(calls_.size(), false);
    for (size_t i = 0; i < calls_.size(); ++i) {
      for (const int64_t parent : calls_[i].parents) {
        const auto found = node_of.find(parent);
        if (found == node_of.end()) {
          diagnostics_.count(Diag::graph_input_unknown, file_, graph_.nodes[i].line, 1,
                             "First: id " + std::to_string(parent) + ".");
        } else if (found->second != i) {  // the outermost names itself
          has_calls[found->second] = true;
          graph_.edges.push_back({found->second, i, std::nullopt, std::nullopt});
        }
      }
    }
    for (size_t i = 0; i < calls_.size(); ++i) {
      graph_.nodes[i].role = calls_[i].has_arguments && !has_calls[i] ? NodeRole::op : NodeRole::control;
    }
  }

  /// What an operator reads comes from the call that gave the tensor out last, of those that began before it. Of a call
  /// and one made in it that give out the same, it is the inner.
  void link_tensors() {
    struct Source {
      size_t node = 0;
      int64_t output = 0;
    };
    std::unordered_map<int64_t, Source> source_of;
    for (size_t i = 0; i < calls_.size(); ++i) {
      const TracedCall& call = calls_[i];
      for (size_t k = 0; graph_.nodes[i].role == NodeRole::op && k < call.inputs.size(); ++k) {
        const auto found = source_of.find(call.inputs[k].id);
        if (found == source_of.end() || calls_[found->second.node].id > call.id) continue;
        graph_.edges.push_back({found->second.node, i, found->second.output, static_cast<int64_t>(k)});
      }
      for (size_t k = 0; k < call.outputs.size(); ++k) {
        const auto [it, is_new] = source_of.try_emplace(call.outputs[k].id, Source{i, static_cast<int64_t>(k)});
        if (!is_new && calls_[it->second.node].id < call.id) it->second = {i, static_cast<int64_t>(k)};
      }
    }
  }

  const std::string& file_;
  Diagnostics& diagnostics_;
  ReadGraph graph_;
  std::vector<TracedCall> calls_;  // of the nodes
};

}  // namespace

Result<void> read_execution_trace(const std::filesystem::path& file, const std::string& relative_path,
                                  IngestContext& context, store::SegmentBuilder& out) {
  SW_ASSIGN_OR_RETURN(std::optional<TracedNodes> traced, read_traced_nodes(file, relative_path, context));
  if (!traced) return {};
  context.diagnostics.count(Diag::graph_too_large, relative_path, std::nullopt, traced->left_out);
  CallGraph graph(*std::move(traced), relative_path, context.diagnostics);
  append_calls({graph.finish()}, "execution_trace", relative_path, context, out);
  return {};
}

}  // namespace stepwise::ingest
