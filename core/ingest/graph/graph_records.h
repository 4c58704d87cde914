// A dumped graph as its reader found it, on its way into the tables graph_node and graph_edge. Nodes are kept until
// the file ends: edges may name nodes that come later, and graphs may lie in one another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ingest/base/context.h"

namespace stepwise::ingest {

inline constexpr size_t kMaxGraphNodes = 2'000'000;     // of one file; real ones have up to some 100,000
inline constexpr size_t kMaxGraphTextBytes = 64 << 10;  // of one value that is kept: names, shapes, code

enum class NodeRole : uint8_t { op, input, constant, output, control };

/// What feeds a node: an output of another one, by name, or nothing.
struct GraphInput {
  std::string producer;           // "": not connected
  std::optional<int64_t> output;  // of the producer; nullopt: a control edge
};

/// One value a tensor; "" where the file has none for it, which is also how a scalar's shape looks.
using TensorTexts = std::vector<std::string>;

struct GraphNode {
  std::string name, raw_op_type, op_type;
  NodeRole role = NodeRole::op;
  TensorTexts input_shapes, input_dtypes, output_shapes, output_dtypes;  // empty: the file does not tell
  std::vector<std::string> fused;
  std::optional<int64_t> stream, external_id;
  int64_t line = 0;
  std::string source_file, code;  // "": none
  std::optional<int64_t> source_line;
  std::vector<GraphInput> inputs;
};

/// An edge that the reader resolved itself, where names do not tell nodes apart: places in ReadGraph::nodes.
struct GraphEdge {
  size_t source = 0, target = 0;
  std::optional<int64_t> output, input;  // nullopt: a control edge
};

struct ReadGraph {
  std::string name;
  std::vector<GraphNode> nodes;
  std::vector<GraphEdge> edges;  // only of append_calls
};

/// Appends the graphs of a file that have nodes. Inputs that name no node of their graph give no edge and are counted;
/// of two nodes with one name, edges mean the first. Without any node: counted, nothing is appended.
void append_graphs(const std::vector<ReadGraph>& graphs, const char* format, const std::string& file,
                   IngestContext& context, store::SegmentBuilder& out);

/// The same for calls, whose names may repeat: edges are those of the graph, and the nodes' inputs mean nothing.
void append_calls(const std::vector<ReadGraph>& graphs, const char* format, const std::string& file,
                  IngestContext& context, store::SegmentBuilder& out);

/// "1,224,224,3" by ';' between tensors.
std::string joined(const TensorTexts& parts, char separator = ';');

}  // namespace stepwise::ingest
