#include "core/ingest/graph/graph_records.h"

#include <unordered_map>

#include "core/base/text.h"
#include "stepwise/tables_graph.hpp"

namespace stepwise::ingest {
namespace {

namespace node = table::graph_node;
namespace edge = table::graph_edge;

const char* to_string(NodeRole role) {
  switch (role) {
    case NodeRole::op:
      return "operator";
    case NodeRole::input:
      return "input";
    case NodeRole::constant:
      return "constant";
    case NodeRole::output:
      return "output";
    case NodeRole::control:
      break;
  }
  return "control";
}

std::optional<std::string_view> unless_empty(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

class Appender {
 public:
  Appender(const char* format, const std::string& file, IngestContext& context, store::SegmentBuilder& out)
      : format_(format),
        file_(file),
        context_(context),
        nodes_(out.table(node::kTable)),
        edges_(out.table(edge::kTable)) {}

  void append(const ReadGraph& graph, const std::string& shown_name, bool by_name) {
    const auto first_row = static_cast<int64_t>(nodes_.rows());
    for (const GraphNode& one : graph.nodes) append_node(one, shown_name);
    if (by_name) return append_edges_by_name(graph, first_row);
    for (const GraphEdge& one : graph.edges) {
      append_edge(first_row + static_cast<int64_t>(one.source), first_row + static_cast<int64_t>(one.target),
                  one.output, one.input);
    }
  }

 private:
  /// A name may hold any bytes.
  std::string sound(const std::string& text, int64_t line) {
    if (is_valid_utf8(text)) return text;
    context_.diagnostics.count(Diag::text_not_utf8, file_, line);
    return to_valid_utf8(text);
  }

  void append_node(const GraphNode& one, const std::string& graph) {
    const auto optional_list = [&](auto column, const std::vector<std::string>& parts) {
      if (parts.empty()) {
        nodes_.null(column);
      } else {
        nodes_.append(column, sound(joined(parts), one.line));
      }
    };
    nodes_.append(node::graph, sound(graph, one.line));
    nodes_.append(node::format, format_);
    nodes_.append(node::name, sound(one.name, one.line));
    nodes_.append(node::op_type, sound(one.op_type, one.line));
    const std::string raw_type = sound(one.raw_op_type, one.line);
    nodes_.append_or_null(node::raw_op_type, unless_empty(raw_type));
    nodes_.append(node::role, to_string(one.role));
    optional_list(node::input_shapes, one.input_shapes);
    optional_list(node::input_dtypes, one.input_dtypes);
    optional_list(node::output_shapes, one.output_shapes);
    optional_list(node::output_dtypes, one.output_dtypes);
    optional_list(node::fused, one.fused);
    nodes_.append_or_null(node::stream, one.stream);
    nodes_.append_or_null(node::external_id, one.external_id);
    nodes_.append(node::line, one.line);
    nodes_.append_or_null(node::source_file, unless_empty(one.source_file));
    nodes_.append_or_null(node::source_line, one.source_line);
    nodes_.append_or_null(node::code, unless_empty(one.code));
    nodes_.end_row();
  }

  void append_edge(int64_t source, int64_t target, std::optional<int64_t> output, std::optional<int64_t> input) {
    edges_.append(edge::src_id, source);
    edges_.append(edge::dst_id, target);
    edges_.append_or_null(edge::src_index, output);
    edges_.append_or_null(edge::dst_index, input);
    edges_.append(edge::kind, output ? "data" : "control");
    edges_.end_row();
  }

  void append_edges_by_name(const ReadGraph& graph, int64_t first_row) {
    std::unordered_map<std::string_view, int64_t> row_of;
    row_of.reserve(graph.nodes.size());
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      if (graph.nodes[i].name.empty()) continue;  // no edge can mean it
      if (!row_of.emplace(graph.nodes[i].name, first_row + static_cast<int64_t>(i)).second) {
        context_.diagnostics.count(Diag::graph_duplicate_node, file_, graph.nodes[i].line, 1,
                                   "First: " + shorten(graph.nodes[i].name, 60) + ".");
      }
    }
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      int64_t data_input = 0;
      for (const GraphInput& input : graph.nodes[i].inputs) {
        const bool is_data = input.output.has_value();
        const int64_t index = is_data ? data_input++ : 0;
        if (input.producer.empty()) continue;
        const auto found = row_of.find(input.producer);
        if (found == row_of.end()) {
          context_.diagnostics.count(Diag::graph_input_unknown, file_, graph.nodes[i].line, 1,
                                     "First: " + shorten(input.producer, 60) + ".");
          continue;
        }
        append_edge(found->second, first_row + static_cast<int64_t>(i), input.output,
                    is_data ? std::optional(index) : std::nullopt);
      }
    }
  }

  const char* const format_;
  const std::string& file_;
  IngestContext& context_;
  store::TableBuilder& nodes_;
  store::TableBuilder& edges_;
};

void append_all(const std::vector<ReadGraph>& graphs, const char* format, const std::string& file,
                IngestContext& context, store::SegmentBuilder& out, bool by_name) {
  size_t with_nodes = 0;
  for (const ReadGraph& graph : graphs) with_nodes += graph.nodes.empty() ? 0 : 1;
  if (with_nodes == 0) return context.diagnostics.count(Diag::graph_none, file);
  const bool is_first = !out.has(node::kTable);
  Appender appender(format, file, context, out);
  // A row of these tables says itself which file it is of; one name for the table exists only while there is one file.
  for (const table::TableDecl* decl : {&node::kTable, &edge::kTable}) out.set_source_file(*decl, is_first ? file : "");
  std::unordered_map<std::string, int> times;
  for (const ReadGraph& graph : graphs) {
    if (graph.nodes.empty()) continue;
    std::string shown = file;
    if (with_nodes > 1) {
      shown += ":" + graph.name;
      // Two of one name would look like one graph.
      if (const int n = ++times[graph.name]; n > 1) shown += "#" + std::to_string(n);
    }
    appender.append(graph, shown, by_name);
  }
}

}  // namespace

std::string joined(const TensorTexts& parts, char separator) {
  std::string out;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += separator;
    out += parts[i];
  }
  return out;
}

void append_graphs(const std::vector<ReadGraph>& graphs, const char* format, const std::string& file,
                   IngestContext& context, store::SegmentBuilder& out) {
  append_all(graphs, format, file, context, out, true);
}

void append_calls(const std::vector<ReadGraph>& graphs, const char* format, const std::string& file,
                  IngestContext& context, store::SegmentBuilder& out) {
  append_all(graphs, format, file, context, out, false);
}

}  // namespace stepwise::ingest
