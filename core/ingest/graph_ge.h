// What the two dumps of GE graphs have in common: graphs that lie in operators' attributes, what a type is for, how
// inputs are written, and how the file is read.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/ingest/graph_proto_text.h"
#include "core/ingest/graph_records.h"

namespace stepwise::ingest {

/// Graphs under construction. A node may hold whole graphs, so both are kept on a stack.
class GeGraphs : public ProtoTextListener {
 public:
  std::vector<ReadGraph> take();
  uint64_t nodes_left_out() const { return left_out_; }

  struct Incomplete {
    uint64_t count = 0;
    int64_t first_line = 0;
    std::string first;  // what it is
  };
  const Incomplete& incomplete_nodes() const { return incomplete_; }

 protected:
  static constexpr size_t kMaxTensors = 1 << 16;  // of one node

  struct Level {
    size_t graph;
    GraphNode node;
  };
  void open_graph();
  void close_graph() { levels_.pop_back(); }
  void open_node(int64_t line);
  void close_node();
  /// A node's field that is no message.
  void lose_node(int64_t line) { note_incomplete(line, "a node that is no message, and was left out"); }
  ReadGraph& graph() { return graphs_[levels_.back().graph]; }
  GraphNode& node() { return levels_.back().node; }
  static void set_tensor(TensorTexts& tensors, size_t index, std::string text);

 private:
  void note_incomplete(int64_t line, const char* what);

  Incomplete incomplete_;
  std::vector<ReadGraph> graphs_;
  std::vector<Level> levels_;
  size_t node_count_ = 0;
  uint64_t left_out_ = 0;
};

/// "conv_1:0", "barrier:-1" (control), "".
GraphInput ge_input(std::string_view text);
void add_dimension(std::string& shape, std::string_view dimension);

/// Reads the file into `graphs` and its nodes into the tables. Errors: cancelled.
Result<void> read_ge_file(GeGraphs& graphs, const char* format, const std::filesystem::path& file,
                          const std::string& relative_path, IngestContext& context, store::SegmentBuilder& out);

}  // namespace stepwise::ingest
